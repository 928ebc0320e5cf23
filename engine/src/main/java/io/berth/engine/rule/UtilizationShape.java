package io.berth.engine.rule;

import java.util.ArrayList;
import java.util.List;

/// A scoring function given by its corners, straight in between and level outside.
public final class UtilizationShape {

  /// Corners are written with scores up to 10, nodes are scored up to 100.
  private static final long SCALE = 10;

  /// A corner: `score` (0 to 10) at `utilization` percent.
  public record ShapePoint(int utilization, int score) {}

  private UtilizationShape() {}

  /// Reads the corners from the field `shape`, of which there must be some.
  public static List<ShapePoint> read(Args args) {
    var written = args.objects("shape");
    var corners = new ArrayList<ShapePoint>();
    for (var each : written) {
      corners.add(new ShapePoint(each.integer("utilization", 0), each.integer("score", 0)));
    }
    if (corners.isEmpty()) {
      args.wrong("shape", "Required value: at least one point must be specified");
    }
    checkOrder(written, corners);
    for (int i = 0; i < corners.size(); i++) {
      int utilization = corners.get(i).utilization();
      int score = corners.get(i).score();
      boolean isPercentage = utilization >= 0 && utilization <= 100;
      written.get(i).check(isPercentage, "utilization", utilization, "not in valid range [0, 100]");
      written.get(i).check(score >= 0 && score <= 10, "score", score, "not in valid range [0, 10]");
    }
    return corners;
  }

  // As in Kubernetes, the first that is out of order is told.
  private static void checkOrder(List<Args> written, List<ShapePoint> corners) {
    for (int i = 1; i < corners.size(); i++) {
      int utilization = corners.get(i).utilization();
      if (corners.get(i - 1).utilization() >= utilization) {
        var rule = "values must be sorted in increasing order";
        written.get(i).check(false, "utilization", utilization, rule);
        return;
      }
    }
  }

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
