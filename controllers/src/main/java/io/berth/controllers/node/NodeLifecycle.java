package io.berth.controllers.node;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.api.ZoneHealth;
import io.berth.cluster.Cluster.PatchType;
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
import io.berth.controllers.runtime.SlowStart;
import io.berth.controllers.runtime.Taints;
import io.berth.controllers.runtime.Ticker;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Notices nodes that fall silent, says so in their conditions, and taints them.
///
/// Silence is measured from when this process saw the last sign of life, not from times inside the
/// objects. Taints that evict pods come at a limited rate per zone, and not at all while every node
/// of every zone is silent: then the fault is more likely on this side.
public final class NodeLifecycle implements Controller {

  private static final Duration EVERY = Duration.ofSeconds(5);

  /// Two heartbeats missed: unless it is heard of, there will be something to do.
  private static final Duration DOUBT = Duration.ofSeconds(25);

  private static final Duration STARTUP_GRACE = Duration.ofSeconds(60);
  private static final List<String> REPORTED =
      List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");
  private static final int WORKERS = 8;

  private final Environment environment;
  private final Duration grace;
  private final Cache nodes;
  private final Cache leases;
  private final Cache pods;
  private final Events.Source events;
  private final Map<String, Health> healths = new HashMap<>();
  private final Map<String, Instant> lastEvicted = new HashMap<>();
  private final Set<String> unmarked = ConcurrentHashMap.newKeySet();
  private final Ticker ticker;
  private final Loop taints;
  private boolean allWereDown;

  public NodeLifecycle(Environment environment) {
    this(environment, Duration.ofSeconds(50));
  }

  /// `grace` is how long a node may be silent.
  public NodeLifecycle(Environment environment, Duration grace) {
    this.environment = environment;
    this.grace = grace;
    this.nodes = environment.informers().of(Resource.NODES);
    this.leases = environment.informers().of(Resource.LEASES);
    this.pods = environment.informers().of(Resource.PODS).indexed(Index.NODE);
    this.events = environment.events().from("node-controller");
    this.ticker = new Ticker("node-monitor", EVERY, environment.timers(), this::monitor);
    this.taints = new Loop("node-taints", WORKERS, environment.timers(), this::reconcileTaints);
    nodes.onAny(node -> taints.add(Key.of(node)));
  }

  @Override
  public String name() {
    return "node-lifecycle";
  }

  @Override
  public void start() {
    taints.start();
    ticker.start();
  }

  @Override
  public void close() {
    taints.close();
    ticker.close();
  }

  /// One look at all nodes; whether there is something to do at the next one. Runs on one thread,
  /// which owns [#healths] and [#lastEvicted].
  private boolean monitor() {
    var now = environment.now();
    var all = List.copyOf(nodes.all());
    forgetVanished(all);
    var silent = new ArrayList<Tree>();
    var zones = new ZoneHealth();
    var doubted = false;
    for (var node : all) {
      var health = observe(node, now);
      var isSilent = health.isSilent(now, grace);
      doubted |= !isSilent && health.isSilent(now, DOUBT);
      if (isSilent && !NodeTaints.ready(node).equals("Unknown")) {
        silent.add(node);
      } else if (isSilent && Conditions.find(node, "Ready") == null) {
        silent.add(node);
      }
      zones.count(zone(node), !isSilent && NodeTaints.ready(node).equals("True"));
    }
    markPodsLeftOver();
    SlowStart.all(environment.crew(), silent.size(), i -> markUnknown(silent.get(i)));
    var waiting = evict(all, zones, now);
    return doubted || waiting || !silent.isEmpty() || !unmarked.isEmpty();
  }

  private void forgetVanished(List<Tree> all) {
    var names = new HashSet<String>();
    all.forEach(node -> names.add(Meta.name(node)));
    healths.keySet().retainAll(names);
  }

