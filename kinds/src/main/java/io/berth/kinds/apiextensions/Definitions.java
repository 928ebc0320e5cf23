package io.berth.kinds.apiextensions;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import io.berth.schema.crd.SchemaChecks;
import io.berth.schema.crd.SchemaPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The rules of a definition's spec: group, names, versions, columns, subresources, conversion.
///
/// As in Kubernetes, what all versions have in common is reported as if it stood at the top of the
/// spec: a single version's schema is `spec.validation`.
final class Definitions {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final int MAX_WARNING = 256;
  private static final int MAX_SELECTABLE_FIELDS = 8;
  private static final List<String> SCOPES = List.of("Cluster", "Namespaced");
  private static final List<String> STRATEGIES = List.of("None", "Webhook");
  private static final List<String> COLUMN_TYPES =
      List.of("boolean", "date", "integer", "number", "string");
  private static final List<String> COLUMN_FORMATS =
      List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");

  private final Tree spec;
  private final Tree before;
  private final FieldErrors errors;

  private Definitions(Tree spec, Tree before, FieldErrors errors) {
    this.spec = spec;
    this.before = before;
    this.errors = errors;
  }

  /// `before` is the spec that an update replaces; empty for a new definition.
  static void validate(Tree spec, Tree before, FieldErrors errors) {
    new Definitions(spec, before, errors).all();
  }

  private void all() {
    group(spec.textOrEmpty("group"));
    Checks.oneOf(SPEC.child("scope"), spec.textOrEmpty("scope"), SCOPES, errors);
    var versions = spec.trees("versions");
    for (int i = 0; i < versions.size(); i++) {
      if (versions.get(i).at("schema", "openAPIV3Schema") == null) {
        errors.required(SPEC.child("versions").index(i).child("schema", "openAPIV3Schema"));
      }
    }
    versions(versions);
    names(spec.treeOrEmpty("names"), SPEC.child("names"));
    if (!versions.isEmpty()) {
      common(versions.getFirst());
    }
    conversion(spec.treeOrEmpty("conversion"), SPEC.child("conversion"));
  }

  private void group(String group) {
    var path = SPEC.child("group");
    if (!Checks.required(path, group, errors)) {
      return;
    }
    var complaints = Names.dnsSubdomain(group);
    if (!complaints.isEmpty()) {
      errors.invalid(path, group, String.join(",", complaints));
    } else if (!group.contains(".")) {
      errors.invalid(path, group, "should be a domain with at least one dot");
    }
  }

  private void versions(List<Tree> versions) {
    int storages = 0;
    var names = new HashSet<String>();
    boolean unique = true;
    for (int i = 0; i < versions.size(); i++) {
      var version = versions.get(i);
      var path = SPEC.child("versions").index(i);
      storages += version.flag("storage") ? 1 : 0;
      unique &= names.add(version.textOrEmpty("name"));
      label(path.child("name"), version.textOrEmpty("name"));
      own(version, path);
    }
    if (!unique) {
      errors.invalid(
          SPEC.child("versions"), goVersions(versions), "must contain unique version names");
    }
    if (storages != 1) {
      errors.invalid(
          SPEC.child("versions"),
          goVersions(versions),
          "must have exactly one version marked as storage version");
    }
    if (!versions.isEmpty()) {
      label(SPEC.child("version"), versions.getFirst().textOrEmpty("name"));
    }
  }

  private static List<Tree> goVersions(List<Tree> versions) {
    var shown = new ArrayList<Tree>();
    for (var version : versions) {
      shown.add(
          Tree.of("Name", version.textOrEmpty("name"))
              .put("Served", version.flag("served"))
              .put("Storage", version.flag("storage"))
              .put("Deprecated", version.flag("deprecated"))
              .put("DeprecationWarning", version.get("deprecationWarning"))
              .put("Schema", null)
              .put("Subresources", null)
              .put("AdditionalPrinterColumns", null)
              .put("SelectableFields", null));
    }
    return shown;
  }

  private void label(FieldPath path, String name) {
    var complaints = Names.dns1035Label(name);
    if (!complaints.isEmpty()) {
      errors.invalid(path, name, String.join(",", complaints));
    }
  }

