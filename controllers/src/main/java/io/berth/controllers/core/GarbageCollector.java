package io.berth.controllers.core;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Informer;
import io.berth.controllers.Controller;
import io.berth.controllers.core.OwnerGraph.Item;
import io.berth.controllers.runtime.Catalog;
import io.berth.controllers.runtime.CustomResources;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// Deletes what nobody owns any more; holds back an owner in foreground deletion until its
/// dependents are gone; sets dependents free when an owner is deleted as `Orphan`.
///
/// An owner counts as gone only after the API said so: the graph may be behind.
public final class GarbageCollector implements Controller {

  private static final int WORKERS = 16;
  private static final int MOST_REMEMBERED = 10_000;
  private static final Duration UNSEEN = Duration.ofSeconds(10);

  private final Environment environment;
  private final Catalog catalog;
  private final OwnerGraph graph = new OwnerGraph();
  private final Events.Source events;
  // The owners that were last seen to go, for when their kind has gone as well.
  private final SequencedSet<String> removed = new LinkedHashSet<>();
  private final CustomResources custom;
  private final Loop loop;

  public GarbageCollector(Environment environment) {
    this.environment = environment;
    this.catalog = new Catalog(environment);
    this.events = environment.events().from("garbage-collector-controller");
    this.loop = new Loop("garbage-collector", WORKERS, environment.timers(), this::collect);
    for (var resource : catalog.builtIn()) {
      environment.informers().of(resource).on(new Handler(resource));
    }
    this.custom = new CustomResources(environment, catalog, Handler::new);
  }

  @Override
  public String name() {
    return "garbage-collector";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
    custom.close();
  }

  /// `key` names a uid.
  private void collect(Key key) {
    var item = graph.find(key.name());
    if (item == null) {
      return;
    }
    if (item.orphaning()) {
      orphan(item);
    } else if (item.foreground()) {
      finishForeground(item);
    }
    if (!item.deleting() && !item.owners().isEmpty()) {
      collectDependent(item);
    }
  }

  private void collectDependent(Item item) {
    var live = fetch(item);
    if (live == null || Meta.isDeleting(live)) {
      return;
    }
    var solid = new ArrayList<Tree>();
    var gone = new ArrayList<Tree>();
    var waiting = new ArrayList<Tree>();
    var unseen = false;
    for (var owner : Meta.owners(live)) {
      var known = graph.meant(owner, item.namespace());
      if (known == null && isGone(owner, item)) {
        gone.add(owner);
      } else if (known != null && known.foreground()) {
        waiting.add(owner);
      } else {
        solid.add(owner);
        unseen |= known == null;
      }
    }
    if (unseen) {
      // No event will tell that this owner goes before it was ever seen.
      loop.addAfter(new Key("", item.uid()), UNSEEN);
    }
    if (gone.isEmpty() && waiting.isEmpty()) {
      return;
    }
    if (!solid.isEmpty()) {
      writeOwners(live, item, solid);
    } else if (!waiting.isEmpty() && !graph.dependentsOf(item.uid()).isEmpty()) {
      if (graph.dependentsOf(item.uid()).stream().anyMatch(Item::foreground)) {
        unblock(live, item);
      }
      delete(item, "Foreground");
    } else {
      delete(item, policy(live));
    }
  }

  /// Owners in a circle would wait for each other for ever: this one lets go of its own.
  private void unblock(Tree live, Item item) {
    var owners = new ArrayList<Tree>();
    for (var owner : Meta.owners(live)) {
      owners.add(owner.copy().put("blockOwnerDeletion", false));
    }
    writeOwners(live, item, owners);
  }

  private static String policy(Tree live) {
    if (Meta.hasFinalizer(live, "orphan")) {
      return "Orphan";
    }
    return Meta.hasFinalizer(live, "foregroundDeletion") ? "Foreground" : "Background";
  }

  /// The owner holds on until nothing that blocks it is left.
  private void finishForeground(Item owner) {
    var blocked = false;
    for (var dependent : graph.dependentsOf(owner.uid())) {
      blocked |= dependent.blocking().contains(owner.uid());
      if (!dependent.deleting()) {
        enqueue(dependent);
      }
    }
    if (!blocked) {
      removeFinalizer(owner, "foregroundDeletion");
    }
  }

  private void orphan(Item owner) {
    for (var dependent : graph.dependentsOf(owner.uid())) {
      var live = fetch(dependent);
      if (live == null) {
        continue;
      }
      var others = new ArrayList<>(Meta.owners(live));
      if (others.removeIf(ref -> ref.textOrEmpty("uid").equals(owner.uid()))) {
        writeOwners(live, dependent, others);
      }
    }
    removeFinalizer(owner, "orphan");
  }

