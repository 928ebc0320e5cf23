package io.berth.engine.example;

import io.berth.api.Tree;
import io.berth.engine.rule.Rule;
import io.berth.engine.rule.RuleProvider;

public final class LicensedNodesProvider implements RuleProvider {

  @Override
  public String name() {
    return "LicensedNodes";
  }

  @Override
  public Rule rule(Tree args) {
    return new LicensedNodes();
  }
}
