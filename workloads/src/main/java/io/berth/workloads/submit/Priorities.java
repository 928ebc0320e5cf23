package io.berth.workloads.submit;

import io.berth.api.Tree;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/// Priorities of workloads by name; between workloads of one project only.
public final class Priorities {

  private static final Map<String, Integer> VALUES = values();
  private static final String SEMI_PREEMPTIBLE = "semi-preemptible";

  private Priorities() {}

  public static boolean exists(String name) {
    return VALUES.containsKey(name);
  }

  public static int value(String name) {
    return VALUES.getOrDefault(name, 0);
  }

  public static Map<String, Integer> all() {
    return VALUES;
  }

  /// Explicit, or as the type of workload has it; for other kinds of objects the priority decides.
  /// What is semi-preemptible is so too, as to what it runs beyond its minimum.
  public static boolean isPreemptible(Tree workload) {
    var kind = WorkloadKind.of(workload.textOrEmpty("kind"));
    return switch (workload.textOrEmpty("spec", "preemptibility")) {
      case "preemptible", SEMI_PREEMPTIBLE -> true;
      case "non-preemptible" -> false;
      default -> kind.preemptible();
    };
  }

  /// Whether the least that must run of it stays, and the rest may be taken.
  public static boolean isSemiPreemptible(Tree workload) {
    return workload.textOrEmpty("spec", "preemptibility").equals(SEMI_PREEMPTIBLE);
  }

  public static String of(Tree workload) {
    var named = workload.textOrEmpty("spec", "priorityClass");
    return named.isEmpty() ? WorkloadKind.of(workload.textOrEmpty("kind")).priority() : named;
  }

  /// A priority's id: the same on every cluster.
  public static String id(String name) {
    return UUID.nameUUIDFromBytes(
            ("berth.io/priority/" + name).getBytes(java.nio.charset.StandardCharsets.UTF_8))
        .toString();
  }

  private static Map<String, Integer> values() {
    var values = new LinkedHashMap<String, Integer>();
    values.put("very-low", 25);
    values.put("low", 40);
    values.put("medium-low", 65);
    values.put("medium", 80);
    values.put("medium-high", 90);
    values.put("high", 125);
    values.put("very-high", 150);
    values.put("train", 50);
    values.put("build-preemptible", 75);
    values.put("interactive-preemptible", 75);
    values.put("build", 100);
    values.put("inference", 125);
    return values;
  }
}
