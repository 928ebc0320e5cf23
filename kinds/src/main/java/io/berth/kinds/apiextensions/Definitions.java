package io.berth.kinds.apiextensions;

import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.schema.crd.SchemaChecks;
import io.berth.schema.crd.SchemaPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/// The rules of a definition's spec: group, names, versions, columns, subresources, conversion.
///
/// As in Kubernetes, what all versions have in common is reported as if it stood at the top of the
/// spec: a single version's schema is `spec.validation`.
///
/// Mirrors: apiextensions/validation.validateCustomResourceDefinitionSpec
final class Definitions {

  private static final int MAX_WARNING = 256;
  private static final int MAX_SELECTABLE_FIELDS = 8;
  private static final List<String> SCOPES = List.of("Cluster", "Namespaced");
  private static final List<String> STRATEGIES = List.of("None", "Webhook");
  private static final List<String> COLUMN_TYPES =
      List.of("boolean", "date", "integer", "number", "string");
  private static final List<String> COLUMN_FORMATS =
      List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");

  private final Cursor spec;
  private final Tree before;

  private Definitions(Cursor spec, Tree before) {
    this.spec = spec;
    this.before = before;
  }

  /// `before` is the spec that an update replaces; empty for a new definition.
  static void validate(Cursor spec, Tree before) {
    new Definitions(spec, before).all();
  }

  private void all() {
    group(spec.at("group").required());
    spec.at("scope").oneOf(SCOPES);
    for (var version : spec.each("versions")) {
      version.at("schema", "openAPIV3Schema").required();
    }
    versions(spec.at("versions"));
    names(spec.at("names"));
    if (!spec.at("versions").isEmpty()) {
      common(spec.at("versions").element(0));
    }
    conversion(spec.at("conversion"));
  }

  private static void group(Cursor group) {
    if (!Names.dnsSubdomain(group.text()).isEmpty()) {
      group.follows(Names::dnsSubdomain, ",");
    } else if (!group.text().contains(".")) {
      group.invalid("should be a domain with at least one dot");
    }
  }

  private void versions(Cursor versions) {
    int storages = 0;
    var names = new HashSet<String>();
    boolean unique = true;
    for (var version : versions.each()) {
      storages += version.flag("storage") ? 1 : 0;
      unique &= names.add(version.text("name"));
      label(version.at("name"));
      own(version);
    }
    if (!unique) {
      versions.invalid(goVersions(versions), "must contain unique version names");
    }
    if (storages != 1) {
      versions.invalid(
          goVersions(versions), "must have exactly one version marked as storage version");
    }
    if (!versions.isEmpty()) {
      label(spec.at("version").with(versions.element(0).text("name")));
    }
  }

  private static List<Tree> goVersions(Cursor versions) {
    var shown = new ArrayList<Tree>();
    for (var version : versions.each()) {
      shown.add(
          Tree.of("Name", version.text("name"))
              .put("Served", version.flag("served"))
              .put("Storage", version.flag("storage"))
              .put("Deprecated", version.flag("deprecated"))
              .put("DeprecationWarning", version.at("deprecationWarning").value())
              .put("Schema", null)
              .put("Subresources", null)
              .put("AdditionalPrinterColumns", null)
              .put("SelectableFields", null));
    }
    return shown;
  }

  private static void label(Cursor name) {
    name.follows(Names::dns1035Label, ",");
  }

  private static void names(Cursor names) {
    names.require("plural", "singular", "kind", "listKind");
    label(names.at("plural").ifFilled());
    label(names.at("singular").ifFilled());
    for (var field : names.fields("kind", "listKind")) {
      var complaints = Names.dns1035Label(field.text().toLowerCase(Locale.ROOT));
      if (!complaints.isEmpty()) {
        field
            .ifFilled()
            .invalid(
                "may have mixed case, but should otherwise match: " + String.join(",", complaints));
      }
    }
    names.each("shortNames", Definitions::label);
    var listKind = names.at("listKind").ifFilled();
    if (listKind.is(names.text("kind"))) {
      listKind.invalid("kind and listKind may not be the same");
    }
    names.each("categories", Definitions::label);
  }

  /// What this version has and others have not.
  private void own(Cursor version) {
    version
        .at("deprecationWarning")
        .ifSet(warning -> deprecation(warning, version.flag("deprecated")));
    if (!isCommon("schema")) {
      schema(version, version.at("schema", "openAPIV3Schema"));
    }
    if (!isCommon("subresources")) {
      subresources(version.at("subresources"));
    }
    if (!isCommon("additionalPrinterColumns")) {
      version.each("additionalPrinterColumns", Definitions::column);
    }
    if (!isCommon("selectableFields")) {
      selectableFields(version, version.at("selectableFields"));
    }
  }

  /// What all versions have, as if it stood in the spec itself.
  private void common(Cursor version) {
    var all = spec.with(version.value());
    if (isCommon("schema")) {
      var schema = version.at("schema", "openAPIV3Schema").value();
      schema(version, spec.at("validation", "openAPIV3Schema").with(schema));
    }
    if (isCommon("subresources")) {
      subresources(all.at("subresources"));
    }
    if (isCommon("additionalPrinterColumns")) {
      all.each("additionalPrinterColumns", Definitions::column);
    }
    if (isCommon("selectableFields")) {
      selectableFields(version, all.at("selectableFields"));
    }
  }

