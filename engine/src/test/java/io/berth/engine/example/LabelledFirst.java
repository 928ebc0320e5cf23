package io.berth.engine.example;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.Normalization;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Watch;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Prefers nodes by the number in one of their labels.
public final class LabelledFirst implements ScoreRule {

  private final String label;

  public LabelledFirst(String label) {
    this.label = label;
  }

  @Override
  public String name() {
    return "LabelledFirst";
  }

  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.NODE);
  }

  @Override
  public NodeScore scoreFor(Shape shape, ClusterModel cluster) {
    var nodes = cluster.nodes();
    return NodeScore.normalised(
        node -> number(nodes.node(node).labels().get(label)), Normalization.BY_MAX);
  }

  private static long number(@Nullable String text) {
    return text != null && text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
  }
}
