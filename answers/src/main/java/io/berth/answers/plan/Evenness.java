package io.berth.answers.plan;

import io.berth.api.LabelSelector;
import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.TopologySpreadConstraint;
import io.berth.engine.rule.NodeMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// How evenly pods are spread, for every constraint that some pod has, and for every owner by zone:
/// most minus least pods, over the domains its pods may use.
///
/// Counts are kept: a pod that comes or goes changes those of the constraints that mean it.
final class Evenness {

  private final List<Count> counts = new ArrayList<>();
  private final int declared;

  Evenness(ImaginedCluster cluster) {
    var seen = new LinkedHashMap<List<Object>, Count>();
    for (var pod : cluster.pods()) {
      if (!pod.leftOver()) {
        for (var constraint : pod.pod().spec().topologySpreadConstraints()) {
          var key = key(pod.pod(), constraint);
          var selector = constraint.labelSelector();
          if (selector != null && !seen.containsKey(key)) {
            var meant = meant(pod.pod().namespace(), selector);
            seen.put(key, new Count(pod.pod(), constraint.topologyKey(), meant, cluster));
          }
        }
      }
    }
    counts.addAll(seen.values());
    declared = counts.size();
    addOwners(cluster);
    for (var pod : cluster.pods()) {
      if (!pod.isWaiting() && !pod.leftOver()) {
        change(pod.pod(), pod.node(), 1);
      }
    }
  }

  private void addOwners(ImaginedCluster cluster) {
    var seen = new HashSet<List<Object>>();
    for (var pod : cluster.pods()) {
      var owner = pod.pod().controller();
      if (owner != null
          && pod.isRemade()
          && !pod.leftOver()
          && seen.add(List.of(pod.pod().namespace(), owner))) {
        var namespace = pod.pod().namespace();
        Predicate<Pod> meant =
            other -> other.namespace().equals(namespace) && owner.equals(other.controller());
        counts.add(new Count(pod.pod(), NodeChoice.ZONE, meant, cluster));
      }
    }
  }

  private static Predicate<Pod> meant(String namespace, LabelSelector selector) {
    return pod -> pod.namespace().equals(namespace) && selector.matches(pod.labels());
  }

  private static List<Object> key(Pod pod, TopologySpreadConstraint constraint) {
    return List.of(
        pod.namespace(),
        constraint,
        pod.spec().nodeSelector(),
        String.valueOf(pod.spec().nodeAffinity().required()));
  }

  void change(Pod pod, String node, int by) {
    for (var count : counts) {
      count.change(pod, node, by);
    }
  }

  /// Those of constraints, together.
  int declared(int[] skews) {
    int sum = 0;
    for (int i = 0; i < declared; i++) {
      sum += skews[i];
    }
    return sum;
  }

  /// The skew of each constraint and owner, always in the same order.
  int[] skews() {
    var skews = new int[counts.size()];
    for (int i = 0; i < skews.length; i++) {
      skews[i] = counts.get(i).skew();
    }
    return skews;
  }

  private static final class Count {
    private final Predicate<Pod> meant;
    private final Map<String, String> domainOf = new HashMap<>();
    private final Map<String, Integer> pods = new HashMap<>();

    Count(Pod owner, String key, Predicate<Pod> meant, ImaginedCluster cluster) {
      this.meant = meant;
      var matcher = NodeMatcher.required(owner.spec());
      for (var node : cluster.nodes()) {
        var domain = domain(node, key);
        if (domain != null && matcher.matches(node) && ChangedNodes.isReady(node)) {
          domainOf.put(node.name(), domain);
          pods.put(domain, 0);
        }
      }
    }

    private static @Nullable String domain(Node node, String key) {
      return node.labels().get(key);
    }

    void change(Pod pod, String node, int by) {
      var domain = domainOf.get(node);
      if (domain != null && meant.test(pod)) {
        pods.merge(domain, by, Integer::sum);
      }
    }

    int skew() {
      int most = 0;
      int least = Integer.MAX_VALUE;
      for (int count : pods.values()) {
        most = Math.max(most, count);
        least = Math.min(least, count);
      }
      return pods.isEmpty() ? 0 : most - least;
    }
  }
}
