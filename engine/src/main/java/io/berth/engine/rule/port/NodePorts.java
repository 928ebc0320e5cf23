package io.berth.engine.rule.port;

import static io.berth.engine.rule.Verdict.FITS;

import io.berth.api.Container;
import io.berth.api.Pod;
import io.berth.engine.Cause;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.HostPorts;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Causes;
import io.berth.engine.rule.Causes.Why;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/// Keeps pods off nodes where a host port they want is taken.
public final class NodePorts implements FilterRule {

  static final Verdict TAKEN =
      Verdict.unschedulable("node(s) didn't have free ports for the requested pod ports");

  @Override
  public String name() {
    return "NodePorts";
  }

  @Override
  public Causes causesFor(Shape shape, ClusterModel cluster) {
    var wanted = shape.ports();
    var taken = Arrays.stream(wanted).map(this::taken).toArray(Cause[]::new);
    return node -> {
      var used = cluster.nodes().ports(node);
      var causes = new ArrayList<Cause>();
      for (int i = 0; used != null && i < wanted.length; i++) {
        if (used.conflictsWith(wanted[i])) {
          causes.add(taken[i]);
        }
      }
      return new Why(causes, null);
    };
  }

  private Cause taken(Container.Port port) {
    var wanted = "host port %d/%s on %s".formatted(port.hostPort(), port.protocol(), port.hostIp());
    return Cause.ofPod(name(), "spec.containers[*].ports[*].hostPort", wanted, "taken");
  }

  @Override
  public Set<Kind> wakes() {
    return EnumSet.of(Kind.ASSIGNED_POD_DELETE, Kind.NODE_ADD);
  }

  @Override
  public boolean helps(Pod pod, ClusterEvent event, ClusterModel cluster) {
    return event.kind() == Kind.NODE_ADD || frees(event.pod(), pod);
  }

  private static boolean frees(Pod gone, Pod waiting) {
    if (!ClusterEvent.isPlaced(gone)) {
      return false;
    }
    return conflict(HostPorts.of(gone.spec()), HostPorts.of(waiting.spec()));
  }

  private static boolean conflict(Container.Port[] some, Container.Port[] others) {
    for (var port : some) {
      for (var other : others) {
        if (HostPorts.conflict(port, other)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.PODS_ON_NODE);
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var wanted = shape.ports();
    if (wanted.length == 0) {
      return NodeTest.ALL;
    }
    var nodes = cluster.nodes();
    return new NodeTest() {
      @Override
      public Verdict verdict(int node) {
        var used = nodes.ports(node);
        for (int i = 0; used != null && i < wanted.length; i++) {
          if (used.conflictsWith(wanted[i])) {
            return TAKEN;
          }
        }
        return FITS;
      }

      @Override
      public double burden(Shape pod, int node) {
        return conflict(pod.ports(), wanted) ? ALONE : 0;
      }

      @Override
      public int facts() {
        return 0;
      }

      @Override
      public boolean readFacts(int node, long[] facts, int at) {
        return nodes.ports(node) == null;
      }
    };
  }
}
