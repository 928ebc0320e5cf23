package io.berth.controllers.runtime;

import io.berth.api.Taint;
import io.berth.api.Toleration;
import io.berth.api.Tree;
import java.util.List;
import java.util.function.Predicate;

/// Taints and tolerations, as objects have them.
public final class Taints {

  public static final String NOT_READY = "node.kubernetes.io/not-ready";
  public static final String UNREACHABLE = "node.kubernetes.io/unreachable";
  public static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
  public static final String MEMORY_PRESSURE = "node.kubernetes.io/memory-pressure";
  public static final String DISK_PRESSURE = "node.kubernetes.io/disk-pressure";
  public static final String PID_PRESSURE = "node.kubernetes.io/pid-pressure";
  public static final String NETWORK_UNAVAILABLE = "node.kubernetes.io/network-unavailable";
  public static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

  private Taints() {}

  public static List<Tree> of(Tree node) {
    return node.trees("spec", "taints");
  }

  public static boolean has(Tree node, String key, String effect) {
    for (var taint : of(node)) {
      if (taint.textOrEmpty("key").equals(key) && taint.textOrEmpty("effect").equals(effect)) {
        return true;
      }
    }
    return false;
  }

  public static boolean isNoExecute(Tree taint) {
    return taint.textOrEmpty("effect").equals("NoExecute");
  }

  /// Whether some taint that `counts` is not tolerated.
  public static boolean repel(Tree node, List<Tree> tolerations, Predicate<Tree> counts) {
    for (var taint : of(node)) {
      if (counts.test(taint) && !tolerated(taint, tolerations)) {
        return true;
      }
    }
    return false;
  }

  private static boolean tolerated(Tree taint, List<Tree> tolerations) {
    return tolerations.stream().anyMatch(toleration -> tolerates(toleration, taint));
  }

  public static boolean tolerates(Tree toleration, Tree taint) {
    return Toleration.of(toleration).tolerates(Taint.of(taint));
  }
}
