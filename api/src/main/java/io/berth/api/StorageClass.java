package io.berth.api;

import java.util.List;
import java.util.Map;

/// How claims of a class are served. `allowedTopologies` are alternatives of label to allowed
/// values; an empty list allows all nodes.
public record StorageClass(
    String name,
    String provisioner,
    boolean waitsForConsumer,
    List<Map<String, List<String>>> allowedTopologies) {

  public static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

  public StorageClass {
    allowedTopologies = List.copyOf(allowedTopologies);
  }
}
