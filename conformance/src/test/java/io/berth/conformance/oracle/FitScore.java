package io.berth.conformance.oracle;

import io.berth.api.Tree;
import java.util.List;
import java.util.Map;

/// NodeResourcesFit's score by one of the three strategies.
final class FitScore {

  private final Tree strategy;
  private final Map<String, Long> resources;
  private final Map<String, Long> requests;

  FitScore(OraclePod pod, Profile profile) {
    this.strategy = profile.args("NodeResourcesFit").treeOrEmpty("scoringStrategy");
    this.resources = Profile.resources(strategy.trees("resources"));
    this.requests = new Requests(pod.tree).incomingForFit();
  }

  long score(Situation at) {
    boolean ratio = strategy.textOrEmpty("type").equals("RequestedToCapacityRatio");
    long sum = 0;
    long weights = 0;
    for (var resource : resources.entrySet()) {
      var name = resource.getKey();
      long wanted = requests.getOrDefault(name, 0L);
      long allocatable = at.node().allocatable(name);
      if (allocatable == 0 || (wanted == 0 && Requests.isScalar(name))) {
        continue;
      }
      long score = score(at.nonZeroRequested(name) + wanted, allocatable);
      if (!ratio || score > 0) {
        sum += score * resource.getValue();
        weights += resource.getValue();
      }
    }
    if (weights == 0) {
      return 0;
    }
    return ratio ? Math.round((double) sum / weights) : sum / weights;
  }

  private long score(long requested, long allocatable) {
    return switch (strategy.textOrEmpty("type")) {
      case "MostAllocated" -> Math.min(requested, allocatable) * 100 / allocatable;
      case "RequestedToCapacityRatio" ->
          shape(requested > allocatable ? 100 : requested * 100 / allocatable);
      default -> requested > allocatable ? 0 : (allocatable - requested) * 100 / allocatable;
    };
  }

  private long shape(long utilization) {
    List<Tree> points = strategy.trees("requestedToCapacityRatio", "shape");
    for (int i = 0; i < points.size(); i++) {
      long u1 = points.get(i).number(0, "utilization");
      long s1 = points.get(i).number(0, "score") * 10;
      if (utilization <= u1) {
        if (i == 0) {
          return s1;
        }
        long u0 = points.get(i - 1).number(0, "utilization");
        long s0 = points.get(i - 1).number(0, "score") * 10;
        return s0 + (s1 - s0) * (utilization - u0) / (u1 - u0);
      }
    }
    return points.getLast().number(0, "score") * 10;
  }
}
