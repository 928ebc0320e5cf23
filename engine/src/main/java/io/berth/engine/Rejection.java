package io.berth.engine;

import java.util.List;

/// A plugin's objection to a pod on a node: who, how final, and why in Kubernetes' words.
///
/// `plugin` is `""` where the objection is not a plugin's.
public record Rejection(String plugin, Code code, List<String> reasons) {

  public Rejection {
    reasons = List.copyOf(reasons);
  }

  public static Rejection unschedulable(String plugin, String reason) {
    return new Rejection(plugin, Code.UNSCHEDULABLE, List.of(reason));
  }

  public static Rejection unresolvable(String plugin, String reason) {
    return new Rejection(plugin, Code.UNRESOLVABLE, List.of(reason));
  }
}
