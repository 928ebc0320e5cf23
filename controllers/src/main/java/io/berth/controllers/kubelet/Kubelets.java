package io.berth.controllers.kubelet;

import io.berth.api.ApiException;
import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Informer;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.Selector;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The kubelets of all simulated nodes.
///
/// Any Node object that no other kubelet looks after is taken over: its Lease is missing or carries
/// our mark. A few workers serve all nodes; a node is a [NodeAgent], not a thread.
public final class Kubelets implements Controller {

  private static final Duration STATUS_EVERY = Duration.ofMinutes(5);
  private static final Duration FOREIGN_LEASE = Duration.ofSeconds(40);
  private static final int NODE_WORKERS = 4;
  private static final int POD_WORKERS = 32;

  private final Environment environment;
  private final Selector adopts;
  private final NodeDefaults defaults;
  private final Cache nodes;
  private final Cache pods;
  private final Map<String, NodeAgent> agents = new ConcurrentHashMap<>();
  private final AddressPool nodeAddresses = new AddressPool("172.16.0.0", 1 << 20);
  private final AddressPool podAddresses = new AddressPool("10.128.0.0", 1 << 23);
  private final Heartbeats heartbeats;
  private final Loop nodeLoop;
  private final Loop podLoop;

  public Kubelets(
      Environment environment, Behaviour behaviour, NodeDefaults defaults, Selector adopts) {
    this.environment = environment;
    this.adopts = adopts;
    this.defaults = defaults;
    this.nodes = environment.informers().of(Resource.NODES);
    this.pods = environment.informers().of(Resource.PODS).indexed(Index.NODE);
    this.heartbeats = new Heartbeats(environment, agents);
    this.nodeLoop = new Loop("kubelets", NODE_WORKERS, environment.timers(), this::reconcileNode);
    var worker = new PodWorker(environment, behaviour, agents, podAddresses);
    this.podLoop = new Loop("kubelet-pods", POD_WORKERS, environment.timers(), worker);
    worker.runsOn(podLoop);
    nodes.onAny(node -> nodeLoop.add(Key.of(node)));
    pods.on(new PodHandler(worker));
  }

  @Override
  public String name() {
    return "kubelets";
  }

  @Override
  public void start() {
    nodes.all().forEach(this::claimAddress);
    pods.all().forEach(pod -> podAddresses.claim(pod.textOrEmpty("status", "podIP")));
    nodeLoop.start();
    podLoop.start();
    heartbeats.start();
  }

  @Override
  public void close() {
    nodeLoop.close();
    podLoop.close();
    heartbeats.close();
  }

  /// Whether this process runs pods on the node now.
  boolean isUp(String node) {
    var agent = agents.get(node);
    return agent != null && agent.isUp();
  }

  private void reconcileNode(Key key) {
    var node = nodes.find(key).orElse(null);
    if (node == null || Meta.isDeleting(node)) {
      agents.remove(key.name());
      return;
    }
    if (!adopts.matches(node)) {
      return;
    }
    var agent = agents.get(key.name());
    var returned = false;
    if (agent == null || !Meta.uid(agent.node()).equals(Meta.uid(node))) {
      if (hasOtherKubelet(node)) {
        nodeLoop.addRoutinely(key, FOREIGN_LEASE);
        return;
      }
      agent = adopt(node);
    } else {
      returned = agent.update(node);
    }
    if (agent.hasFailed()) {
      return;
    }
    report(node, returned);
    if (returned) {
      wakePods(key.name());
    }
  }

  /// Takes over a node, with what ran on it before.
  private NodeAgent adopt(Tree node) {
    var agent = new NodeAgent(node);
    for (var pod : pods.by(Index.NODE, Meta.name(node))) {
      if (!PodPhase.isTerminal(pod) && pod.text("status", "startTime") != null) {
        agent.recall(pod);
      }
    }
    agents.put(Meta.name(node), agent);
    heartbeats.begin(Meta.name(node));
    wakePods(Meta.name(node));
    scheduleStatus(Key.of(node));
    return agent;
  }

  private void wakePods(String node) {
    pods.by(Index.NODE, node).forEach(pod -> podLoop.add(Key.of(pod)));
  }

  /// Somebody else renews the Lease of the node.
  private boolean hasOtherKubelet(Tree node) {
    try {
      var lease =
          environment.cluster().fetch(Resource.LEASES, Heartbeats.NAMESPACE, Meta.name(node));
      if (Meta.annotation(lease, Heartbeats.MARK) != null) {
        return false;
      }
      var renewed = Meta.instant(lease, Instant.EPOCH, "spec", "renewTime");
      return renewed.plus(FOREIGN_LEASE).isAfter(environment.now());
    } catch (ApiException e) {
      if (e.is("NotFound")) {
        return false;
      }
      throw e;
    }
  }

  private void report(Tree node, boolean heartbeat) {
    if (label(node)) {
      return; // The change comes back here.
    }
    var status = NodeStatus.of(node, defaults, address(node), environment.timestamp(), heartbeat);
    if (!Trees.equivalent(status, node.get("status"))) {
      environment
          .cluster()
          .update(Resource.NODES, "status", Tree.ofMap(node.fields()).put("status", status));
    }
  }

  private void scheduleStatus(Key key) {
    environment
        .timers()
        .routinely(
            STATUS_EVERY,
            () -> {
              var agent = agents.get(key.name());
              if (agent == null) {
                return;
              }
              scheduleStatus(key);
              if (!agent.hasFailed()) {
                environment.crew().start("node-status", () -> renewStatus(key));
              }
            });
  }

  private void renewStatus(Key key) {
    try {
      nodes.find(key).ifPresent(node -> report(node, true));
    } catch (ApiException e) {
      nodeLoop.add(key);
    }
  }

  /// Adds the labels a kubelet sets; tells whether any was missing.
  private boolean label(Tree node) {
    var missing = new Tree();
    addMissing(node, missing, "kubernetes.io/hostname", Meta.name(node));
    addMissing(node, missing, "kubernetes.io/os", defaults.operatingSystem());
    addMissing(node, missing, "kubernetes.io/arch", defaults.architecture());
    if (missing.isEmpty()) {
      return false;
    }
    environment
        .cluster()
        .patch(
            Resource.NODES,
            "",
            Meta.name(node),
            null,
            PatchType.MERGE,
            Tree.of("metadata", Tree.of("labels", missing)));
    return true;
  }

  private static void addMissing(Tree node, Tree missing, String key, String value) {
    if (Meta.label(node, key) == null) {
      missing.put(key, value);
    }
  }

  private String address(Tree node) {
    return node.list("status", "addresses").isEmpty() ? nodeAddresses.take() : "";
  }

  private void claimAddress(Tree node) {
    for (var address : node.trees("status", "addresses")) {
      nodeAddresses.claim(address.textOrEmpty("address"));
    }
  }

  private final class PodHandler implements Informer.Handler {

    private final PodWorker worker;

    PodHandler(PodWorker worker) {
      this.worker = worker;
    }

    @Override
    public void changed(@Nullable Tree previous, Tree pod) {
      if (agents.containsKey(Pods.node(pod))) {
        podLoop.add(Key.of(pod));
      }
    }

    @Override
    public void removed(Tree pod) {
      worker.removed(pod);
    }
  }
}
