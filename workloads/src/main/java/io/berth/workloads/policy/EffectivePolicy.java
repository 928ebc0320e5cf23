package io.berth.workloads.policy;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the policies of all scopes above a workload come to.
///
/// The narrowest scope's default wins. Of rules the narrowest wins too, but for `compute` and
/// `security`, where the broadest does; a rule marked `final` stands against all narrower ones.
public final class EffectivePolicy {

  private final PolicyFields fields;
  private final Tree defaults = new Tree();
  private final Tree rules = new Tree();
  private ImposedAssets imposedAssets = ImposedAssets.NONE;

  private EffectivePolicy(PolicyFields fields) {
    this.fields = fields;
  }

  public static EffectivePolicy of(PolicyFields fields, List<Policy.At> policies) {
    var effective = new EffectivePolicy(fields);
    var broadestFirst = new ArrayList<>(policies);
    broadestFirst.sort(Comparator.comparing(Policy.At::scope));
    for (var policy : broadestFirst) {
      for (var field : fields.all()) {
        effective.addDefault(field, policy);
        effective.addRule(field, policy);
      }
      effective.imposedAssets = effective.imposedAssets.and(policy.policy().imposedAssets());
    }
    return effective;
  }

  PolicyFields fields() {
    return fields;
  }

  @Nullable Object defaultOf(PolicyField field) {
    return field.in(defaults);
  }

  /// The rules of a field; empty when it has none.
  Tree rulesOf(PolicyField field) {
    return field.in(rules) instanceof Tree tree ? tree : new Tree();
  }

  public ImposedAssets imposedAssets() {
    return imposedAssets;
  }

  /// Gives every workload one more item of a list, which nobody can change or leave out.
  public void impose(String path, Tree item) {
    var field = fields.get(path);
    var key = item.textOrEmpty(field.key());
    var preset = defaultOf(field) instanceof Tree tree ? tree.copy() : new Tree();
    var instances = preset.childList("instances");
    instances.removeIf(each -> each instanceof Tree tree && key.equals(tree.text(field.key())));
    instances.add(item);
    field.put(defaults, preset);
    var rule = rulesOf(field).copy();
    rule.child("instances").childList("locked").add(key);
    field.put(rules, rule);
  }

  public Tree tree() {
    return Tree.of("defaults", defaults.copy(), "rules", rules.copy())
        .put("imposedAssets", imposedAssets.written());
  }

  private void addDefault(PolicyField field, Policy.At at) {
    var value = field.in(at.policy().defaults());
    if (value != null) {
      field.put(defaults, Tree.copyOf(value));
    }
  }

  private void addRule(PolicyField field, Policy.At at) {
    if (!(field.in(at.policy().rules()) instanceof Tree rule) || rule.isEmpty()) {
      return;
    }
    if (field.kind() != Kind.ITEMS) {
      var known = rulesOf(field);
      if (isReplaceable(field, known)) {
        field.put(rules, sourced(rule, at));
      }
      return;
    }
    var known = rulesOf(field).copy();
    var instances = rule.tree("instances");
    if (instances != null && isReplaceable(field, known.treeOrEmpty("instances"))) {
      known.put("instances", sourced(instances, at));
    }
    for (var attribute : field.attributes().keySet()) {
      var path = attribute.split("\\.", -1);
      if (rule.treeOrEmpty("attributes").at(path) instanceof Tree each
          && isReplaceable(field, known.child("attributes").treeOrEmpty(path))) {
        known.child("attributes").putAt(sourced(each, at), path);
      }
    }
    field.put(rules, known);
  }

  private static boolean isReplaceable(PolicyField field, Tree known) {
    return known.isEmpty() || (!field.isBroadestFirst() && !known.flag("final"));
  }

  private static Tree sourced(Tree rule, Policy.At at) {
    return rule.copy().put("sourceOfRule", at.source());
  }
}
