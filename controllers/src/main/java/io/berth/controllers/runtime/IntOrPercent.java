package io.berth.controllers.runtime;

import io.berth.api.Tree;
import org.jspecify.annotations.Nullable;

/// Counts that may be given as a share: `3` or `"25%"`.
public final class IntOrPercent {

  private IntOrPercent() {}

  /// The count that `value` means of `total`; a share is rounded up or down.
  public static long of(@Nullable Object value, long absent, long total, boolean up) {
    return switch (value) {
      case Long number -> number;
      case String text when text.endsWith("%") -> share(text, total, up);
      case String text when text.matches("-?\\d+") -> Long.parseLong(text);
      case null, default -> absent;
    };
  }

  private static long share(String text, long total, boolean up) {
    var percent = Long.parseLong(text.substring(0, text.length() - 1).trim());
    return up ? Math.ceilDiv(percent * total, 100) : Math.floorDiv(percent * total, 100);
  }

  /// As in Kubernetes: surge rounds up, unavailable down, and when both come out as nothing one may
  /// be unavailable, or nothing would ever move.
  public static Fenceposts fenceposts(Tree rollingUpdate, long replicas) {
    var surge = of(rollingUpdate.get("maxSurge"), 0, replicas, true);
    var unavailable = of(rollingUpdate.get("maxUnavailable"), 0, replicas, false);
    return new Fenceposts(surge, surge == 0 && unavailable == 0 ? 1 : unavailable);
  }

  /// How many pods a rollout may have too many, and how many may be missing.
  public record Fenceposts(long surge, long unavailable) {}
}
