package io.berth.workloads.policy;

import java.util.Set;

/// What a field holds, and so which rules it may have.
enum Kind {
  BOOLEAN("required", "canEdit", "blocked"),
  STRING("required", "canEdit", "options", "blocked"),
  INTEGER("required", "canEdit", "min", "max", "step", "defaultFrom", "blocked"),
  NUMBER("required", "canEdit", "min", "max", "step", "defaultFrom", "blocked"),
  QUANTITY("required", "canEdit", "min", "max", "defaultFrom", "blocked"),
  ARRAY("required", "canEdit", "options", "blocked"),
  OBJECT("required", "canEdit", "blocked", "merge"),
  ITEMS("instances", "attributes");

  private final Set<String> rules;

  Kind(String... rules) {
    this.rules = Set.of(rules);
  }

  /// `final` stops narrower scopes and `sourceOfRule` is what answers add; both go with any rule.
  boolean allows(String rule) {
    return rules.contains(rule) || rule.equals("final") || rule.equals("sourceOfRule");
  }

  boolean isNumeric() {
    return this == INTEGER || this == NUMBER || this == QUANTITY;
  }
}
