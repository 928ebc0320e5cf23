package io.berth.controllers.node;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Informer;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.Taints;
import io.berth.controllers.runtime.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Deletes pods from nodes with NoExecute taints that they do not tolerate, or no longer.
///
/// The time a pod tolerates runs from when this process first saw pod and taint together; a restart
/// begins it anew, as in Kubernetes.
public final class TaintEviction implements Controller {

  private static final int WORKERS = 16;

  private final Environment environment;
  private final Cache nodes;
  private final Cache pods;
  private final Events.Source events;
  private final Map<String, Pending> pending = new ConcurrentHashMap<>();
  private final Loop loop;

  public TaintEviction(Environment environment) {
    this.environment = environment;
    this.nodes = environment.informers().of(Resource.NODES);
    this.pods = environment.informers().of(Resource.PODS).indexed(Index.NODE);
    this.events = environment.events().from("taint-eviction-controller");
    this.loop = new Loop("taint-eviction", WORKERS, environment.timers(), this::reconcile);
    nodes.on(new NodeHandler());
    pods.on(new PodHandler());
  }

  @Override
  public String name() {
    return "taint-eviction";
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
    var pod = pods.find(key).orElse(null);
    if (pod == null || Meta.isDeleting(pod) || Pods.node(pod).isEmpty()) {
      return;
    }
    var node = nodes.find(new Key("", Pods.node(pod))).orElse(null);
    if (node == null) {
      return;
    }
    var taints = new ArrayList<>(Taints.of(node));
    taints.removeIf(taint -> !Taints.isNoExecute(taint));
    if (taints.isEmpty()) {
      cancel(pod);
      return;
    }
    var wait = toleratedFor(taints, pod.trees("spec", "tolerations"));
    if (wait == null) {
      cancel(pod);
    } else if (wait.isZero()) {
      evict(pod);
    } else {
      schedule(key, pod, wait);
    }
  }

  /// Zero when some taint is not tolerated, `null` when all are for ever, else the shortest time.
  /// As in Kubernetes, of the tolerations that match a taint only the first one counts.
  private static @Nullable Duration toleratedFor(List<Tree> taints, List<Tree> tolerations) {
    Duration shortest = null;
    for (var taint : taints) {
      var first = tolerations.stream().filter(t -> Taints.tolerates(t, taint)).findFirst();
      if (first.isEmpty()) {
        return Duration.ZERO;
      }
      if (first.get().at("tolerationSeconds") instanceof Long seconds) {
        var time = Duration.ofSeconds(Math.max(0, seconds));
        shortest = shortest == null || time.compareTo(shortest) < 0 ? time : shortest;
      }
    }
    return shortest;
  }

  private void schedule(Key key, Tree pod, Duration wait) {
    var now = environment.now();
    var known = pending.get(Meta.uid(pod));
    var since = known == null ? now : known.since;
    var due = since.plus(wait);
    if (!due.isAfter(now)) {
      evict(pod);
      return;
    }
    if (known == null || !known.due.equals(due)) {
      if (known != null) {
        known.timer.cancel();
      }
      var timer = loop.addAfter(key, Duration.between(now, due));
      pending.put(Meta.uid(pod), new Pending(since, due, timer));
    }
  }

  private void cancel(Tree pod) {
    var known = pending.remove(Meta.uid(pod));
    if (known != null) {
      known.timer.cancel();
      events.normal(
          Resource.PODS,
          pod,
          "TaintManagerEviction",
          "Cancelling deletion of Pod %s".formatted(Key.of(pod)));
    }
  }

  private void evict(Tree pod) {
    pending.remove(Meta.uid(pod));
    events.normal(
        Resource.PODS,
        pod,
        "TaintManagerEviction",
        "Marking for deletion Pod %s".formatted(Key.of(pod)));
    try {
      var status = pod.treeOrEmpty("status").copy();
      Conditions.set(
          status,
          Conditions.of(
                  "DisruptionTarget",
                  "True",
                  "DeletionByTaintManager",
                  "Taint manager: deleting due to NoExecute taint")
              .put("observedGeneration", Meta.generation(pod)),
          environment.timestamp());
      if (!Conditions.isTrue(pod, "DisruptionTarget")) {
        environment
            .cluster()
            .update(Resource.PODS, "status", Tree.ofMap(pod.fields()).put("status", status));
      }
      environment
          .cluster()
          .delete(
              Resource.PODS,
              Meta.namespace(pod),
              Meta.name(pod),
              new DeleteOptions(-1, Meta.uid(pod), null));
    } catch (ApiException e) {
      if (!e.is("NotFound")) {
        throw e;
      }
    }
  }

  private record Pending(Instant since, Instant due, Timers.Timer timer) {}

  private final class NodeHandler implements Informer.Handler {

    @Override
    public void changed(@Nullable Tree previous, Tree node) {
      if (previous == null || !Taints.of(previous).equals(Taints.of(node))) {
        pods.by(Index.NODE, Meta.name(node)).forEach(pod -> loop.add(Key.of(pod)));
      }
    }

    @Override
    public void removed(Tree node) {}
  }

  private final class PodHandler implements Informer.Handler {

    @Override
    public void changed(@Nullable Tree previous, Tree pod) {
      if (previous == null
          || !Pods.node(previous).equals(Pods.node(pod))
          || !previous.list("spec", "tolerations").equals(pod.list("spec", "tolerations"))) {
        loop.add(Key.of(pod));
      }
    }

    @Override
    public void removed(Tree pod) {
      var known = pending.remove(Meta.uid(pod));
      if (known != null) {
        known.timer.cancel();
      }
    }
  }
}
