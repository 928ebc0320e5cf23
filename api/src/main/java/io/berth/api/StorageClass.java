package io.berth.api;

import java.util.List;
import java.util.Map;

/// How claims of a class are served. `bindingMode` is `""` when absent, which an API server does
/// not let happen. `allowedTopologies` are alternatives of label to allowed values; an empty list
/// allows all nodes.
public record StorageClass(
    String name,
    String provisioner,
    String bindingMode,
    List<Map<String, List<String>>> allowedTopologies)
    implements Surrounding {

  public static final String KIND = "StorageClass";

  private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

  public StorageClass {
    allowedTopologies = List.copyOf(allowedTopologies);
  }

  public boolean waitsForConsumer() {
    return bindingMode.equals("WaitForFirstConsumer");
  }

  /// Whether volumes of the class can be made when they are needed.
  public boolean provisions() {
    return !provisioner.isEmpty() && !provisioner.equals(NO_PROVISIONER);
  }

  /// Whether volumes may be made for a node with these labels.
  public boolean allows(Map<String, String> labels) {
    if (allowedTopologies.isEmpty()) {
      return true;
    }
    for (var topology : allowedTopologies) {
      if (!topology.isEmpty() && matches(topology, labels)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(Map<String, List<String>> topology, Map<String, String> labels) {
    for (var clause : topology.entrySet()) {
      var value = labels.get(clause.getKey());
      if (value == null || !clause.getValue().contains(value)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String kind() {
    return KIND;
  }
}