  private boolean isGone(Tree owner, Item dependent) {
    var resource =
        catalog.find(owner.textOrEmpty("apiVersion"), owner.textOrEmpty("kind")).orElse(null);
    if (resource == null) {
      // A kind nobody knows may still exist somewhere, unless this very owner was seen to go.
      synchronized (removed) {
        return removed.contains(owner.textOrEmpty("uid"));
      }
    }
    if (resource.namespaced() && dependent.namespace().isEmpty()) {
      return false; // As in Kubernetes: an owner of the wrong scope is never resolved.
    }
    var namespace = resource.namespaced() ? dependent.namespace() : "";
    try {
      var live = environment.cluster().fetch(resource, namespace, owner.textOrEmpty("name"));
      return !Meta.uid(live).equals(owner.text("uid"));
    } catch (ApiException e) {
      if (e.is("NotFound")) {
        return true;
      }
      throw e;
    }
  }

  private @Nullable Tree fetch(Item item) {
    try {
      var live = environment.cluster().fetch(item.resource(), item.namespace(), item.name());
      return Meta.uid(live).equals(item.uid()) ? live : null;
    } catch (ApiException e) {
      if (e.is("NotFound")) {
        return null;
      }
      throw e;
    }
  }

  private void delete(Item item, String policy) {
    try {
      environment
          .cluster()
          .delete(
              item.resource(),
              item.namespace(),
              item.name(),
              new DeleteOptions(-1, item.uid(), policy));
    } catch (ApiException e) {
      if (!e.is("NotFound") && !e.is("Conflict")) {
        throw e;
      }
    }
  }

  private void removeFinalizer(Item item, String finalizer) {
    var live = fetch(item);
    if (live == null || !Meta.hasFinalizer(live, finalizer)) {
      return;
    }
    var rest = new ArrayList<@Nullable Object>(live.list("metadata", "finalizers"));
    rest.remove(finalizer);
    patch(live, item, Tree.of("finalizers", rest.isEmpty() ? null : rest));
  }

  private void writeOwners(Tree live, Item item, List<Tree> owners) {
    patch(live, item, Tree.of("ownerReferences", owners.isEmpty() ? null : owners));
  }

  private void patch(Tree live, Item item, Tree metadata) {
    metadata.put("uid", item.uid()).put("resourceVersion", Meta.revision(live));
    try {
      environment
          .cluster()
          .patch(
              item.resource(),
              item.namespace(),
              item.name(),
              null,
              PatchType.MERGE,
              Tree.of("metadata", metadata));
    } catch (ApiException e) {
      if (!e.is("NotFound")) {
        throw e;
      }
    }
  }

  private void remember(String uid) {
    synchronized (removed) {
      removed.addLast(uid);
      if (removed.size() > MOST_REMEMBERED) {
        removed.removeFirst();
      }
    }
  }

  private void enqueue(Item item) {
    loop.add(new Key("", item.uid()));
  }

  /// Keeps the graph, and enqueues whatever a change may have turned into garbage.
  private final class Handler implements Informer.Handler {

    private final Resource resource;

    Handler(Resource resource) {
      this.resource = resource;
    }

    @Override
    public void changed(@Nullable Tree previous, Tree object) {
      if (previous != null && !Meta.uid(previous).equals(Meta.uid(object))) {
        removed(previous);
      }
      var before = graph.find(Meta.uid(object));
      var item = graph.put(resource, object);
      if (item.foreground() || item.orphaning()) {
        enqueue(item);
        if (item.foreground() && (before == null || !before.foreground())) {
          graph.dependentsOf(item.uid()).forEach(GarbageCollector.this::enqueue);
        }
      }
      if (before == null || !before.owners().equals(item.owners())) {
        if (!item.owners().isEmpty()) {
          wakeIfOwnerMissing(item, object);
        }
        if (before != null) {
          before.owners().forEach(this::wakeForeground);
        }
      }
      if (before != null && !before.blocking().equals(item.blocking())) {
        before.blocking().forEach(this::wakeForeground);
      }
    }

    @Override
    public void removed(Tree object) {
      var uid = Meta.uid(object);
      graph.remove(uid);
      remember(uid);
      graph.dependentsOf(uid).forEach(GarbageCollector.this::enqueue);
      Meta.owners(object).forEach(owner -> wakeForeground(owner.textOrEmpty("uid")));
    }

    private void wakeIfOwnerMissing(Item item, Tree object) {
      for (var owner : Meta.owners(object)) {
        var meant = graph.meant(owner, item.namespace());
        if (meant == null || meant.foreground()) {
          reportOwnerElsewhere(owner, object);
          enqueue(item);
          return;
        }
      }
    }

    private void reportOwnerElsewhere(Tree owner, Tree object) {
      var known = graph.find(owner.textOrEmpty("uid"));
      if (known != null && !known.mayOwnIn(Meta.namespace(object))) {
        events.warning(
            resource,
            object,
            "OwnerRefInvalidNamespace",
            "ownerRef [%s/%s, namespace: %s, name: %s, uid: %s] does not exist in namespace \"%s\""
                .formatted(
                    owner.textOrEmpty("apiVersion"),
                    owner.textOrEmpty("kind"),
                    Meta.namespace(object),
                    owner.textOrEmpty("name"),
                    owner.textOrEmpty("uid"),
                    Meta.namespace(object)));
      }
    }

    private void wakeForeground(String uid) {
      var owner = graph.find(uid);
      if (owner != null && owner.foreground()) {
        enqueue(owner);
      }
    }
  }
}
