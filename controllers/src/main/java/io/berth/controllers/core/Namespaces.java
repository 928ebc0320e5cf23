package io.berth.controllers.core;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.Selection;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Catalog;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.SlowStart;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Empties namespaces that are being deleted, then lets them go.
///
/// Pods go first: what they work with, network policies among it, is there until the last one has
/// ended. They need their grace period and objects may have finalizers, so the content is asked for
/// again, after 50 ms at first and two seconds at most, until nothing is left.
public final class Namespaces implements Controller {

  private static final int WORKERS = 8;
  private static final int LONGEST_DOUBLINGS = 5;
  private static final Duration FIRST = Duration.ofMillis(50);

  private final Environment environment;
  private final Cache namespaces;
  private final Catalog catalog;
  private final Map<String, Integer> rounds = new ConcurrentHashMap<>();
  private final Loop loop;

  public Namespaces(Environment environment) {
    this.environment = environment;
    this.namespaces = environment.informers().of(Resource.NAMESPACES);
    this.catalog = new Catalog(environment);
    this.loop = new Loop("namespace-controller", WORKERS, environment.timers(), this::reconcile);
    namespaces.onAny(namespace -> {
      if (Meta.isDeleting(namespace)) {
        loop.add(Key.of(namespace));
      }
    });
  }

