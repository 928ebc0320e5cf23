package io.berth.console.scene;

import io.berth.api.PodResources;
import io.berth.api.Quantity;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import java.util.Map;

/// Room that is there, or taken: what the map colours by.
public record Room(long cpuMillis, long memoryBytes, long gpus, long pods) {

  public static final Room NONE = new Room(0, 0, 0, 0);

  private static final String GPU = "/gpu";

  static Room offeredBy(Tree node) {
    var offered = ResourceList.read(node.tree("status", "allocatable"));
    return of(offered, offered.getOrDefault("pods", Quantity.ZERO).value());
  }

  static Room askedBy(Tree pod) {
    return of(PodResources.requests(pod.treeOrEmpty("spec")), 1);
  }

  private static Room of(Map<String, Quantity> amounts, long pods) {
    long gpus = 0;
    for (var each : amounts.entrySet()) {
      if (each.getKey().endsWith(GPU)) {
        gpus += each.getValue().value();
      }
    }
    return new Room(
        amounts.getOrDefault("cpu", Quantity.ZERO).milliValue(),
        amounts.getOrDefault("memory", Quantity.ZERO).value(),
        gpus,
        pods);
  }

  Room plus(Room other) {
    return new Room(
        cpuMillis + other.cpuMillis,
        memoryBytes + other.memoryBytes,
        gpus + other.gpus,
        pods + other.pods);
  }

  Room minus(Room other) {
    return new Room(
        cpuMillis - other.cpuMillis,
        memoryBytes - other.memoryBytes,
        gpus - other.gpus,
        pods - other.pods);
  }
}