  private void names(Tree names, FieldPath path) {
    for (var field : List.of("plural", "singular", "kind", "listKind")) {
      if (names.textOrEmpty(field).isEmpty()) {
        errors.required(path.child(field));
      }
    }
    for (var field : List.of("plural", "singular")) {
      if (!names.textOrEmpty(field).isEmpty()) {
        label(path.child(field), names.textOrEmpty(field));
      }
    }
    for (var field : List.of("kind", "listKind")) {
      var name = names.textOrEmpty(field);
      var complaints = Names.dns1035Label(name.toLowerCase(Locale.ROOT));
      if (!name.isEmpty() && !complaints.isEmpty()) {
        errors.invalid(
            path.child(field),
            name,
            "may have mixed case, but should otherwise match: " + String.join(",", complaints));
      }
    }
    labels(names.list("shortNames"), path.child("shortNames"));
    var kind = names.textOrEmpty("kind");
    if (!kind.isEmpty() && kind.equals(names.textOrEmpty("listKind"))) {
      errors.invalid(path.child("listKind"), kind, "kind and listKind may not be the same");
    }
    labels(names.list("categories"), path.child("categories"));
  }

  private void labels(List<@Nullable Object> values, FieldPath path) {
    for (int i = 0; i < values.size(); i++) {
      label(path.index(i), String.valueOf(values.get(i)));
    }
  }

  /// What this version has and others have not.
  private void own(Tree version, FieldPath path) {
    deprecation(version, path.child("deprecationWarning"));
    if (!isCommon("schema")) {
      schema(version, path.child("schema", "openAPIV3Schema"));
    }
    if (!isCommon("subresources")) {
      subresources(version.treeOrEmpty("subresources"), path.child("subresources"));
    }
    if (!isCommon("additionalPrinterColumns")) {
      columns(version, path);
    }
    if (!isCommon("selectableFields")) {
      selectableFields(version, path.child("selectableFields"));
    }
  }

  /// What all versions have.
  private void common(Tree version) {
    if (isCommon("schema")) {
      schema(version, SPEC.child("validation", "openAPIV3Schema"));
    }
    if (isCommon("subresources")) {
      subresources(version.treeOrEmpty("subresources"), SPEC.child("subresources"));
    }
    if (isCommon("additionalPrinterColumns")) {
      columns(version, SPEC);
    }
    if (isCommon("selectableFields")) {
      selectableFields(version, SPEC.child("selectableFields"));
    }
  }

  private boolean isCommon(String field) {
    var versions = spec.trees("versions");
    return versions.stream()
        .allMatch(version -> Fields.isSame(version.get(field), versions.getFirst().get(field)));
  }

  private void schema(Tree version, FieldPath path) {
    var root = version.tree("schema", "openAPIV3Schema");
    if (root != null) {
      boolean withStatus = version.at("subresources", "status") != null;
      SchemaChecks.check(root, path, withStatus, isUnchanged(version), errors);
    }
  }

  /// Whether a version had this schema before.
  private boolean isUnchanged(Tree version) {
    return before.trees("versions").stream()
        .anyMatch(old ->
            old.textOrEmpty("name").equals(version.textOrEmpty("name"))
                && old.treeOrEmpty("schema").equals(version.treeOrEmpty("schema")));
  }

  private void columns(Tree version, FieldPath path) {
    var columns = version.trees("additionalPrinterColumns");
    for (int i = 0; i < columns.size(); i++) {
      column(columns.get(i), path.child("additionalPrinterColumns").index(i));
    }
  }

  private void deprecation(Tree version, FieldPath path) {
    var warning = version.text("deprecationWarning");
    if (warning == null) {
      return;
    }
    if (!version.flag("deprecated")) {
      errors.invalid(path, warning, "can only be set for deprecated versions");
      return;
    }
    if (Names.bytes(warning) > MAX_WARNING) {
      errors.invalid(path, warning, "must be <= 256 characters long");
    }
    if (warning.isEmpty()) {
      errors.invalid(path, warning, "must not be an empty string");
    }
    for (int i = 0; i < warning.length(); i++) {
      if (Character.isISOControl(warning.charAt(i))) {
        errors.invalid(
            path,
            warning,
            "must only contain printable UTF-8 characters; non-printable character found at index "
                + i);
        return;
      }
    }
  }

