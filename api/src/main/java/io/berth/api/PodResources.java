package io.berth.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/// What a pod asks for and what it may use, added up from its containers.
///
/// Containers run side by side, init containers one after the other beside the sidecars started
/// before them; what the pod says as a whole replaces the sum, overhead comes on top.
///
/// Mirrors: component-helpers/resource.PodRequests, PodLimits, AggregateContainerRequests
public final class PodResources {

  private static final String REQUESTS = "requests";
  private static final String LIMITS = "limits";

  private PodResources() {}

  /// Of a pod's spec, with all that counts.
  public static Map<String, Quantity> requests(Tree spec) {
    var total = containerRequests(spec);
    replacePodLevel(total, ResourceList.read(spec.tree("resources", REQUESTS)));
    ResourceList.add(total, ResourceList.read(spec.tree("overhead")));
    return total;
  }

  public static Map<String, Quantity> requests(PodSpec spec) {
    var total = ofContainers(spec, Container::requests);
    var whole = spec.podRequests();
    if (whole != null) {
      replacePodLevel(total, whole);
    }
    ResourceList.add(total, spec.overhead());
    return total;
  }

  /// As in Kubernetes, overhead counts only where the pod is limited at all.
  public static Map<String, Quantity> limits(Tree spec) {
    var total = containerLimits(spec);
    replacePodLevel(total, ResourceList.read(spec.tree("resources", LIMITS)));
    var overhead = ResourceList.read(spec.tree("overhead"));
    overhead.keySet().removeIf(name -> total.getOrDefault(name, Quantity.ZERO).isZero());
    ResourceList.add(total, overhead);
    return total;
  }

  /// The containers alone, without what the pod says as a whole.
  public static Map<String, Quantity> containerRequests(Tree spec) {
    return ofContainers(spec, REQUESTS);
  }

  public static Map<String, Quantity> containerLimits(Tree spec) {
    return ofContainers(spec, LIMITS);
  }

  /// The same of whatever `amountsOf` says of each container.
  public static Map<String, Quantity> ofContainers(
      PodSpec spec, Function<Container, Map<String, Quantity>> amountsOf) {
    return sum(spec.containers(), spec.initContainers(), Container::sidecar, amountsOf);
  }

  private static Map<String, Quantity> ofContainers(Tree spec, String side) {
    return sum(
        spec.trees("containers"),
        spec.trees("initContainers"),
        PodResources::isSidecar,
        container -> ResourceList.read(container.tree("resources", side)));
  }

  private static boolean isSidecar(Tree initContainer) {
    return initContainer.textOrEmpty("restartPolicy").equals("Always");
  }

  private static <C> Map<String, Quantity> sum(
      List<C> containers,
      List<C> initContainers,
      Predicate<C> isSidecar,
      Function<C, Map<String, Quantity>> amountsOf) {
    var sum = new LinkedHashMap<String, Quantity>();
    for (var container : containers) {
      ResourceList.add(sum, amountsOf.apply(container));
    }
    var sidecars = new LinkedHashMap<String, Quantity>();
    var peak = new LinkedHashMap<String, Quantity>();
    for (var container : initContainers) {
      var amounts = amountsOf.apply(container);
      if (isSidecar.test(container)) {
        ResourceList.add(sum, amounts);
        ResourceList.add(sidecars, amounts);
        ResourceList.raise(peak, sidecars);
      } else {
        var during = new LinkedHashMap<>(amounts);
        ResourceList.add(during, sidecars);
        ResourceList.raise(peak, during);
      }
    }
    ResourceList.raise(sum, peak);
    return sum;
  }

  /// Puts what the pod asks for as a whole in the place of its containers' sum.
  public static void replacePodLevel(Map<String, Quantity> sums, Map<String, Quantity> whole) {
    whole.forEach((name, amount) -> {
      if (isPodLevel(name)) {
        sums.put(name, amount);
      }
    });
  }

  /// Whether a pod as a whole may ask for this resource.
  public static boolean isPodLevel(String name) {
    return name.equals("cpu") || name.equals("memory") || name.startsWith("hugepages-");
  }

  /// Whether the pod asks for anything, or is limited, as a whole.
  public static boolean isPodLevelSet(Tree spec) {
    return mentionsPodLevel(spec.treeOrEmpty("resources", REQUESTS))
        || mentionsPodLevel(spec.treeOrEmpty("resources", LIMITS));
  }

  private static boolean mentionsPodLevel(Tree list) {
    return list.names().stream().anyMatch(PodResources::isPodLevel);
  }
}
