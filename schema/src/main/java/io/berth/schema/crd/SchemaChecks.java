package io.berth.schema.crd;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What Kubernetes asks of the schema of a definition before it serves objects by it.
///
/// First the schema must be structural, then its defaults must fit it, and only then are its
/// expressions compiled.
public final class SchemaChecks {

  private static final List<String> ROOT_FIELDS =
      List.of(
          "Description",
          "Type",
          "Format",
          "Title",
          "Maximum",
          "ExclusiveMaximum",
          "Minimum",
          "ExclusiveMinimum",
          "MaxLength",
          "MinLength",
          "Pattern",
          "MaxItems",
          "MinItems",
          "UniqueItems",
          "MultipleOf",
          "Required",
          "Items",
          "Properties",
          "ExternalDocs",
          "Example",
          "XPreserveUnknownFields",
          "XValidations");
  private static final Set<String> NOT_AT_ROOT_WITH_STATUS =
      Set.of(
          "enum",
          "allOf",
          "oneOf",
          "anyOf",
          "not",
          "additionalProperties",
          "default",
          "nullable",
          "maxProperties",
          "minProperties",
          "x-kubernetes-embedded-resource",
          "x-kubernetes-int-or-string",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-list-type",
          "x-kubernetes-map-type");

  private SchemaChecks() {}

  /// Objections to an `openAPIV3Schema`; `path` is where it stands. `unchanged` says that it was
  /// accepted before: a rule that costs too much is not refused then.
  public static void check(
      Tree schema, FieldPath path, boolean withStatus, boolean unchanged, FieldErrors errors) {
    var found = new FieldErrors();
    if (withStatus) {
      checkRoot(schema, path, found);
    }
    if (schema.flag("nullable")) {
      found.forbidden(path.child("nullable"), "nullable cannot be true at the root");
    }
    var structural = new FieldErrors();
    boolean readable = isReadable(schema);
    if (readable) {
      StructuralChecks.check(schema, path, structural);
      if (structural.isEmpty()) {
        DefaultChecks.check(schema, path, structural);
      }
    }
    found.addAll(structural);
    var costs = new RuleCosts(!unchanged);
    NodeChecks.check(schema, path, readable && structural.isEmpty(), costs, found);
    costs.check(path, found);
    errors.addAll(found);
  }

  /// Whether the schema uses only words that structural schemas have; the others are refused by
  /// themselves, and nothing more is said about such a schema.
  private static boolean isReadable(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream().allMatch(SchemaChecks::isReadable);
    }
    if (!(value instanceof Tree schema)) {
      return true;
    }
    if (NodeChecks.UNSUPPORTED.stream().anyMatch(field -> schema.get(field) != null)
        || schema.get("items") instanceof List<?>
        || Boolean.FALSE.equals(schema.get("x-kubernetes-preserve-unknown-fields"))) {
      return false;
    }
    return schema.treeOrEmpty("properties").fields().values().stream()
            .allMatch(SchemaChecks::isReadable)
        && List.of("items", "additionalProperties", "not", "allOf", "anyOf", "oneOf").stream()
            .allMatch(field -> isReadable(schema.get(field)));
  }

  /// The schema of the status is taken out of the whole: nothing beside it may say more about it.
  private static void checkRoot(Tree schema, FieldPath path, FieldErrors errors) {
    var type = schema.textOrEmpty("type");
    if (!type.isEmpty() && !type.equals("object")) {
      errors.invalid(
          path.child("type"),
          type,
          "only \"object\" is allowed as the type at the root of the schema if the status"
              + " subresource is enabled");
      return;
    }
    if (schema.names().stream().anyMatch(NOT_AT_ROOT_WITH_STATUS::contains)) {
      errors.invalid(
          path,
          schema,
          "only [%s] fields are allowed at the root of the schema if the status subresource is enabled"
              .formatted(String.join(" ", ROOT_FIELDS)));
    }
  }
}
