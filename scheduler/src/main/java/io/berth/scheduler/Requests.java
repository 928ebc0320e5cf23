package io.berth.scheduler;

import io.berth.api.Container;
import io.berth.api.Pod;
import io.berth.api.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What pods ask for, as far as waking needs it: which resources, and whether an update asks less.
final class Requests {

  private Requests() {}

  static boolean shrank(Pod before, Pod after) {
    if (before.spec().equals(after.spec())) {
      return false;
    }
    var now = of(after);
    return of(before).entrySet().stream()
        .anyMatch(
            was -> now.getOrDefault(was.getKey(), BigDecimal.ZERO).compareTo(was.getValue()) < 0);
  }

  /// Whether `after` asks less than `before` of something that `waiting` asks for.
  static boolean shrankFor(Pod waiting, Pod before, Pod after) {
    var now = of(after);
    var wanted = of(waiting);
    return of(before).entrySet().stream()
        .filter(was -> wanted.containsKey(was.getKey()))
        .anyMatch(
            was -> now.getOrDefault(was.getKey(), BigDecimal.ZERO).compareTo(was.getValue()) < 0);
  }

  /// Sums by resource: containers and sidecars, at least the largest init container, overhead.
  static Map<String, BigDecimal> of(Pod pod) {
    var spec = pod.spec();
    var total = new HashMap<String, BigDecimal>();
    spec.containers().forEach(container -> add(total, container.requests()));
    var sidecars = new HashMap<String, BigDecimal>();
    var peak = new HashMap<String, BigDecimal>();
    for (Container init : spec.initContainers()) {
      if (init.sidecar()) {
        add(sidecars, init.requests());
        raise(peak, sidecars);
      } else {
        var here = new HashMap<>(sidecars);
        add(here, init.requests());
        raise(peak, here);
      }
    }
    sidecars.forEach((resource, amount) -> total.merge(resource, amount, BigDecimal::add));
    raise(total, peak);
    var whole = spec.podRequests();
    if (whole != null) {
      whole.forEach((resource, amount) -> total.put(resource, amount.amount()));
    }
    add(total, spec.overhead());
    total.values().removeIf(amount -> amount.signum() == 0);
    return total;
  }

  /// Whether the pod would fit on the node if nothing else ran there.
  static boolean fitEmpty(Pod pod, Map<String, Quantity> allocatable) {
    return of(pod).entrySet().stream()
        .allMatch(wanted ->
            allocatable
                    .getOrDefault(wanted.getKey(), Quantity.ZERO)
                    .amount()
                    .compareTo(wanted.getValue())
                >= 0);
  }

  /// Whether something that the pod asks for, or room for pods, grew.
  static boolean grewFor(Pod pod, Map<String, Quantity> before, Map<String, Quantity> after) {
    if (grew("pods", before, after)) {
      return true;
    }
    return of(pod).keySet().stream().anyMatch(resource -> grew(resource, before, after));
  }

  private static boolean grew(
      String resource, Map<String, Quantity> before, Map<String, Quantity> after) {
    return after
            .getOrDefault(resource, Quantity.ZERO)
            .amount()
            .compareTo(before.getOrDefault(resource, Quantity.ZERO).amount())
        > 0;
  }

  /// Host ports of containers and sidecars.
  static List<Container.Port> ports(Pod pod) {
    var ports = new java.util.ArrayList<Container.Port>();
    pod.spec().containers().forEach(container -> ports.addAll(container.ports()));
    pod.spec().initContainers().stream()
        .filter(Container::sidecar)
        .forEach(container -> ports.addAll(container.ports()));
    return ports;
  }

  private static void add(Map<String, BigDecimal> sums, Map<String, Quantity> requests) {
    requests.forEach((resource, amount) -> sums.merge(resource, amount.amount(), BigDecimal::add));
  }

  private static void raise(Map<String, BigDecimal> maxima, Map<String, BigDecimal> sums) {
    sums.forEach((resource, amount) -> maxima.merge(resource, amount, BigDecimal::max));
  }
}