  private boolean isCommon(String field) {
    var versions = spec.tree().trees("versions");
    return versions.stream()
        .allMatch(version -> Fields.isSame(version.get(field), versions.getFirst().get(field)));
  }

  private void schema(Cursor version, Cursor schema) {
    if (schema.isSet()) {
      boolean withStatus = version.at("subresources").has("status");
      SchemaChecks.check(
          schema.tree(), schema.path(), withStatus, isUnchanged(version.tree()), schema.errors());
    }
  }

  /// Whether a version had this schema before.
  private boolean isUnchanged(Tree version) {
    return before.trees("versions").stream()
        .anyMatch(old ->
            old.textOrEmpty("name").equals(version.textOrEmpty("name"))
                && old.treeOrEmpty("schema").equals(version.treeOrEmpty("schema")));
  }

  private static void deprecation(Cursor warning, boolean deprecated) {
    var text = warning.text();
    if (!deprecated) {
      warning.invalid("can only be set for deprecated versions");
      return;
    }
    if (Names.bytes(text) > MAX_WARNING) {
      warning.invalid("must be <= 256 characters long");
    }
    if (text.isEmpty()) {
      warning.invalid("must not be an empty string");
    }
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        warning.invalid(
            "must only contain printable UTF-8 characters; non-printable character found at index "
                + i);
        return;
      }
    }
  }

  private static void selectableFields(Cursor version, Cursor fields) {
    var root = version.at("schema", "openAPIV3Schema").tree();
    var seen = new HashSet<String>();
    for (var field : fields.each()) {
      var path = field.at("jsonPath").required();
      if (!path.isSet()) {
        continue;
      }
      var found = SchemaPath.resolve(path.text(), root, false);
      if (!found.isValid()) {
        path.invalid("is an invalid path: " + found.problem());
        continue;
      }
      if (found.first().equals("metadata")) {
        path.invalid("must not point to fields in metadata");
      }
      if (!List.of("string", "boolean", "integer").contains(found.type())) {
        path.invalid(
            "must point to a field of type string, boolean or integer. Enum string fields and"
                + " strings with formats are allowed.");
      }
      if (!seen.add(found.text())) {
        path.duplicate();
      }
    }
    if (seen.size() > MAX_SELECTABLE_FIELDS) {
      fields.errors().tooMany(fields.path(), seen.size(), MAX_SELECTABLE_FIELDS);
    }
  }

  private static void column(Cursor column) {
    column.require("name");
    var types = "must be one of " + String.join(",", COLUMN_TYPES);
    var type = column.at("type").required(types);
    if (!COLUMN_TYPES.contains(type.text())) {
      type.invalid(types);
    }
    var format = column.at("format").ifFilled();
    if (!COLUMN_FORMATS.contains(format.text())) {
      format.invalid("must be one of " + String.join(",", COLUMN_FORMATS));
    }
    isSimple(column.at("JSONPath").with(column.text("jsonPath")).required());
  }

  private static boolean isSimple(Cursor path) {
    boolean simple = path.text().startsWith(".");
    if (!simple) {
      path.invalid("must be a simple json path starting with .");
    }
    return simple;
  }

  // As in Kubernetes, which writes two steps as one.
  private static void subresources(Cursor subresources) {
    var scale = subresources.at("scale");
    if (!scale.isSet()) {
      return;
    }
    for (var side : List.of("spec", "status")) {
      var field = side + "ReplicasPath";
      var path = subresources.at("scale." + field).with(scale.text(field)).required();
      if (isSimple(path) && !path.text().startsWith("." + side + ".")) {
        path.invalid("should be a json path under ." + side);
      }
    }
    var selector =
        subresources.at("scale.labelSelectorPath").with(scale.text("labelSelectorPath")).ifFilled();
    if (isSimple(selector)
        && !selector.text().startsWith(".spec.")
        && !selector.text().startsWith(".status.")) {
      selector.invalid("should be a json path under either .spec or .status");
    }
  }

  private static void conversion(Cursor conversion) {
    var strategy = conversion.at("strategy").oneOf(STRATEGIES);
    var webhook = conversion.at("webhook");
    var client = conversion.at("webhookClientConfig").with(webhook.at("clientConfig").value());
    var reviews =
        conversion
            .at("conversionReviewVersions")
            .with(webhook.at("conversionReviewVersions").value());
    if (!strategy.is("Webhook")) {
      var unless = "should not be set when strategy is not set to Webhook";
      client.ifSet().forbidden(unless);
      reviews.ifFilled().forbidden(unless);
      return;
    }
    if (!client.isSet()) {
      client.missing("required when strategy is set to Webhook");
    } else if (client.has("url") == client.has("service")) {
      client.missing("exactly one of url or service is required");
    }
    reviews.required();
  }
}
