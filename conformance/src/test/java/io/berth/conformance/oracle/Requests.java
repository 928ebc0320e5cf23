package io.berth.conformance.oracle;

import io.berth.api.Tree;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a pod asks for: the sums and maxima over its containers.
final class Requests {

  private static final Map<String, BigDecimal> DEFAULTS =
      Map.of("cpu", new BigDecimal("0.1"), "memory", new BigDecimal(200 * 1024 * 1024));

  private final Tree pod;
  private final boolean infeasible;

  Requests(Tree pod) {
    this.pod = pod;
    this.infeasible =
        pod.trees("status", "conditions").stream()
            .filter(each -> each.textOrEmpty("type").equals("PodResizePending"))
            .limit(1)
            .anyMatch(each -> each.textOrEmpty("reason").equals("Infeasible"));
  }

  /// Where a container's numbers come from.
  private enum Source {
    SPEC,
    ALLOCATED,
    ACTUAL
  }

  /// What the pending pod asks for: its spec alone.
  Map<String, Long> incoming() {
    return amounts(total(containers(Source.SPEC, Map.of()), true));
  }

  /// What the Fit scorer takes the pending pod to ask for: with the defaults for containers that do
  /// not say, and blind to pod-level requests.
  Map<String, Long> incomingForFit() {
    return amounts(total(containers(Source.SPEC, DEFAULTS), false));
  }

  /// What the pod takes on its node: the largest of asked, allocated and actual.
  Map<String, Long> onNode() {
    return amounts(total(running(Map.of()), true));
  }

  /// As [#onNode()], with the defaults that scoring assumes.
  Map<String, Long> onNodeNonZero() {
    var plain = total(running(Map.of()), true);
    var defaults = new HashMap<>(DEFAULTS);
    if (podLevelSet()) {
      defaults.keySet().removeAll(plain.keySet());
    }
    return amounts(total(running(defaults), true));
  }

  private Map<String, BigDecimal> running(Map<String, BigDecimal> defaults) {
    var allocated = pod.tree("status", "allocatedResources");
    var actual = pod.tree("status", "resources", "requests");
    var most = new HashMap<String, BigDecimal>();
    if (!infeasible) {
      raise(most, containers(Source.SPEC, defaults));
    }
    if (allocated != null && actual != null) {
      raise(most, list(allocated));
      raise(most, list(actual));
    } else {
      raise(most, containers(Source.ALLOCATED, defaults));
      raise(most, containers(Source.ACTUAL, defaults));
    }
    return most;
  }

  /// max(containers + sidecars, each init container with the sidecars before it).
  private Map<String, BigDecimal> containers(Source source, Map<String, BigDecimal> defaults) {
    var sum = new HashMap<String, BigDecimal>();
    for (var container : pod.trees("spec", "containers")) {
      add(sum, container(container, source, defaults));
    }
    var sidecars = new HashMap<String, BigDecimal>();
    var initial = new HashMap<String, BigDecimal>();
    for (var container : pod.trees("spec", "initContainers")) {
      var own = container(container, source, defaults);
      if (container.textOrEmpty("restartPolicy").equals("Always")) {
        add(sum, own);
        add(sidecars, own);
        raise(initial, sidecars);
      } else {
        var together = new HashMap<>(own);
        add(together, sidecars);
        raise(initial, together);
      }
    }
    raise(sum, initial);
    return sum;
  }

  private Map<String, BigDecimal> container(
      Tree container, Source source, Map<String, BigDecimal> defaults) {
    var requests = new HashMap<>(reported(container, source));
    defaults.forEach(requests::putIfAbsent);
    return requests;
  }

  private Map<String, BigDecimal> reported(Tree container, Source source) {
    var spec = list(container.treeOrEmpty("resources", "requests"));
    if (source == Source.SPEC) {
      return spec;
    }
    var status = status(container.textOrEmpty("name"));
    if (status != null) {
      var actual = status.tree("resources", "requests");
      if (source == Source.ACTUAL && actual != null) {
        return list(actual);
      }
      var allocated = status.tree("allocatedResources");
      if (allocated != null) {
        return list(allocated);
      }
    }
    return infeasible ? Map.of() : spec;
  }

  private @Nullable Tree status(String container) {
    for (var field : new String[] {"containerStatuses", "initContainerStatuses"}) {
      for (var status : pod.trees("status", field)) {
        if (status.textOrEmpty("name").equals(container)) {
          return status;
        }
      }
    }
    return null;
  }

  private Map<String, BigDecimal> total(Map<String, BigDecimal> containers, boolean podLevel) {
    var total = new HashMap<>(containers);
    if (podLevel && podLevelSet()) {
      podLevel()
          .forEach((name, amount) -> {
            if (isPodLevel(name)) {
              total.put(name, amount);
            }
          });
    }
    add(total, list(pod.treeOrEmpty("spec", "overhead")));
    return total;
  }

  private boolean podLevelSet() {
    return pod.treeOrEmpty("spec", "resources", "requests").names().stream()
        .anyMatch(Requests::isPodLevel);
  }

  private Map<String, BigDecimal> podLevel() {
    var spec = list(pod.treeOrEmpty("spec", "resources", "requests"));
    var status = pod.tree("status", "resources");
    if (status == null) {
      return spec;
    }
    var most = new HashMap<String, BigDecimal>();
    if (!infeasible) {
      raise(most, spec);
    }
    raise(most, list(status.treeOrEmpty("requests")));
    raise(most, list(pod.treeOrEmpty("status", "allocatedResources")));
    return most;
  }

  private static boolean isPodLevel(String resource) {
    return resource.equals("cpu") || resource.equals("memory") || resource.startsWith("hugepages-");
  }

  static Map<String, BigDecimal> list(Tree quantities) {
    var list = new HashMap<String, BigDecimal>();
    quantities
        .fields()
        .forEach((name, amount) -> {
          if (amount != null) {
            list.put(name, Quantities.parse(amount));
          }
        });
    return list;
  }

  /// Whole units, rounded up; cpu in thousandths.
  static Map<String, Long> amounts(Map<String, BigDecimal> list) {
    var amounts = new HashMap<String, Long>();
    list.forEach((name, amount) ->
        amounts.put(
            name, name.equals("cpu") ? Quantities.milliValue(amount) : Quantities.value(amount)));
    return amounts;
  }

  /// Whether a resource beside cpu, memory and ephemeral-storage is counted at all.
  static boolean isScalar(String name) {
    return name.startsWith("hugepages-")
        || name.startsWith("attachable-volumes-")
        || name.contains("kubernetes.io/")
        || isExtended(name);
  }

  static boolean isExtended(String name) {
    return name.contains("/") && !name.contains("kubernetes.io/") && !name.startsWith("requests.");
  }

  private static void add(Map<String, BigDecimal> to, Map<String, BigDecimal> more) {
    more.forEach((name, amount) -> to.merge(name, amount, BigDecimal::add));
  }

  private static void raise(Map<String, BigDecimal> to, Map<String, BigDecimal> other) {
    other.forEach((name, amount) -> to.merge(name, amount, BigDecimal::max));
  }
}
