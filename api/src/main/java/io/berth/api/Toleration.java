package io.berth.api;

import org.jspecify.annotations.Nullable;

/// Lets a pod onto nodes with matching taints. Absent texts are `""`.
///
/// Mirrors: core/v1.Toleration.ToleratesTaint
public record Toleration(String key, String operator, String value, String effect) {

  public static Toleration of(Tree toleration) {
    return new Toleration(
        toleration.textOrEmpty("key"),
        toleration.textOrEmpty("operator"),
        toleration.textOrEmpty("value"),
        toleration.textOrEmpty("effect"));
  }

  // By hand, as in [PodSpec].
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Toleration that
            && key.equals(that.key)
            && operator.equals(that.operator)
            && value.equals(that.value)
            && effect.equals(that.effect));
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 * key.hashCode() + operator.hashCode()) + value.hashCode())
        + effect.hashCode();
  }

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
