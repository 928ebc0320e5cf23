package io.berth.bench;

import io.berth.api.Tree;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.engine.Engine;
import io.berth.engine.rule.RuleCatalog;
import io.berth.engine.rule.RuleProvider;
import java.util.List;
import java.util.ServiceLoader;

/// The rules of the guide "Write a rule", found like those of any stranger.
final class OutsideRules {

  static final String SPEED = "example.com/speed";

  private OutsideRules() {}

  /// An engine whose profile has them beside Kubernetes' own.
  static Engine engine() {
    var found = ServiceLoader.load(RuleProvider.class).stream().map(ServiceLoader.Provider::get);
    var catalog = new RuleCatalog(found.toList());
    if (catalog.isEmpty()) {
      throw new IllegalStateException("no rules of the guide on the class path; run: mvn package");
    }
    var enabled = catalog.names().stream().map(name -> Tree.of("name", name)).toList();
    var profile =
        Tree.of("plugins", Tree.of("multiPoint", Tree.of("enabled", enabled)))
            .put(
                "pluginConfig",
                List.of(Tree.of("name", "LabelledFirst", "args", Tree.of("label", SPEED))));
    return new Engine(
        SchedulerConfigurationReader.read(Tree.of("profiles", List.of(profile))), 1, catalog);
  }
}