  private Health observe(Tree node, Instant now) {
    var lease = leases.find(new Key("kube-node-lease", Meta.name(node))).orElse(null);
    var sign = (lease == null ? "" : lease.textOrEmpty("spec", "renewTime")) + heartbeat(node);
    var health = healths.get(Meta.name(node));
    if (health == null || !health.uid.equals(Meta.uid(node))) {
      health = new Health(Meta.uid(node), sign, now, sign.isEmpty());
      healths.put(Meta.name(node), health);
    } else if (!health.sign.equals(sign)) {
      health.sign = sign;
      health.seen = now;
      health.never = false;
    }
    return health;
  }

  private static String heartbeat(Tree node) {
    var ready = Conditions.find(node, "Ready");
    // Conditions this controller has written itself are no sign of life.
    return ready == null || ready.textOrEmpty("status").equals("Unknown")
        ? ""
        : ready.textOrEmpty("lastHeartbeatTime");
  }

  private void markUnknown(Tree node) {
    var status = node.treeOrEmpty("status").copy();
    var now = environment.timestamp();
    for (var type : REPORTED) {
      var known = Conditions.find(node, type);
      var condition =
          known == null
              ? Conditions.of(
                  type, "Unknown", "NodeStatusNeverUpdated", "Kubelet never posted node status.")
              : Conditions.of(
                  type, "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.");
      condition.put(
          "lastHeartbeatTime",
          known == null ? Meta.time(Meta.created(node)) : known.text("lastHeartbeatTime"));
      Conditions.set(status, condition, now);
    }
    try {
      environment
          .cluster()
          .update(Resource.NODES, "status", Tree.ofMap(node.fields()).put("status", status));
    } catch (ApiException e) {
      return; // Seen again at the next look.
    }
    if (Conditions.isTrue(node, "Ready")) {
      events.normal(
          Resource.NODES,
          node,
          "NodeNotReady",
          "Node %s status is now: NodeNotReady".formatted(Meta.name(node)));
      if (!markPodsNotReady(node)) {
        unmarked.add(Meta.name(node));
      }
    }
  }

  /// A pod that changes just then is marked at a later look: nobody else will say that it is not
  /// ready, and until then it is sent requests.
  private void markPodsLeftOver() {
    var names = List.copyOf(unmarked);
    SlowStart.all(
        environment.crew(),
        names.size(),
        i -> {
          var node = nodes.find(new Key("", names.get(i))).orElse(null);
          if (node == null || Conditions.isTrue(node, "Ready") || markPodsNotReady(node)) {
            unmarked.remove(names.get(i));
          }
        });
  }

  /// Whether all that were ready are marked.
  private boolean markPodsNotReady(Tree node) {
    var all = true;
    for (var pod : pods.by(Index.NODE, Meta.name(node))) {
      if (!Pods.isReady(pod)) {
        continue;
      }
      var status = pod.treeOrEmpty("status").copy();
      var ready = Conditions.of("Ready", "False", "", "");
      ready.put("lastProbeTime", null).put("observedGeneration", Meta.generation(pod));
      Conditions.set(status, ready, environment.timestamp());
      try {
        environment
            .cluster()
            .update(Resource.PODS, "status", Tree.ofMap(pod.fields()).put("status", status));
        events.warning(Resource.PODS, pod, "NodeNotReady", "Node is not ready");
      } catch (ApiException e) {
        all &= e.is("NotFound");
      }
    }
    return all;
  }

