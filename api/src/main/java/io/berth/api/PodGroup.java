package io.berth.api;

/// A `PodGroup` of `scheduling.k8s.io`: pods that are placed together, or not at all.
///
/// `minCount` pods must find a place at once; 1 for a group of policy `basic`. `disruptedWhole`
/// says that evicting one of them means evicting all. `initiallyScheduled` is the condition of that
/// name.
public record PodGroup(
    String namespace,
    String name,
    String uid,
    long generation,
    boolean gang,
    int minCount,
    boolean disruptedWhole,
    int priority,
    boolean initiallyScheduled)
    implements Surrounding {

  public static final String KIND = "PodGroup";

  /// `namespace/name`.
  public String key() {
    return namespace + "/" + name;
  }

  @Override
  public String kind() {
    return KIND;
  }
}
