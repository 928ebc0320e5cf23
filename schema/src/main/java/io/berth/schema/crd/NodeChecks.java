package io.berth.schema.crd;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of each node of a schema, and of its expressions.
final class NodeChecks {

  private static final Set<String> META = Set.of("metadata", "kind", "apiVersion");
  private static final List<String> TYPES =
      List.of("array", "boolean", "integer", "number", "object", "string");
  static final List<String> UNSUPPORTED =
      List.of("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref");

  private final FieldErrors errors = new FieldErrors();
  private final FieldErrors expressionErrors = new FieldErrors();
  private final RuleCosts costs;

  private NodeChecks(RuleCosts costs) {
    this.costs = costs;
  }

  /// What holds at a place: whether defaults may stand there, whether it describes metadata, the
  /// part around it whose values cannot be found again after an update, and how many values can
  /// stand there, `null` when nothing limits them.
  private record Place(
      @Nullable String noDefaults,
      boolean insideMeta,
      @Nullable FieldPath uncorrelatable,
      @Nullable Double cardinality) {

    static final Place ROOT = new Place(null, false, null, 1.0);

    Place withoutDefaults(String reason) {
      return new Place(reason, insideMeta, uncorrelatable, cardinality);
    }

    Place inMeta() {
      return new Place(noDefaults, true, uncorrelatable, cardinality);
    }

    Place uncorrelatableFrom(FieldPath path) {
      return uncorrelatable == null ? new Place(noDefaults, insideMeta, path, cardinality) : this;
    }

    /// The place of what is inside a value of this schema.
    Place below(Tree schema) {
      var most = mostElements(schema);
      return new Place(
          noDefaults,
          insideMeta,
          uncorrelatable,
          cardinality == null || most == null ? null : Double.valueOf(cardinality * most));
    }

    private static @Nullable Double mostElements(Tree schema) {
      var field =
          switch (schema.textOrEmpty("type")) {
            case "object" -> schema.get("additionalProperties") == null ? "" : "maxProperties";
            case "array" -> "maxItems";
            default -> "";
          };
      if (field.isEmpty()) {
        return 1.0;
      }
      return schema.get(field) instanceof Long most
          ? Double.valueOf((double) Math.max(0, most))
          : null;
    }
  }

  static void check(
      Tree schema, FieldPath path, boolean compile, RuleCosts costs, FieldErrors errors) {
    var checks = new NodeChecks(costs);
    checks.node(schema, path, Place.ROOT, true, compile);
    errors.addAll(checks.errors);
    errors.addAll(checks.expressionErrors);
  }

  private void node(Tree schema, FieldPath path, Place place, boolean root, boolean compile) {
    int before = errors.size();
    vocabulary(schema, path, place);
    additional(schema, path, place, compile);
    properties(schema, path, place, root, compile);
    alternatives(schema, path, place);
    var items = schema.tree("items");
    if (items != null) {
      boolean found = schema.textOrEmpty("x-kubernetes-list-type").equals("map");
      node(
          items,
          path.child("items"),
          (found ? place : place.uncorrelatableFrom(path)).below(schema),
          false,
          compile);
    }
    if (Boolean.FALSE.equals(schema.get("x-kubernetes-preserve-unknown-fields"))) {
      errors.invalid(
          path.child("x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined");
    }
    ListTypeChecks.check(schema, path, errors);
    RuleChecks.checkWords(schema, path, errors);
    if (compile && errors.size() == before) {
      RuleChecks.compile(
          schema,
          root || schema.flag("x-kubernetes-embedded-resource"),
          path,
          place.uncorrelatable,
          place.cardinality,
          costs,
          expressionErrors);
    }
  }

  private void vocabulary(Tree schema, FieldPath path, Place place) {
    var type = schema.textOrEmpty("type");
    if (!type.isEmpty() && !TYPES.contains(type)) {
      errors.notSupported(path.child("type"), type, TYPES);
    }
    if (schema.get("default") != null && place.noDefaults != null) {
      errors.forbidden(path.child("default"), "must not be set " + place.noDefaults);
    }
    for (var field : UNSUPPORTED) {
      if (schema.get(field) != null) {
        errors.forbidden(path.child(field), field + " is not supported");
      }
    }
    if (type.equals("null")) {
      errors.forbidden(
          path.child("type"), "type cannot be set to null, use nullable as an alternative");
    }
    if (schema.get("items") instanceof List<?>) {
      errors.forbidden(path.child("items"), "items must be a schema object and not an array");
    }
    if (place.insideMeta && schema.flag("x-kubernetes-embedded-resource")) {
      errors.forbidden(
          path.child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta");
    }
    if (schema.flag("uniqueItems")) {
      errors.forbidden(
          path.child("uniqueItems"),
          "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
  }

  private void additional(Tree schema, FieldPath path, Place place, boolean compile) {
    var value = schema.get("additionalProperties");
    if (value == null) {
      return;
    }
    if (!schema.treeOrEmpty("properties").isEmpty() && !Boolean.TRUE.equals(value)) {
      errors.forbidden(
          path.child("additionalProperties"),
          "additionalProperties and properties are mutual exclusive");
    }
    if (value instanceof Tree additional) {
      var below =
          place.insideMeta
              ? place.withoutDefaults("inside additionalProperties applying to object metadata")
              : place;
      node(additional, path.child("additionalProperties"), below.below(schema), false, compile);
    }
  }

  private void properties(Tree schema, FieldPath path, Place place, boolean root, boolean compile) {
    boolean resource = root || schema.flag("x-kubernetes-embedded-resource");
    schema
        .treeOrEmpty("properties")
        .fields()
        .forEach((name, property) -> {
          if (!(property instanceof Tree tree)) {
            return;
          }
          var below = resource && META.contains(name) ? place.inMeta() : place;
          if (root && META.contains(name)) {
            below = below.withoutDefaults("in top-level " + name);
          }
          node(tree, path.child("properties").key(name), below.below(schema), false, compile);
        });
  }

  private void alternatives(Tree schema, FieldPath path, Place place) {
    var not = schema.tree("not");
    if (not != null) {
      node(not, path.child("not"), place, false, false);
    }
    for (var field : List.of("allOf", "oneOf", "anyOf")) {
      var list = schema.trees(field);
      for (int i = 0; i < list.size(); i++) {
        node(list.get(i), path.child(field).index(i), place, false, false);
      }
    }
  }
}
