package io.berth.engine.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Names of scalar resources as small ints: extended resources, huge pages, attachable volumes.
///
/// Cpu, memory and ephemeral storage have columns of their own and no number here.
public final class ResourceNames {

  private final Map<String, Integer> ids = new HashMap<>();
  private final List<String> names = new ArrayList<>();

  public int idOf(String name) {
    return ids.computeIfAbsent(
        name,
        added -> {
          names.add(added);
          return names.size() - 1;
        });
  }

  public String name(int id) {
    return names.get(id);
  }

  public int count() {
    return names.size();
  }

  /// As in Kubernetes: other names, such as `storage`, are not counted at all.
  public static boolean isScalar(String name) {
    return isExtended(name)
        || name.startsWith("hugepages-")
        || name.startsWith("attachable-volumes-")
        || name.contains("kubernetes.io/");
  }

  public static boolean isExtended(String name) {
    return name.contains("/") && !name.contains("kubernetes.io/") && !name.startsWith("requests.");
  }
}
