package io.berth.controllers.kubelet;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Renews the Lease of every node that is up: every ten seconds, and never all at once.
///
/// One timer per node on the shared heap, and a few workers that write; a node that fails keeps its
/// timer and writes nothing.
final class Heartbeats {

  static final String NAMESPACE = "kube-node-lease";
  static final String MARK = "berth.io/kubelet";
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final int LEASE_SECONDS = 40;
  private static final int WORKERS = 16;

  private final Environment environment;
  private final Map<String, NodeAgent> agents;
  private final Loop loop;
  // On the clock of the timers: one on the wall may be set back, and no beat would be due again.
  private final Map<String, Long> dueNanos = new ConcurrentHashMap<>();

  Heartbeats(Environment environment, Map<String, NodeAgent> agents) {
    this.environment = environment;
    this.agents = agents;
    this.loop = new Loop("heartbeats", WORKERS, environment.timers(), this::beat);
  }

  void start() {
    loop.start();
  }

  void close() {
    loop.close();
  }

  /// Begins with a node's first heartbeat, at once.
  void begin(String node) {
    dueNanos.put(node, environment.timers().nanos());
    loop.add(new Key("", node));
  }

  private void beat(Key key) {
    var agent = agents.get(key.name());
    if (agent == null) {
      dueNanos.remove(key.name());
      return;
    }
    long now = environment.timers().nanos();
    if (dueNanos.getOrDefault(key.name(), now) - now > 0) {
      return; // The timer is still running; this call came from elsewhere.
    }
    if (!agent.hasFailed()) {
      renew(agent);
    }
    var pause = jittered(key.name());
    dueNanos.put(key.name(), now + pause.toNanos());
    loop.addRoutinely(key, pause);
  }

  private void renew(NodeAgent agent) {
    var known = agent.lease();
    try {
      var lease = known == null ? fetchOrCreate(agent) : known;
      var renewed = lease.copy();
      renewed.child("spec").put("renewTime", Meta.microTime(environment.now()));
      agent.lease(environment.cluster().update(Resource.LEASES, null, renewed));
    } catch (ApiException e) {
      agent.lease(null);
      throw e;
    }
  }

  private Tree fetchOrCreate(NodeAgent agent) {
    var name = Meta.name(agent.node());
    try {
      return environment.cluster().fetch(Resource.LEASES, NAMESPACE, name);
    } catch (ApiException e) {
      if (!e.is("NotFound")) {
        throw e;
      }
    }
    var owner =
        Tree.of("apiVersion", "v1", "kind", "Node", "name", name)
            .put("uid", Meta.uid(agent.node()));
    var metadata =
        Tree.of("name", name, "namespace", NAMESPACE)
            .put("annotations", Tree.of(MARK, "simulated"))
            .put("ownerReferences", List.of(owner));
    var spec =
        Tree.of("holderIdentity", name, "leaseDurationSeconds", LEASE_SECONDS)
            .put("renewTime", Meta.microTime(environment.now()));
    return environment
        .cluster()
        .create(
            Resource.LEASES,
            Tree.of("apiVersion", "coordination.k8s.io/v1", "kind", "Lease")
                .put("metadata", metadata)
                .put("spec", spec));
  }

  /// ±4 %, by name, so that nodes spread and runs repeat.
  private Duration jittered(String node) {
    var spread = Math.floorMod(node.hashCode() * 0x9E3779B9, 800);
    return EVERY.plusMillis(spread - 400);
  }
}
