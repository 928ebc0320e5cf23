package io.berth.controllers.kubelet;

import java.util.LinkedHashMap;
import java.util.Map;

/// What a node has that does not say so itself.
public record NodeDefaults(
    Map<String, String> capacity,
    String operatingSystem,
    String architecture,
    String kubeletVersion) {

  /// A plain node: 4 CPU, 16Gi, 110 pods, 100Gi of ephemeral storage.
  public static final NodeDefaults PLAIN =
      new NodeDefaults(plainCapacity(), "linux", "amd64", "v1.37.1");

  private static Map<String, String> plainCapacity() {
    var capacity = new LinkedHashMap<String, String>();
    capacity.put("cpu", "4");
    capacity.put("memory", "16Gi");
    capacity.put("ephemeral-storage", "100Gi");
    capacity.put("pods", "110");
    return capacity;
  }
}
