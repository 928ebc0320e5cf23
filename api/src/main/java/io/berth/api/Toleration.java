package io.berth.api;

/// Lets a pod onto nodes with matching taints. Absent texts are `""`.
public record Toleration(String key, String operator, String value, String effect) {

  /// As in Kubernetes: an empty key or effect matches all of them, an empty operator is `Equal`.
  public boolean tolerates(Taint taint) {
    if (!effect.isEmpty() && !effect.equals(taint.effect())) {
      return false;
    }
    if (!key.isEmpty() && !key.equals(taint.key())) {
      return false;
    }
    return switch (operator) {
      case "", "Equal" -> value.equals(taint.value());
      case "Exists" -> true;
      default -> false;
    };
  }
}
