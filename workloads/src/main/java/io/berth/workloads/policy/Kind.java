package io.berth.workloads.policy;

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

  // Names between commas: an enum holds nothing that could change.
  private final String rules;

  Kind(String... rules) {
    this.rules = "," + String.join(",", rules) + ",";
  }

  /// `final` stops narrower scopes and `sourceOfRule` is what answers add; both go with any rule.
  boolean allows(String rule) {
    return rules.contains("," + rule + ",") || rule.equals("final") || rule.equals("sourceOfRule");
  }

  boolean isNumeric() {
    return this == INTEGER || this == NUMBER || this == QUANTITY;
  }
}
