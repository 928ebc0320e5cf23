package io.berth.engine.example;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Watch;
import java.util.Set;

/// Prefers nodes by a number from 0 to 100 that they carry as a label; without it they score 0.
public final class LabelScore implements ScoreRule {

  private final String label;

  LabelScore(String label) {
    this.label = label;
  }

  @Override
  public String name() {
    return "LabelScore";
  }

  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.NODE);
  }

  @Override
  public NodeScore scoreFor(Shape shape, ClusterModel cluster) {
    var nodes = cluster.nodes();
    return node -> score(nodes.node(node).labels().getOrDefault(label, "0"));
  }

  private static long score(String value) {
    return value.matches("100|[0-9]{1,2}") ? Long.parseLong(value) : 0;
  }
}
