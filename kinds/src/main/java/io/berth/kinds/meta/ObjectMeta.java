package io.berth.kinds.meta;

import io.berth.api.FieldError;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The rules of `metadata`, in the order in which Kubernetes checks them.
///
/// Mirrors: apimachinery/pkg/api/validation.ValidateObjectMeta, ValidateObjectMetaUpdate
public final class ObjectMeta {

  public static final FieldPath PATH = FieldPath.of("metadata");

  private static final int MAX_ANNOTATIONS_BYTES = 256 * 1024;

  private static final List<String> NOT_IN_TEMPLATES =
      List.of(
          "name",
          "generateName",
          "namespace",
          "selfLink",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "ownerReferences",
          "finalizers",
          "managedFields");

  private static final Set<String> STANDARD_FINALIZERS =
      Set.of("kubernetes", "orphan", "foregroundDeletion");

  private ObjectMeta() {}

  /// The metadata of a new object.
  public static void validate(Cursor object, boolean namespaced, NameRule nameRule) {
    var meta = object.at("metadata");
    validateAnyName(meta, namespaced, nameRule);
    validateFinalizersAreQualified(meta);
  }

  /// What the server checks of every object, whatever its kind.
  public static void validateAny(Cursor object, boolean namespaced) {
    validateAnyName(object.at("metadata"), namespaced, Names.Rule.PATH_SEGMENT);
  }

  /// The metadata of a new custom resource or definition: finalizers need no domain there.
  public static void validateCustom(Cursor object, boolean namespaced) {
    validateAnyName(object.at("metadata"), namespaced, Names.Rule.DNS_SUBDOMAIN);
  }

  private static void validateAnyName(Cursor meta, boolean namespaced, NameRule nameRule) {
    meta.at("generateName").ifFilled().follows(name -> nameRule.check(name, true));
    meta.at("name")
        .required("name or generateName is required")
        .follows(name -> nameRule.check(name, false));
    validateNamespace(meta.at("namespace"), namespaced);
    meta.at("generation").nonNegative();
    validateCommon(meta);
    validateFinalizers(meta.at("finalizers"));
  }

  private static void validateNamespace(Cursor namespace, boolean namespaced) {
    if (namespaced) {
      namespace.required().follows(Names::dnsLabel);
    } else if (!namespace.isEmpty()) {
      namespace.forbidden("not allowed on this type");
    }
  }

  private static void validateCommon(Cursor meta) {
    validateLabels(meta.at("labels"));
    validateAnnotations(meta.at("annotations"));
    validateOwnerReferences(meta.at("ownerReferences"));
  }

  /// Labels of an object, of a template or of a selector.
  public static void validateLabels(Cursor labels) {
    labels
        .texts()
        .forEach((key, value) -> {
          labels.with(key).follows(Names::qualifiedName);
          labels.with(value).follows(Names::labelValue);
        });
  }

  /// The metadata of a template: labels and annotations for what is made from it, nothing else.
  public static void validateTemplate(Cursor meta) {
    validateAnnotations(meta.at("annotations"));
    validateLabels(meta.at("labels"));
    for (var field : NOT_IN_TEMPLATES) {
      if (meta.has(field)) {
        // As in Kubernetes, which makes the names of fields from those of its own.
        meta.at(field.equals("uid") ? "uID" : field).forbidden("cannot be set");
      }
    }
  }

  public static void validateAnnotations(Cursor annotations) {
    long size = 0;
    for (var annotation : annotations.texts().entrySet()) {
      var key = annotation.getKey();
      annotations.with(key).follows(name -> Names.qualifiedName(name.toLowerCase(Locale.ROOT)));
      size += Names.bytes(key) + (long) Names.bytes(annotation.getValue());
    }
    if (size > MAX_ANNOTATIONS_BYTES) {
      annotations.tooLong(MAX_ANNOTATIONS_BYTES);
    }
  }

  private static void validateOwnerReferences(Cursor owners) {
    var controller = "";
    for (var owner : owners.each()) {
      validateOwnerReference(owner);
      if (owner.flag("controller")) {
        var name = owner.text("kind") + "/" + owner.text("name");
        if (controller.isEmpty()) {
          controller = name;
        } else {
          owners.invalid(
              "Only one reference can have Controller set to true. Found \"true\" in references"
                  + " for %s and %s".formatted(controller, name));
        }
      }
    }
  }

  private static void validateOwnerReference(Cursor owner) {
    var apiVersion = owner.at("apiVersion").required("must not be empty");
    var text = apiVersion.text();
    if (text.endsWith("/") || text.indexOf('/') != text.lastIndexOf('/')) {
      apiVersion.invalid("must be <group>/<version> or <version>");
    }
    for (var field : owner.fields("kind", "name", "uid")) {
      field.required("must not be empty");
    }
    if (text.equals("v1") && owner.text("kind").equals("Event")) {
      owner.invalid("/v1, Kind=Event is disallowed from being an owner");
    }
  }

  private static void validateFinalizers(Cursor finalizers) {
    for (var finalizer : finalizers.list()) {
      finalizers.with(finalizer).follows(Names::qualifiedName);
    }
    if (finalizers.list().containsAll(List.of("orphan", "foregroundDeletion"))) {
      finalizers.invalid("finalizer orphan and foregroundDeletion cannot be both set");
    }
  }

  private static void validateFinalizersAreQualified(Cursor meta) {
    meta.each("finalizers", ObjectMeta::validateFinalizerIsQualified);
  }

  /// Finalizers without a domain are Kubernetes' own.
  public static void validateFinalizerIsQualified(Cursor finalizer) {
    var name = finalizer.text();
    if (name.indexOf('/') < 0 && !STANDARD_FINALIZERS.contains(name)) {
      finalizer.invalid("name is neither a standard finalizer name nor is it fully qualified");
    }
  }

  /// What a kind's own rules check of a change.
  public static void validateUpdate(Cursor object, Tree old) {
    validateAnyUpdate(object, old);
    validateFinalizersAreQualified(object.at("metadata"));
  }

  /// What the server checks of every change, whatever the kind.
  public static void validateAnyUpdate(Cursor object, Tree old) {
    var meta = object.at("metadata");
    var oldMeta = old.treeOrEmpty("metadata");
    if (oldMeta.has("deletionTimestamp")) {
      validateNoNewFinalizers(meta.at("finalizers"), oldMeta.list("finalizers"));
    }
    if (meta.text("resourceVersion").isEmpty()) {
      meta.at("resourceVersion").invalid("", "must be specified for an update");
    }
    var generation = meta.at("generation").nonNegative();
    if (generation.number() < oldMeta.number(0, "generation")) {
      generation.invalidNumber("must not be decremented");
    }
    meta.immutable(
        oldMeta,
        "name",
        "namespace",
        "uid",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds");
    validateCommon(meta);
  }

  private static void validateNoNewFinalizers(Cursor finalizers, List<@Nullable Object> old) {
    var added = new TreeSet<String>();
    finalizers.list().forEach(each -> added.add(String.valueOf(each)));
    old.forEach(each -> added.remove(String.valueOf(each)));
    if (!added.isEmpty()) {
      var quoted = new ArrayList<String>();
      added.forEach(finalizer -> quoted.add(FieldError.quoted(finalizer)));
      finalizers.forbidden(
          "no new finalizers can be added if the object is being deleted, found new finalizers"
              + " []string{%s}".formatted(String.join(", ", quoted)));
    }
  }
}
