package io.berth.engine.model;

import io.berth.api.Container;
import io.berth.api.PodResources;
import io.berth.api.PodSpec;
import io.berth.api.PodStatus;
import io.berth.api.Quantity;
import io.berth.api.ResourceList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Adds up what the containers of a pod ask for.
///
/// Containers run side by side, init containers one after the other beside the sidecars started
/// before them; pod-level requests replace the sum, overhead comes on top.
public final class PodRequests {

  public static final Quantity DEFAULT_CPU = Quantity.ofMillis(100);
  public static final Quantity DEFAULT_MEMORY = Quantity.of(200L * 1024 * 1024);

  private final PodSpec spec;
  private final PodStatus status;

  private PodRequests(PodSpec spec, PodStatus status) {
    this.spec = spec;
    this.status = status;
  }

  /// Of a pod that is to be placed: its spec alone counts.
  static Requests incoming(PodSpec spec, ResourceNames names) {
    var pod = new PodRequests(spec, PodStatus.NONE);
    return convert(pod.total(false, true, Map.of()), pod.nonZero(false), names);
  }

  /// Of a pod on a node, where a resize may be under way.
  static Requests running(PodSpec spec, PodStatus status, ResourceNames names) {
    var pod = new PodRequests(spec, status);
    return convert(pod.total(true, true, Map.of()), pod.nonZero(true), names);
  }

  /// As in Kubernetes 1.37, scoring by NodeResourcesFit overlooks the pod-level requests.
  public static Map<String, Quantity> forFitScore(PodSpec spec) {
    return new PodRequests(spec, PodStatus.NONE)
        .total(false, false, Map.of("cpu", DEFAULT_CPU, "memory", DEFAULT_MEMORY));
  }

  private Map<String, Quantity> nonZero(boolean onNode) {
    var plain = total(onNode, true, Map.of());
    var defaults = new HashMap<>(Map.of("cpu", DEFAULT_CPU, "memory", DEFAULT_MEMORY));
    if (hasPodLevel()) {
      defaults.keySet().removeAll(plain.keySet());
    }
    return total(onNode, true, defaults);
  }

  private Map<String, Quantity> total(
      boolean onNode, boolean withPodLevel, Map<String, Quantity> defaults) {
    var total = onNode ? onNode(defaults) : containers(Container::requests, defaults);
    if (withPodLevel && hasPodLevel() && spec.podRequests() != null) {
      var effective = onNode ? podLevelOnNode(spec.podRequests()) : spec.podRequests();
      PodResources.replacePodLevel(total, effective);
    }
    ResourceList.add(total, spec.overhead());
    return total;
  }

  private Map<String, Quantity> onNode(Map<String, Quantity> defaults) {
    Map<String, Quantity> result;
    if (status.allocatedResources() != null && status.actualRequests() != null) {
      result = new HashMap<>(status.allocatedResources());
      ResourceList.raise(result, status.actualRequests());
    } else {
      result = containers(this::allocated, defaults);
      ResourceList.raise(result, containers(this::actual, defaults));
    }
    if (!status.resizeInfeasible()) {
      ResourceList.raise(result, containers(Container::requests, defaults));
    }
    return result;
  }

  private Map<String, Quantity> podLevelOnNode(Map<String, Quantity> requests) {
    if (status.actualRequests() == null) {
      return requests;
    }
    var effective =
        status.resizeInfeasible() ? new HashMap<String, Quantity>() : new HashMap<>(requests);
    ResourceList.raise(effective, status.actualRequests());
    if (status.allocatedResources() != null) {
      ResourceList.raise(effective, status.allocatedResources());
    }
    return effective;
  }

  private Map<String, Quantity> allocated(Container container) {
    var found = statusOf(container);
    if (found != null && found.allocated() != null) {
      return found.allocated();
    }
    return status.resizeInfeasible() ? Map.of() : container.requests();
  }

  private Map<String, Quantity> actual(Container container) {
    var found = statusOf(container);
    return found != null && found.actual() != null ? found.actual() : allocated(container);
  }

  private PodStatus.@Nullable ContainerStatus statusOf(Container container) {
    for (var each : status.containerStatuses()) {
      if (each.name().equals(container.name())) {
        return each;
      }
    }
    return null;
  }

  private Map<String, Quantity> containers(
      Function<Container, Map<String, Quantity>> requestsOf, Map<String, Quantity> defaults) {
    return PodResources.ofContainers(
        spec, container -> completed(requestsOf.apply(container), defaults));
  }

  private static Map<String, Quantity> completed(
      Map<String, Quantity> requests, Map<String, Quantity> defaults) {
    if (defaults.isEmpty()) {
      return requests;
    }
    var completed = new HashMap<>(defaults);
    completed.putAll(requests);
    return completed;
  }

  private boolean hasPodLevel() {
    var requests = spec.podRequests();
    if (requests != null) {
      for (var name : requests.keySet()) {
        if (PodResources.isPodLevel(name)) {
          return true;
        }
      }
    }
    return false;
  }

  private static Requests convert(
      Map<String, Quantity> total, Map<String, Quantity> nonZero, ResourceNames names) {
    var scalarNames = new ArrayList<String>();
    for (var name : total.keySet()) {
      if (ResourceNames.isScalar(name)) {
        scalarNames.add(name);
      }
    }
    scalarNames.sort(null);
    return new Requests(
        total.getOrDefault("cpu", Quantity.ZERO).milliValue(),
        total.getOrDefault("memory", Quantity.ZERO).value(),
        total.getOrDefault("ephemeral-storage", Quantity.ZERO).value(),
        nonZero.getOrDefault("cpu", Quantity.ZERO).milliValue(),
        nonZero.getOrDefault("memory", Quantity.ZERO).value(),
        scalarNames.stream().mapToInt(names::idOf).toArray(),
        amounts(total, scalarNames));
  }

  private static long[] amounts(Map<String, Quantity> total, List<String> names) {
    var amounts = new long[names.size()];
    for (int i = 0; i < amounts.length; i++) {
      amounts[i] = total.getOrDefault(names.get(i), Quantity.ZERO).value();
    }
    return amounts;
  }
}
