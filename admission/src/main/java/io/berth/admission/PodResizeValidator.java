package io.berth.admission;

import static io.berth.api.Resource.NODES;
import static io.berth.api.Resource.PODS;

import io.berth.api.ApiException;
import io.berth.api.PodResources;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Refuses a resize to more than the pod's node has in all, and on nodes that cannot resize.
///
/// Mirrors: plugin/pkg/admission/podresize.Plugin
final class PodResizeValidator implements AdmissionPlugin {

  @Override
  public String name() {
    return "PodResizeValidator";
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (!request.isFor(PODS, "resize") || !request.is(Operation.UPDATE)) {
      return;
    }
    var pod = request.object();
    var nodeName = pod.textOrEmpty("spec", "nodeName");
    boolean unchanged =
        pod.number(0, "metadata", "generation")
            == request.oldObject().number(0, "metadata", "generation");
    if (nodeName.isEmpty() || unchanged) {
      return;
    }
    var node = lookup.find(NODES, "", nodeName);
    if (node == null) {
      throw request.forbidden("node \"%s\" not found".formatted(nodeName));
    }
    var system = node.text("metadata", "labels", "kubernetes.io/os");
    if (system != null && !system.equals("linux")) {
      throw refusal(
          request,
          "pod resize is only supported on linux nodes, node \"%s\" is \"%s\""
              .formatted(nodeName, system),
          "UnsupportedPlatform");
    }
    checkAllocatable(request, pod, node);
  }

  private static void checkAllocatable(Attributes request, Tree pod, Tree node) {
    var requests = PodResources.requests(pod.treeOrEmpty("spec"));
    var cpu = requests.getOrDefault("cpu", Quantity.ZERO);
    var memory = requests.getOrDefault("memory", Quantity.ZERO);
    var cpuAllocatable = allocatable(node, "cpu");
    var memoryAllocatable = allocatable(node, "memory");
    var excess = new ArrayList<String>();
    if (cpu.compareTo(cpuAllocatable) > 0) {
      excess.add(
          "cpu, requested: %d, allocatable: %d"
              .formatted(cpu.milliValue(), cpuAllocatable.milliValue()));
    }
    if (memory.compareTo(memoryAllocatable) > 0) {
      excess.add(
          "memory, requested: %d, allocatable: %d"
              .formatted(memory.value(), memoryAllocatable.value()));
    }
    if (!excess.isEmpty()) {
      throw refusal(
          request,
          "node didn't have enough allocatable resources: " + String.join("; ", excess),
          "NodeCapacity");
    }
  }

  /// Refuses with a cause, by which clients tell a small node from one that cannot do it.
  private static ApiException refusal(Attributes request, String why, String cause) {
    var refusal = request.forbidden(why);
    return new ApiException(
        refusal.code(),
        refusal.reason(),
        Objects.requireNonNull(refusal.getMessage()),
        ApiException.withCauses(
            Objects.requireNonNull(refusal.details()), List.of(Tree.of("reason", cause))));
  }

  private static Quantity allocatable(Tree node, String resource) {
    var text = node.text("status", "allocatable", resource);
    return text == null ? Quantity.ZERO : Quantity.parse(text);
  }
}
