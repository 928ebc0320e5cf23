package io.berth.workloads.policy;

import io.berth.api.Tree;

/// Why a submission does not comply; `rule` is empty for `blocked`, which clients do not know.
public record Issue(String field, String details, String rule) {

  static Issue canEdit(String field) {
    return new Issue(
        field, "the administrator prohibited changing the value of this field", "canEdit");
  }

  static Issue blocked(String field) {
    return new Issue(field, "the administrator prohibited setting a value for this field", "");
  }

  static Issue canAdd(String field) {
    return new Issue(field, "the administrator prohibited adding new items", "canAdd");
  }

  static Issue locked(String field, String item) {
    return new Issue(
        field, "the administrator prohibited modifying item '%s'".formatted(item), "locked");
  }

  static Issue required(String field) {
    return new Issue(field, "the administrator requires a value for this field", "required");
  }

  public Tree tree() {
    var tree = Tree.of("field", field, "details", details);
    return rule.isEmpty() ? tree : tree.put("rule", rule);
  }
}
