package io.berth.controllers.node;

import io.berth.api.ApiException;
import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.Taints;
import io.berth.controllers.runtime.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes pods that nobody else will: too many finished ones, those of nodes that no longer exist
/// or are out of service, and those deleted before they were scheduled.
///
/// A node that is missing from the cache is believed to be gone only after 40 seconds and a look at
/// the API.
public final class PodGarbage implements Controller {

  private static final Logger LOG = LoggerFactory.getLogger(PodGarbage.class);
  private static final String NODE_GONE = "PodGC: node no longer exists";
  private static final Duration EVERY = Duration.ofSeconds(20);
  private static final Duration QUARANTINE = Duration.ofSeconds(40);
  private static final int TERMINATED_KEPT = 12_500;

  private final Environment environment;
  private final Cache nodes;
  private final Cache pods;
  private final Map<String, Instant> missing = new HashMap<>();
  private final Ticker ticker;

  public PodGarbage(Environment environment) {
    this.environment = environment;
    this.nodes = environment.informers().of(Resource.NODES);
    this.pods = environment.informers().of(Resource.PODS);
    this.ticker = new Ticker("pod-gc", EVERY, environment.timers(), this::collect);
  }

  @Override
  public String name() {
    return "pod-gc";
  }

  @Override
  public void start() {
    ticker.start();
  }

  @Override
  public void close() {
    ticker.close();
  }

  private void collect() {
    collectTerminated();
    var nodeless = new HashSet<String>();
    for (var pod : pods.all()) {
      var name = Pods.node(pod);
      if (name.isEmpty()) {
        if (Meta.isDeleting(pod)) {
          delete(pod, "");
        }
        continue;
      }
      var node = nodes.find(new Key("", name)).orElse(null);
      if (node == null) {
        nodeless.add(name);
        if (isGone(name)) {
          delete(pod, NODE_GONE);
        }
      } else if (Meta.isDeleting(pod)
          && hasOutOfService(node)
          && !Conditions.isTrue(node, "Ready")) {
        delete(pod, "");
      }
    }
    missing.keySet().retainAll(nodeless);
  }

  private void collectTerminated() {
    var terminated = new ArrayList<>(pods.all());
    terminated.removeIf(pod -> !PodPhase.isTerminal(pod));
    var surplus = terminated.size() - TERMINATED_KEPT;
    if (surplus <= 0) {
      return;
    }
    terminated.sort(
        Comparator.<Tree>comparingInt(
                pod -> pod.textOrEmpty("status", "reason").equals("Evicted") ? 0 : 1)
            .thenComparing(Meta::created)
            .thenComparing(Meta::name));
    terminated.subList(0, surplus).forEach(pod -> delete(pod, ""));
  }

  private boolean isGone(String node) {
    var now = environment.now();
    var since = missing.computeIfAbsent(node, _ -> now);
    if (since.plus(QUARANTINE).isAfter(now)) {
      return false;
    }
    try {
      environment.cluster().fetch(Resource.NODES, "", node);
      return false;
    } catch (ApiException e) {
      if (e.is("NotFound")) {
        return true;
      }
      throw e;
    }
  }

  private static boolean hasOutOfService(Tree node) {
    return Taints.of(node).stream()
        .anyMatch(taint -> taint.textOrEmpty("key").equals(Taints.OUT_OF_SERVICE));
  }

  /// A pod that cannot be deleted does not keep the others.
  private void delete(Tree pod, String why) {
    try {
      fail(pod, why);
      environment
          .cluster()
          .delete(
              Resource.PODS, Meta.namespace(pod), Meta.name(pod), DeleteOptions.now(Meta.uid(pod)));
    } catch (ApiException e) {
      if (!e.is("NotFound") && !e.is("Conflict")) {
        LOG.warn("{}: {}", Key.of(pod), e.getMessage());
      }
    }
  }

  /// Nobody else will say how it ended, and a pod with finalizers stays until it is known.
  private void fail(Tree pod, String why) {
    if (PodPhase.isTerminal(pod)) {
      return;
    }
    var status = pod.treeOrEmpty("status").copy();
    status.put("phase", "Failed").put("observedGeneration", Meta.generation(pod));
    if (why.equals(NODE_GONE)) {
      Conditions.set(
          status,
          Conditions.of("DisruptionTarget", "True", "DeletionByPodGC", why)
              .put("observedGeneration", Meta.generation(pod)),
          environment.timestamp());
    }
    environment
        .cluster()
        .update(Resource.PODS, "status", Tree.ofMap(pod.fields()).put("status", status));
  }
}