  private void selectableFields(Tree version, FieldPath path) {
    var root = version.treeOrEmpty("schema", "openAPIV3Schema");
    var fields = version.trees("selectableFields");
    var seen = new HashSet<String>();
    for (int i = 0; i < fields.size(); i++) {
      var at = path.index(i).child("jsonPath");
      var text = fields.get(i).textOrEmpty("jsonPath");
      if (!Checks.required(at, text, errors)) {
        continue;
      }
      var found = SchemaPath.resolve(text, root, false);
      if (!found.isValid()) {
        errors.invalid(at, text, "is an invalid path: " + found.problem());
        continue;
      }
      if (found.first().equals("metadata")) {
        errors.invalid(at, text, "must not point to fields in metadata");
      }
      if (!List.of("string", "boolean", "integer").contains(found.type())) {
        errors.invalid(
            at,
            text,
            "must point to a field of type string, boolean or integer. Enum string fields and"
                + " strings with formats are allowed.");
      }
      if (!seen.add(found.text())) {
        errors.duplicate(at, text);
      }
    }
    if (seen.size() > MAX_SELECTABLE_FIELDS) {
      errors.tooMany(path, seen.size(), MAX_SELECTABLE_FIELDS);
    }
  }

  private void column(Tree column, FieldPath path) {
    Checks.required(path.child("name"), column.textOrEmpty("name"), errors);
    var types = "must be one of " + String.join(",", COLUMN_TYPES);
    var type = column.textOrEmpty("type");
    if (type.isEmpty()) {
      errors.required(path.child("type"), types);
    } else if (!COLUMN_TYPES.contains(type)) {
      errors.invalid(path.child("type"), type, types);
    }
    var format = column.textOrEmpty("format");
    if (!format.isEmpty() && !COLUMN_FORMATS.contains(format)) {
      errors.invalid(
          path.child("format"), format, "must be one of " + String.join(",", COLUMN_FORMATS));
    }
    var jsonPath = column.textOrEmpty("jsonPath");
    if (Checks.required(path.child("JSONPath"), jsonPath, errors)) {
      simplePath(path.child("JSONPath"), jsonPath);
    }
  }

  private boolean simplePath(FieldPath path, String value) {
    if (!value.startsWith(".")) {
      errors.invalid(path, value, "must be a simple json path starting with .");
      return false;
    }
    return true;
  }

  private void subresources(Tree subresources, FieldPath path) {
    var scale = subresources.tree("scale");
    if (scale == null) {
      return;
    }
    for (var side : List.of("spec", "status")) {
      var field = side + "ReplicasPath";
      var value = scale.textOrEmpty(field);
      var fieldPath = path.child("scale." + field);
      if (Checks.required(fieldPath, value, errors)
          && simplePath(fieldPath, value)
          && !value.startsWith("." + side + ".")) {
        errors.invalid(fieldPath, value, "should be a json path under ." + side);
      }
    }
    var selector = scale.textOrEmpty("labelSelectorPath");
    var selectorPath = path.child("scale.labelSelectorPath");
    if (!selector.isEmpty()
        && simplePath(selectorPath, selector)
        && !selector.startsWith(".spec.")
        && !selector.startsWith(".status.")) {
      errors.invalid(selectorPath, selector, "should be a json path under either .spec or .status");
    }
  }

  private void conversion(Tree conversion, FieldPath path) {
    var strategy = conversion.textOrEmpty("strategy");
    Checks.oneOf(path.child("strategy"), strategy, STRATEGIES, errors);
    var webhook = conversion.treeOrEmpty("webhook");
    var client = webhook.tree("clientConfig");
    var reviews = webhook.list("conversionReviewVersions");
    if (!strategy.equals("Webhook")) {
      if (client != null) {
        errors.forbidden(
            path.child("webhookClientConfig"),
            "should not be set when strategy is not set to Webhook");
      }
      if (!reviews.isEmpty()) {
        errors.forbidden(
            path.child("conversionReviewVersions"),
            "should not be set when strategy is not set to Webhook");
      }
      return;
    }
    if (client == null) {
      errors.required(
          path.child("webhookClientConfig"), "required when strategy is set to Webhook");
    } else if (client.has("url") == client.has("service")) {
      errors.required(
          path.child("webhookClientConfig"), "exactly one of url or service is required");
    }
    if (reviews.isEmpty()) {
      errors.required(path.child("conversionReviewVersions"));
    }
  }
}
