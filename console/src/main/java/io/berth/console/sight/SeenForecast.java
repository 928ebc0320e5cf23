package io.berth.console.sight;

import io.berth.answers.plan.Forecast;
import io.berth.api.Tree;
import java.util.List;

/// A forecast as one caller may read it, who sees all nodes and pods: budgets, and who made a pod,
/// are for those from whom nothing is hidden.
public final class SeenForecast {

  private SeenForecast() {}

  public static Tree toTree(Forecast forecast, Visibility visibility) {
    var tree = forecast.toTree();
    tree.put(
        "pending",
        forecast.pending().stream()
            .map(each -> new SeenExplanation(each, visibility).toTree())
            .toList());
    if (!visibility.seesEverything()) {
      tree.put("cut", true);
      List.of("budgets", "kept", "skew").forEach(tree::remove);
      tree.trees("moves").forEach(move -> move.remove("owner"));
    }
    return tree;
  }
}
