package io.berth.server.access;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rules as `SelfSubjectRulesReview` shows them.
public final class RuleLists {

  private RuleLists() {}

  public static Tree status(List<Rule> rules) {
    var resources = new ArrayList<@Nullable Object>();
    var paths = new ArrayList<@Nullable Object>();
    for (var rule : rules) {
      if (!rule.resources().isEmpty()) {
        var tree =
            Tree.of(
                "verbs", rule.verbs(),
                "apiGroups", rule.groups(),
                "resources", rule.resources());
        if (!rule.names().isEmpty()) {
          tree.put("resourceNames", rule.names());
        }
        resources.add(tree);
      }
      if (!rule.paths().isEmpty()) {
        paths.add(Tree.of("verbs", rule.verbs(), "nonResourceURLs", rule.paths()));
      }
    }
    return Tree.of("resourceRules", resources, "nonResourceRules", paths, "incomplete", false);
  }
}
