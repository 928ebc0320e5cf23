package io.berth.admission.policy;

import io.berth.admission.Derived;
import io.berth.admission.Lookup;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The policies of one kind that have bindings, compiled.
///
/// Built from stored objects when it is first asked for and after every change of them; a policy
/// that did not change is not compiled again. Safe for many threads.
public final class PolicySet<T> {

  private final Resource policies;
  private final Resource bindings;
  private final Function<Tree, T> compiler;
  private final Derived<Snapshot<T>> snapshot = new Derived<>();

  /// `compiler` makes of a policy what evaluates it.
  public PolicySet(Resource policies, Resource bindings, Function<Tree, T> compiler) {
    this.policies = policies;
    this.bindings = bindings;
    this.compiler = compiler;
  }

  /// A policy with its bindings, both by name.
  public record Bound<T>(Tree policy, T compiled, List<Tree> bindings) {

    public String name() {
      return policy.textOrEmpty("metadata", "name");
    }

    public Tree spec() {
      return policy.treeOrEmpty("spec");
    }

    /// Whether errors of the policy let requests pass.
    public boolean ignoresErrors() {
      return spec().textOrEmpty("failurePolicy").equals("Ignore");
    }
  }

  private record Snapshot<T>(List<Bound<T>> bound, Map<Tree, T> compiled) {}

  /// Hears that an object of this resource was written.
  public void changed(Resource resource) {
    if (resource.group().equals(policies.group())
        && (resource.plural().equals(policies.plural())
            || resource.plural().equals(bindings.plural()))) {
      snapshot.outdate();
    }
  }

  /// All policies with bindings, by name.
  public List<Bound<T>> bound(Lookup lookup) {
    return snapshot.get(before -> read(before, lookup)).bound;
  }

  private Snapshot<T> read(@Nullable Snapshot<T> before, Lookup lookup) {
    var byPolicy = new HashMap<String, List<Tree>>();
    for (var binding : lookup.list(bindings, "")) {
      byPolicy
          .computeIfAbsent(binding.textOrEmpty("spec", "policyName"), _ -> new ArrayList<>())
          .add(binding);
    }
    var bound = new ArrayList<Bound<T>>();
    var compiled = new HashMap<Tree, T>();
    for (var policy : byPolicy.isEmpty() ? List.<Tree>of() : lookup.list(policies, "")) {
      var own = byPolicy.get(policy.textOrEmpty("metadata", "name"));
      if (own != null) {
        var spec = policy.treeOrEmpty("spec");
        var earlier = before == null ? null : before.compiled.get(spec);
        var made = earlier == null ? compiler.apply(spec) : earlier;
        compiled.put(spec, made);
        bound.add(new Bound<>(policy, made, List.copyOf(own)));
      }
    }
    return new Snapshot<>(List.copyOf(bound), compiled);
  }
}
