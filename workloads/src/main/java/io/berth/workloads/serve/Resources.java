package io.berth.workloads.serve;

import io.berth.api.PodPhase;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.workloads.org.Usage;
import io.berth.workloads.submit.Gpus;
import io.berth.workloads.submit.PodRoles;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Amounts of resources as the API shows them.
final class Resources {

  private Resources() {}

  /// What one pod of a specification asks for, `count` times.
  static Tree requested(Tree compute, int count) {
    var gpus = Gpus.of(compute);
    var memory =
        gpus.memory().isEmpty()
            ? null
            : Tree.of("request", gpus.memory(), "limit", compute.text("gpuMemoryLimit"));
    return Tree.of(
        "gpuRequestType", gpus.memory().isEmpty() ? "portion" : "memory",
        "gpu", Tree.of("request", gpus.amount() * count, "limit", limit(compute, gpus) * count),
        "gpuMemory", memory,
        "cpu",
            Tree.of(
                "request",
                times(compute.get("cpuCoreRequest"), count),
                "limit",
                compute.get("cpuCoreLimit") == null
                    ? null
                    : times(compute.get("cpuCoreLimit"), count)),
        "cpuMemory",
            Tree.of(
                "request",
                bytes(compute.text("cpuMemoryRequest"), count),
                "limit",
                compute.text("cpuMemoryLimit") == null
                    ? null
                    : bytes(compute.text("cpuMemoryLimit"), count)),
        "extendedResources", extended(compute));
  }

  /// What all pods of a workload ask for.
  static Tree requested(PodRoles roles) {
    var sum = new Tree();
    for (var role : roles.all()) {
      var each = requested(role.spec().treeOrEmpty("compute"), role.count());
      sum = sum.isEmpty() ? each : plus(sum, each);
    }
    return sum;
  }

  private static Tree plus(Tree a, Tree b) {
    var sum = a.copy();
    for (var resource : List.of("gpu", "cpu")) {
      for (var bound : List.of("request", "limit")) {
        sum.child(resource).put(bound, plus(a.at(resource, bound), b.at(resource, bound)));
      }
    }
    for (var bound : List.of("request", "limit")) {
      var one = a.text("cpuMemory", bound);
      var other = b.text("cpuMemory", bound);
      sum.child("cpuMemory").put(bound, one == null || other == null ? null : plus(one, other));
    }
    return sum;
  }

  /// Without a limit on one side there is none on both together.
  private static @Nullable Object plus(@Nullable Object a, @Nullable Object b) {
    return a instanceof Number one && b instanceof Number other
        ? one.doubleValue() + other.doubleValue()
        : null;
  }

  private static String plus(String a, String b) {
    var one = Quantity.parse(a);
    return new Quantity(one.amount().add(Quantity.parse(b).amount()), one.format()).toString();
  }

  /// GPUs that one pod asks for.
  static double gpus(Tree compute) {
    return Gpus.of(compute).amount();
  }

  private static double limit(Tree compute, Gpus gpus) {
    return compute.get("gpuPortionLimit") instanceof Number limit
        ? limit.doubleValue() * gpus.devices()
        : gpus.amount();
  }

  private static double times(@Nullable Object value, int count) {
    return value instanceof Number number ? number.doubleValue() * count : 0;
  }

  private static String bytes(@Nullable String quantity, int count) {
    if (quantity == null) {
      return "0";
    }
    var parsed = Quantity.parse(quantity);
    return count == 1
        ? quantity
        : new Quantity(
                parsed.amount().multiply(java.math.BigDecimal.valueOf(count)), parsed.format())
            .toString();
  }

  private static List<Object> extended(Tree compute) {
    var resources = new ArrayList<Object>();
    for (var resource : compute.trees("extendedResources")) {
      resources.add(
          Tree.of(
              "resource", resource.text("resource"),
              "quantity", resource.text("quantity"),
              "request", resource.text("quantity")));
    }
    return resources;
  }

  /// What bound pods hold.
  static Tree allocated(List<Tree> pods) {
    var total = Usage.Amount.ZERO;
    for (var pod : pods) {
      if (!pod.textOrEmpty("spec", "nodeName").isEmpty() && !PodPhase.isTerminal(pod)) {
        total = total.plus(Usage.amountOf(pod));
      }
    }
    return Tree.of(
        "gpu",
        total.gpu(),
        "gpuMemory",
        "0",
        "cpu",
        total.cpu() / 1000,
        "cpuMemory",
        Long.toString((long) total.memory()),
        "extendedResources",
        new ArrayList<>());
  }
}
