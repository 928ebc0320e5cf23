package io.berth.workloads.policy;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A field that is a list of named items: the policy's instances, the user's, and what of theirs
/// may differ.
final class Items {

  private final PolicyField field;
  private final Tree rules;
  private final Tree defaults;
  private final List<Issue> issues;
  private final Map<String, Tree> instances = new LinkedHashMap<>();

  Items(PolicyField field, Tree rules, @Nullable Object defaults, List<Issue> issues) {
    this.field = field;
    this.rules = rules;
    this.defaults = defaults instanceof Tree tree ? tree : new Tree();
    this.issues = issues;
    for (var instance : this.defaults.trees("instances")) {
      instances.put(keyOf(instance), instance);
    }
  }

  /// The items after the policy; `null` when there are none and none were given.
  @Nullable List<Tree> apply(@Nullable Object submitted) {
    var given = submitted instanceof List<?> list ? list : List.of();
    var items = new LinkedHashMap<String, Tree>(instances);
    var nameless = new ArrayList<Tree>();
    for (var each : given) {
      if (each instanceof Tree item) {
        take(item, items, nameless);
      }
    }
    if (items.isEmpty() && nameless.isEmpty() && submitted == null) {
      return null;
    }
    var result = new ArrayList<Tree>();
    items.values().forEach(item -> result.add(finished(item)));
    nameless.forEach(item -> result.add(finished(item)));
    result.forEach(this::judge);
    return result;
  }

  private void take(Tree item, Map<String, Tree> items, List<Tree> nameless) {
    var key = keyOf(item);
    var preset = instances.get(key);
    if (preset == null) {
      if (item.flag("exclude")) {
        return;
      }
      if (Boolean.FALSE.equals(rules.treeOrEmpty("instances").get("canAdd"))) {
        issues.add(Issue.canAdd(field.path()));
      }
      if (key.isEmpty()) {
        nameless.add(item);
      } else {
        items.put(key, item);
      }
      return;
    }
    var changed = overlaid(preset, item);
    var locked = rules.treeOrEmpty("instances").list("locked").contains(key);
    if (locked && (item.flag("exclude") || !Values.same(changed, preset))) {
      issues.add(Issue.locked(field.path(), key));
    } else if (item.flag("exclude")) {
      items.remove(key);
    } else {
      items.put(key, changed);
    }
  }

  private static Tree overlaid(Tree preset, Tree item) {
    var changed = preset.copy();
    item.fields()
        .forEach((name, value) -> {
          if (value != null && !name.equals("exclude")) {
            changed.put(name, Tree.copyOf(value));
          }
        });
    return changed;
  }

  private Tree finished(Tree item) {
    var whole = item.copy();
    whole.remove("exclude");
    defaults
        .treeOrEmpty("attributes")
        .fields()
        .forEach((name, value) -> {
          if (whole.get(name) == null && value != null && !name.equals(field.key())) {
            whole.put(name, Tree.copyOf(value));
          }
        });
    return whole;
  }

  private void judge(Tree item) {
    field
        .attributes()
        .forEach((name, kind) -> {
          var path = name.split("\\.", -1);
          var rule = rules.treeOrEmpty("attributes").tree(path);
          if (rule == null) {
            return;
          }
          var shown = field.path() + "." + name;
          var value = item.at(path);
          if (rule.flag("blocked") && value != null) {
            issues.add(Issue.blocked(shown));
          }
          var preset = instances.getOrDefault(keyOf(item), new Tree()).at(path);
          var expected = preset == null ? defaults.treeOrEmpty("attributes").at(path) : preset;
          if (Boolean.FALSE.equals(rule.get("canEdit")) && !Values.same(kind, value, expected)) {
            issues.add(Issue.canEdit(shown));
          }
          issues.addAll(ValueRules.issues(shown, kind, rule, value));
        });
  }

  private String keyOf(Tree item) {
    var key = item.get(field.key());
    return key == null ? "" : String.valueOf(key);
  }
}
