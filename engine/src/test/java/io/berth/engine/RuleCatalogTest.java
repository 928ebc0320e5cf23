package io.berth.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Tree;
import io.berth.engine.rule.Rule;
import io.berth.engine.rule.RuleCatalog;
import io.berth.engine.rule.RuleProvider;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleCatalogTest {

  private record Named(String name) implements RuleProvider {

    @Override
    public Rule rule(Tree args) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aNameIsOneRule() {
    assertThatThrownBy(() -> new RuleCatalog(List.of(new Named("Mine"), new Named("Mine"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two rules are named Mine");
  }

  @Test
  void namesOfKubernetesAreTaken() {
    assertThatThrownBy(() -> new RuleCatalog(List.of(new Named("NodePorts"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rule NodePorts")
        .hasMessageContaining("has the name of a Kubernetes plugin");
  }
}
