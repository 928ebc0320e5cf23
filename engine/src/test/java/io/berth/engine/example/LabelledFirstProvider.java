package io.berth.engine.example;

import io.berth.api.Tree;
import io.berth.engine.rule.Rule;
import io.berth.engine.rule.RuleProvider;

public final class LabelledFirstProvider implements RuleProvider {

  @Override
  public String name() {
    return "LabelledFirst";
  }

  @Override
  public Rule rule(Tree args) {
    var label = args.textOrEmpty("label");
    if (label.isEmpty()) {
      throw new IllegalArgumentException("label: Required value: the node label to score by");
    }
    return new LabelledFirst(label);
  }
}
