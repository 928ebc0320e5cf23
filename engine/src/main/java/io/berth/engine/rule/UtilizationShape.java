package io.berth.engine.rule;

import io.berth.api.PluginArgs.ShapePoint;
import java.util.List;

/// A scoring function given by its corners, straight in between and level outside.
public final class UtilizationShape {

  /// Corners are written with scores up to 10, nodes are scored up to 100.
  private static final long SCALE = 10;

  private UtilizationShape() {}

  public static long at(List<ShapePoint> corners, long utilization) {
    ShapePoint before = null;
    for (var corner : corners) {
      if (utilization <= corner.utilization()) {
        return before == null ? corner.score() * SCALE : between(before, corner, utilization);
      }
      before = corner;
    }
    return before == null ? 0 : before.score() * SCALE;
  }

  private static long between(ShapePoint before, ShapePoint after, long utilization) {
    long rise = (after.score() - before.score()) * SCALE;
    return before.score() * SCALE
        + rise
            * (utilization - before.utilization())
            / (after.utilization() - before.utilization());
  }
}
