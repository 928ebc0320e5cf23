package io.berth.api;

import java.util.Set;
import java.util.TreeSet;

/// What Kubernetes keeps behind feature gates that are off, and that is switched on by name.
public record FeatureGates(Set<String> on) {

  /// Pods that are placed together: `PodGroup` and `Workload` of `scheduling.k8s.io/v1beta1`.
  public static final String GENERIC_WORKLOAD = "GenericWorkload";

  public static final FeatureGates DEFAULT = new FeatureGates(Set.of());
  public static final FeatureGates ALL = new FeatureGates(Set.of(GENERIC_WORKLOAD));

  private static final Set<String> YES = Set.of("1", "t", "T", "TRUE", "true", "True");
  private static final Set<String> NO = Set.of("0", "f", "F", "FALSE", "false", "False");

  public FeatureGates {
    on = Set.copyOf(on);
  }

  /// Reads `Name=true,Other=false`. Throws [IllegalArgumentException] in the words of Kubernetes,
  /// also for a gate that there is none of here.
  public static FeatureGates parse(String text) {
    var on = new TreeSet<String>();
    for (var part : text.split(",", -1)) {
      if (!part.isBlank()) {
        read(part.strip(), on);
      }
    }
    return new FeatureGates(on);
  }

  private static void read(String setting, Set<String> on) {
    int equals = setting.indexOf('=');
    if (equals < 0) {
      throw new IllegalArgumentException("missing bool value for " + setting);
    }
    var name = setting.substring(0, equals).strip();
    var value = setting.substring(equals + 1).strip();
    if (!YES.contains(value) && !NO.contains(value)) {
      throw new IllegalArgumentException(
          "invalid value of %s=%s, err: strconv.ParseBool: parsing %s: invalid syntax"
              .formatted(name, value, FieldError.quoted(value)));
    }
    if (!ALL.isOn(name)) {
      throw new IllegalArgumentException("unrecognized feature gate: " + name);
    }
    // As in Kubernetes, the last word counts.
    if (YES.contains(value)) {
      on.add(name);
    } else {
      on.remove(name);
    }
  }

  public boolean isOn(String gate) {
    return on.contains(gate);
  }
}