  @Override
  public String name() {
    return "namespaces";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void reconcile(Key key) {
    // What is asked for is the namespace that is there now: by a cache that is behind, one of the
    // same name that has come since would be emptied.
    var namespace = fetch(key.name());
    if (namespace == null
        || !Meta.isDeleting(namespace)
        || namespace.list("spec", "finalizers").isEmpty()) {
      rounds.remove(key.name());
      return;
    }
    var content = new Content();
    empty(key.name(), content);
    var noted = writeConditions(namespace, content);
    content.throwFailure();
    if (content.remaining.isEmpty()) {
      rounds.remove(key.name());
      finish(noted);
      return;
    }
    var round = rounds.merge(key.name(), 1, Integer::sum);
    loop.addAfter(key, FIRST.multipliedBy(1L << Math.min(round, LONGEST_DOUBLINGS)));
  }

  private @Nullable Tree fetch(String name) {
    try {
      return environment.cluster().fetch(Resource.NAMESPACES, "", name);
    } catch (ApiException e) {
      if (e.is("NotFound")) {
        return null;
      }
      throw e;
    }
  }

  /// Deletes what is there, and notes what stays.
  private void empty(String namespace, Content content) {
    delete(Resource.PODS, namespace, content);
    if (!content.isEmpty()) {
      return;
    }
    var resources = catalog.namespaced();
    SlowStart.all(
        environment.crew(), resources.size(), i -> delete(resources.get(i), namespace, content));
    content.remaining.remove(Resource.CORE_EVENTS);
  }

  private void delete(Resource resource, String namespace, Content content) {
    try {
      var found = list(resource, namespace);
      found.forEach(object -> delete(resource, object));
      var left = found.isEmpty() ? found : list(resource, namespace);
      if (!left.isEmpty()) {
        content.remaining.put(resource, left);
      }
    } catch (ApiException e) {
      content.failures.add(e);
    }
  }

  private List<Tree> list(Resource resource, String namespace) {
    try {
      return environment.cluster().list(resource, namespace, Selection.ALL).items();
    } catch (ApiException e) {
      if (e.is("NotFound") || e.is("MethodNotAllowed") || e.code() == 404) {
        return List.of(); // The server does not have this resource.
      }
      throw e;
    }
  }

  private void delete(Resource resource, Tree object) {
    if (Meta.isDeleting(object)) {
      return;
    }
    try {
      environment
          .cluster()
          .delete(
              resource,
              Meta.namespace(object),
              Meta.name(object),
              DeleteOptions.background(Meta.uid(object)));
    } catch (ApiException e) {
      if (!e.is("NotFound") && !e.is("Conflict")) {
        throw e;
      }
    }
  }

  private void finish(Tree namespace) {
    var done = namespace.copy();
    var finalizers = new ArrayList<@Nullable Object>(namespace.list("spec", "finalizers"));
    finalizers.remove("kubernetes");
    done.child("spec").put("finalizers", finalizers);
    environment.cluster().update(Resource.NAMESPACES, "finalize", done);
  }

  /// The namespace with its conditions as they are now.
  private Tree writeConditions(Tree namespace, Content content) {
    var counts = new TreeMap<String, Integer>();
    var finalizers = new TreeMap<String, Integer>();
    content.remaining.forEach((resource, objects) -> {
      // As in Kubernetes, with the dot also where there is no group.
      counts.put(resource.plural() + "." + resource.group(), objects.size());
      for (var object : objects) {
        for (var finalizer : object.list("metadata", "finalizers")) {
          finalizers.merge(String.valueOf(finalizer), 1, Integer::sum);
        }
      }
    });
    var status = namespace.treeOrEmpty("status").copy();
    set(
        status,
        "NamespaceDeletionDiscoveryFailure",
        false,
        "ResourcesDiscovered",
        "All resources successfully discovered");
    set(
        status,
        "NamespaceDeletionGroupVersionParsingFailure",
        false,
        "ParsedGroupVersions",
        "All legacy kube types successfully parsed");
    if (content.failures.isEmpty()) {
      set(
          status,
          "NamespaceDeletionContentFailure",
          false,
          "ContentDeleted",
          "All content successfully deleted, may be waiting on finalization");
    } else {
      set(
          status,
          "NamespaceDeletionContentFailure",
          true,
          "ContentDeletionFailed",
          content.failureText());
    }
    if (counts.isEmpty()) {
      set(
          status,
          "NamespaceContentRemaining",
          false,
          "ContentRemoved",
          "All content successfully removed");
    } else {
      set(
          status,
          "NamespaceContentRemaining",
          true,
          "SomeResourcesRemain",
          "Some resources are remaining: " + joined(counts, "%s has %d resource instances"));
    }
    if (finalizers.isEmpty()) {
      set(
          status,
          "NamespaceFinalizersRemaining",
          false,
          "ContentHasNoFinalizers",
          "All content-preserving finalizers finished");
    } else {
      set(
          status,
          "NamespaceFinalizersRemaining",
          true,
          "SomeFinalizersRemain",
          "Some content in the namespace has finalizers remaining: "
              + joined(finalizers, "%s in %d resource instances"));
    }
    if (Trees.equivalent(status, namespace.get("status"))) {
      return namespace;
    }
    return environment
        .cluster()
        .update(
            Resource.NAMESPACES, "status", Tree.ofMap(namespace.fields()).put("status", status));
  }

  private void set(Tree status, String type, boolean value, String reason, String message) {
    Conditions.set(
        status,
        Conditions.of(type, value ? "True" : "False", reason, message),
        environment.timestamp());
  }

  private static String joined(Map<String, Integer> counts, String each) {
    var parts = new ArrayList<String>();
    counts.forEach((name, count) -> parts.add(each.formatted(name, count)));
    return String.join(", ", parts);
  }

  /// What is left of a namespace's content, and what could not be deleted.
  private static final class Content {

    private final Map<Resource, List<Tree>> remaining = new ConcurrentHashMap<>();
    private final Queue<ApiException> failures = new ConcurrentLinkedQueue<>();

    boolean isEmpty() {
      return remaining.isEmpty() && failures.isEmpty();
    }

    String failureText() {
      var messages = failures.stream().map(e -> String.valueOf(e.getMessage())).sorted().toList();
      return "Failed to delete all resource types, %d remaining: %s"
          .formatted(messages.size(), String.join(", ", messages));
    }

    void throwFailure() {
      var failure = failures.peek();
      if (failure != null) {
        throw failure;
      }
    }
  }
}
