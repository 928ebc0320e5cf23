package io.berth.admission;

import static io.berth.api.Resource.NODES;
import static io.berth.api.Resource.PODS;

import io.berth.admission.quota.PodResources;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.ArrayList;

/// Refuses a resize to more than the pod's node has in all.
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
    checkAllocatable(request, pod, node);
    var system = node.textOrEmpty("metadata", "labels", "kubernetes.io/os");
    if (!system.equals("linux")) {
      throw request.forbidden(
          "pod resize is only supported on linux nodes, node \"%s\" is \"%s\""
              .formatted(nodeName, system));
    }
  }

  private static void checkAllocatable(Attributes request, Tree pod, Tree node) {
    var requests = PodResources.requests(pod);
    long cpu = requests.getOrDefault("cpu", Quantity.ZERO).milliValue();
    long memory = requests.getOrDefault("memory", Quantity.ZERO).value();
    long cpuAllocatable = allocatable(node, "cpu").milliValue();
    long memoryAllocatable = allocatable(node, "memory").value();
    var excess = new ArrayList<String>();
    if (cpu > cpuAllocatable) {
      excess.add("cpu, requested: %d, allocatable: %d".formatted(cpu, cpuAllocatable));
    }
    if (memory > memoryAllocatable) {
      excess.add("memory, requested: %d, allocatable: %d".formatted(memory, memoryAllocatable));
    }
    if (!excess.isEmpty()) {
      throw request.forbidden(
          "Node didn't have enough allocatable resources: " + String.join("; ", excess));
    }
  }

  private static Quantity allocatable(Tree node, String resource) {
    var text = node.text("status", "allocatable", resource);
    return text == null ? Quantity.ZERO : Quantity.parse(text);
  }
}
