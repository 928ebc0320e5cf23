package io.berth.cluster.kubernetes;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.kubernetes.HttpClient.Call;
import io.berth.codec.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A real Kubernetes API, asked over HTTPS.
///
/// Lists, watches, binds and events, of which there are many, go in protobuf where the server
/// speaks it; everything else in JSON.
///
/// Refusals are [ApiException]s with what the server said. A call without an answer is an
/// [UncheckedIOException]: whether it did something is unknown then. Lists and watches leave out
/// the fields named at construction.
public final class KubernetesCluster implements Cluster, AutoCloseable {

  /// Large parts of objects that no scheduler looks at.
  public static final Set<String> UNREAD =
      Set.of(
          "managedFields",
          "env",
          "envFrom",
          "volumeMounts",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle",
          "command",
          "args",
          "containerStatuses",
          "initContainerStatuses",
          "ephemeralContainerStatuses",
          "securityContext");

  private static final Duration LIST_SILENCE = Duration.ofMinutes(1);

  private final Access access;
  private final String component;
  private final Set<String> unread;
  private final HttpClient http;
  private final Paths paths;
  private final Wire wire;
  private final Watches watches;

  /// `component` names us to the server, in its logs and as the manager of fields.
  public KubernetesCluster(Access access, String component, Set<String> unread) {
    this(access, component, unread, HttpClient.CALL);
  }

  private KubernetesCluster(
      Access access, String component, Set<String> unread, Duration patience) {
    this.access = access;
    this.component = component;
    this.unread = unread;
    this.http = new HttpClient(access, component, patience);
    this.paths = new Paths(component);
    this.wire = new Wire(unread);
    this.watches = new Watches(http, wire);
  }

  /// The same cluster over connections of their own, for calls that must not wait behind others nor
  /// longer than `patience`. To be closed like this one.
  public KubernetesCluster apart(Duration patience) {
    return new KubernetesCluster(access, component, unread, patience);
  }

  @Override
  public Tree fetch(Resource resource, String namespace, String name) {
    return call(Call.get(paths.object(resource, namespace, name, null)));
  }

  @Override
  public Page list(Resource resource, String namespace, Selection selection) {
    var call = Call.get(paths.list(resource, namespace, selection), wire.accepted(resource));
    try (var stream = http.borrow(call, LIST_SILENCE)) {
      var answer = stream.answer();
      if (answer.status() != 200) {
        throw wire.refusal(answer.status(), answer.contentType(), answer.bytes(Refusals.MAX_BODY));
      }
      List<Tree> items = new ArrayList<>();
      var revision = wire.list(answer, resource, item -> items.add(typed(resource, item)));
      answer.drain();
      return new Page(revision, items);
    } catch (IOException e) {
      throw new UncheckedIOException("list of " + resource.qualified() + ": " + e.getMessage(), e);
    }
  }

  // Servers leave kind and version out of the items of a list.
  private static Tree typed(Resource resource, Tree item) {
    item.putIfAbsent("apiVersion", resource.apiVersion());
    item.putIfAbsent("kind", resource.kind());
    return item.freeze();
  }

  @Override
  public Watch watch(
      Resource resource,
      String namespace,
      Selection selection,
      String afterRevision,
      Watcher watcher) {
    var target = paths.watch(resource, namespace, selection, afterRevision);
    return watches.start(resource, target, watcher);
  }

  @Override
  public Tree create(Resource resource, Tree object) {
    var namespace = object.textOrEmpty("metadata", "namespace");
    return call(json("POST", paths.collection(resource, namespace), object));
  }

  @Override
  public Tree update(Resource resource, @Nullable String subresource, Tree object) {
    var meta = object.treeOrEmpty("metadata");
    var target =
        paths.object(
            resource, meta.textOrEmpty("namespace"), meta.textOrEmpty("name"), subresource);
    return call(json("PUT", target, object));
  }

  @Override
  public Tree patch(
      Resource resource,
      String namespace,
      String name,
      @Nullable String subresource,
      PatchType type,
      Object patch) {
    var target = paths.object(resource, namespace, name, subresource);
    if (type == PatchType.APPLY) {
      target = paths.managed(target);
    }
    return call(new Call("PATCH", target, Call.JSON, contentType(type), Json.write(patch)));
  }

  private static String contentType(PatchType type) {
    return switch (type) {
      case JSON -> "application/json-patch+json";
      case MERGE -> "application/merge-patch+json";
      case STRATEGIC -> "application/strategic-merge-patch+json";
      case APPLY -> "application/apply-patch+yaml";
    };
  }

  @Override
  public void delete(Resource resource, String namespace, String name, DeleteOptions options) {
    var body = Tree.of("apiVersion", "v1", "kind", "DeleteOptions");
    if (options.graceSeconds() >= 0) {
      body.put("gracePeriodSeconds", options.graceSeconds());
    }
    if (options.uid() != null) {
      body.put("preconditions", Tree.of("uid", options.uid()));
    }
    if (options.policy() != null) {
      body.put("propagationPolicy", options.policy());
    }
    call(json("DELETE", paths.object(resource, namespace, name, null), body));
  }

  @Override
  public Tree post(
      Resource resource, String namespace, String name, String subresource, Tree body) {
    return call(json("POST", paths.object(resource, namespace, name, subresource), body));
  }

  @Override
  public void send(Resource resource, Tree object) {
    var namespace = object.textOrEmpty("metadata", "namespace");
    sent(wire.post(paths.collection(resource, namespace), object));
  }

  @Override
  public void send(
      Resource resource, String namespace, String name, String subresource, Tree body) {
    sent(wire.post(paths.object(resource, namespace, name, subresource), body));
  }

  /// Sends a request that somebody else has worded; `target` is a path and perhaps a query.
  public Tree send(String method, String target, String contentType, byte[] body) {
    return call(new Call(method, target, Call.JSON, contentType, body));
  }

  private void sent(Call call) {
    var reply = http.call(call);
    if (reply.status() / 100 != 2) {
      throw wire.refusal(reply.status(), reply.contentType(), reply.body());
    }
  }

  private static Call json(String method, String target, Tree body) {
    return new Call(method, target, Call.JSON, Call.JSON, Json.write(body));
  }

  private Tree call(Call call) {
    var reply = http.call(call);
    if (reply.status() / 100 != 2) {
      throw Refusals.of(reply.status(), reply.body());
    }
    return Json.readLenient(reply.body()).freeze();
  }

  /// Ends all watches and closes the connections; calls under way get their answers.
  @Override
  public void close() {
    watches.close();
    http.close();
  }
}