  /// Puts NoExecute taints on nodes that are not ready, as many as the zone's rate allows; whether
  /// some wait for their turn.
  private boolean evict(List<Tree> all, ZoneHealth zones, Instant now) {
    var allDown = zones.allDown();
    var waiting = false;
    if (allWereDown && !allDown) {
      // Whoever comes back first must not condemn the others.
      healths.values().forEach(health -> health.seen = now);
    }
    for (var node : all) {
      var ready = NodeTaints.ready(node);
      if (ready.equals("True") || allDown) {
        if (isEvicting(node)) {
          writeTaints(node, NodeTaints.withNoExecute(Taints.of(node), "True", ""));
        }
        continue;
      }
      var silent = healths.get(Meta.name(node));
      if (silent == null || Conditions.find(node, "Ready") == null || allWereDown) {
        waiting |= allWereDown;
        continue;
      }
      var wanted = NodeTaints.withNoExecute(Taints.of(node), ready, Meta.time(now));
      if (Trees.equivalent(wanted, Taints.of(node))) {
        continue;
      }
      if (isEvicting(node) || mayEvict(zone(node), zones, now)) {
        writeTaints(node, wanted);
      } else {
        waiting |= zones.perSecond(zone(node)) > 0;
      }
    }
    allWereDown = allDown;
    return waiting;
  }

  private static boolean isEvicting(Tree node) {
    return Taints.has(node, Taints.NOT_READY, "NoExecute")
        || Taints.has(node, Taints.UNREACHABLE, "NoExecute");
  }

  /// A token per 1/rate seconds and zone, at most one saved up.
  private boolean mayEvict(String zone, ZoneHealth zones, Instant now) {
    var perSecond = zones.perSecond(zone);
    if (perSecond <= 0) {
      return false;
    }
    var last = lastEvicted.get(zone);
    var pause = Duration.ofMillis((long) (1000 / perSecond));
    if (last != null && last.plus(pause).isAfter(now)) {
      return false;
    }
    lastEvicted.put(zone, now);
    return true;
  }

  private void reconcileTaints(Key key) {
    var node = nodes.find(key).orElse(null);
    if (node == null || Meta.isDeleting(node)) {
      return;
    }
    label(node);
    var wanted = NodeTaints.noSchedule(node, environment.timestamp());
    if (NodeTaints.ready(node).equals("True")) {
      wanted = NodeTaints.withNoExecute(wanted, "True", "");
    }
    if (!Trees.equivalent(wanted, Taints.of(node))) {
      writeTaints(node, wanted);
    }
  }

  /// The labels' old names, for those who still select by them.
  private void label(Tree node) {
    var missing = new Tree();
    for (var name : List.of("os", "arch")) {
      var value = Meta.label(node, "kubernetes.io/" + name);
      if (value != null && !value.equals(Meta.label(node, "beta.kubernetes.io/" + name))) {
        missing.put("beta.kubernetes.io/" + name, value);
      }
    }
    if (!missing.isEmpty()) {
      patch(node, Tree.of("metadata", Tree.of("labels", missing)));
    }
  }

  private void writeTaints(Tree node, List<Tree> wanted) {
    patch(
        node,
        Tree.of(
            "metadata",
            Tree.of("resourceVersion", Meta.revision(node)),
            "spec",
            Tree.of("taints", wanted.isEmpty() ? null : wanted)));
  }

  private void patch(Tree node, Tree patch) {
    try {
      environment
          .cluster()
          .patch(Resource.NODES, "", Meta.name(node), null, PatchType.MERGE, patch);
    } catch (ApiException e) {
      if (!e.is("NotFound") && !e.is("Conflict")) {
        throw e;
      }
      taints.addAfter(Key.of(node), Duration.ofMillis(20));
    }
  }

  private static String zone(Tree node) {
    var region = Meta.label(node, "topology.kubernetes.io/region");
    var zone = Meta.label(node, "topology.kubernetes.io/zone");
    return text(region) + ":" + text(zone);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  /// When a node last gave a sign of life, by our clock.
  private static final class Health {
    private final String uid;
    private String sign;
    private Instant seen;
    private boolean never;

    Health(String uid, String sign, Instant seen, boolean never) {
      this.uid = uid;
      this.sign = sign;
      this.seen = seen;
      this.never = never;
    }

    boolean isSilent(Instant now, Duration grace) {
      return seen.plus(never ? STARTUP_GRACE : grace).isBefore(now);
    }
  }
}
