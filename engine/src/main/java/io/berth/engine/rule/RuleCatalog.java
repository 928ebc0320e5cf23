package io.berth.engine.rule;

import io.berth.api.SchedulerProfile;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The rules there are beside Kubernetes' own, by name. A configuration enables them like any
/// plugin; one that is not enabled is never made.
public final class RuleCatalog {

  public static final RuleCatalog NONE = new RuleCatalog(List.of());

  private final Map<String, RuleProvider> providers = new TreeMap<>();

  /// Refuses two rules of one name, and the names of Kubernetes' plugins.
  public RuleCatalog(Collection<? extends RuleProvider> providers) {
    for (var provider : providers) {
      var name = provider.name();
      if (Profiles.isKubernetes(name)) {
        throw new IllegalArgumentException(
            "rule %s of %s has the name of a Kubernetes plugin; give it another"
                .formatted(name, provider.getClass().getName()));
      }
      var other = this.providers.put(name, provider);
      if (other != null) {
        throw new IllegalArgumentException(
            "two rules are named %s, one of %s and one of %s; rename or remove one"
                .formatted(name, other.getClass().getName(), provider.getClass().getName()));
      }
    }
  }

  /// Rules that take no arguments.
  public static RuleCatalog of(List<? extends Rule> rules) {
    return new RuleCatalog(rules.stream().map(Ready::new).toList());
  }

  public boolean isEmpty() {
    return providers.isEmpty();
  }

  public Set<String> names() {
    return Collections.unmodifiableSet(providers.keySet());
  }

  /// The rules that a profile enables, made with its arguments.
  List<Rule> rulesOf(SchedulerProfile profile) {
    var rules = new ArrayList<Rule>();
    for (var name : profile.enabledPlugins()) {
      var provider = providers.get(name);
      if (provider != null) {
        rules.add(make(provider, profile));
      }
    }
    return rules;
  }

  // What others wrote may throw anything; here it is an answer to who configured it.
  private static Rule make(RuleProvider provider, SchedulerProfile profile) {
    var where = "profile %s, rule %s: ".formatted(profile.schedulerName(), provider.name());
    Rule rule;
    try {
      rule = provider.rule(profile.args(provider.name()));
    } catch (RuntimeException | LinkageError e) {
      var problem = e instanceof IllegalArgumentException ? e.getMessage() : e.toString();
      throw new IllegalArgumentException(where + problem, e);
    }
    if (!rule.name().equals(provider.name())) {
      throw new IllegalArgumentException(where + "it calls itself " + rule.name());
    }
    return rule;
  }

  /// Those that no profile enables.
  public Set<String> unused(Collection<SchedulerProfile> profiles) {
    var unused = new LinkedHashSet<>(providers.keySet());
    profiles.forEach(profile -> unused.removeAll(profile.enabledPlugins()));
    return unused;
  }

  private record Ready(Rule made) implements RuleProvider {

    @Override
    public String name() {
      return made.name();
    }

    @Override
    public Rule rule(Tree args) {
      return made;
    }
  }
}
