package io.berth.kinds.meta;

import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// The rules of `metadata`, in the order in which Kubernetes checks them.
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
  public static void validate(
      Tree object, boolean namespaced, NameRule nameRule, FieldErrors errors) {
    var meta = object.treeOrEmpty("metadata");
    validateAnyName(meta, namespaced, nameRule, errors);
    validateFinalizersAreQualified(meta, errors);
  }

  /// What the server checks of every object, whatever its kind.
  public static void validateAny(Tree object, boolean namespaced, FieldErrors errors) {
    var meta = object.treeOrEmpty("metadata");
    validateAnyName(meta, namespaced, Names.Rule.PATH_SEGMENT, errors);
  }

  /// The metadata of a new custom resource or definition: finalizers need no domain there.
  public static void validateCustom(Tree object, boolean namespaced, FieldErrors errors) {
    validateAnyName(object.treeOrEmpty("metadata"), namespaced, Names.Rule.DNS_SUBDOMAIN, errors);
  }

  private static void validateAnyName(
      Tree meta, boolean namespaced, NameRule nameRule, FieldErrors errors) {
    var generateName = meta.textOrEmpty("generateName");
    if (!generateName.isEmpty()) {
      invalid(PATH.child("generateName"), generateName, nameRule.check(generateName, true), errors);
    }
    var name = meta.textOrEmpty("name");
    if (name.isEmpty()) {
      errors.required(PATH.child("name"), "name or generateName is required");
    } else {
      invalid(PATH.child("name"), name, nameRule.check(name, false), errors);
    }
    validateNamespace(meta.textOrEmpty("namespace"), namespaced, errors);
    validateGeneration(meta, errors);
    validateCommon(meta, errors);
    validateFinalizers(meta, errors);
  }

  private static void validateNamespace(String namespace, boolean namespaced, FieldErrors errors) {
    var path = PATH.child("namespace");
    if (!namespaced) {
      if (!namespace.isEmpty()) {
        errors.forbidden(path, "not allowed on this type");
      }
    } else if (namespace.isEmpty()) {
      errors.required(path);
    } else {
      invalid(path, namespace, Names.dnsLabel(namespace), errors);
    }
  }

  private static void validateGeneration(Tree meta, FieldErrors errors) {
    long generation = meta.number(0, "generation");
    if (generation < 0) {
      errors.invalid(PATH.child("generation"), generation, "must be greater than or equal to 0");
    }
  }

  private static void validateCommon(Tree meta, FieldErrors errors) {
    validateLabels(meta.texts("labels"), PATH.child("labels"), errors);
    validateAnnotations(meta.texts("annotations"), PATH.child("annotations"), errors);
    validateOwnerReferences(meta.trees("ownerReferences"), errors);
  }

  /// Labels of an object, of a template or of a selector.
  public static void validateLabels(
      Map<String, String> labels, FieldPath path, FieldErrors errors) {
    labels.forEach((key, value) -> {
      validateLabelName(key, path, errors);
      invalid(path, value, Names.labelValue(value), errors);
    });
  }

  /// The metadata of a template: labels and annotations for what is made from it, nothing else.
  public static void validateTemplate(Tree meta, FieldPath path, FieldErrors errors) {
    validateAnnotations(meta.texts("annotations"), path.child("annotations"), errors);
    validateLabels(meta.texts("labels"), path.child("labels"), errors);
    for (var field : NOT_IN_TEMPLATES) {
      if (meta.get(field) != null) {
        // As in Kubernetes, which makes the names of fields from those of its own.
        errors.forbidden(path.child(field.equals("uid") ? "uID" : field), "cannot be set");
      }
    }
  }

  public static void validateLabelName(String key, FieldPath path, FieldErrors errors) {
    invalid(path, key, Names.qualifiedName(key), errors);
  }

  public static void validateAnnotations(
      Map<String, String> annotations, FieldPath path, FieldErrors errors) {
    long size = 0;
    for (var annotation : annotations.entrySet()) {
      var key = annotation.getKey();
      invalid(path, key, Names.qualifiedName(key.toLowerCase(Locale.ROOT)), errors);
      size += Names.bytes(key) + (long) Names.bytes(annotation.getValue());
    }
    if (size > MAX_ANNOTATIONS_BYTES) {
      errors.tooLong(path, MAX_ANNOTATIONS_BYTES);
    }
  }

  private static void validateOwnerReferences(List<Tree> owners, FieldErrors errors) {
    var path = PATH.child("ownerReferences");
    var controller = "";
    for (int i = 0; i < owners.size(); i++) {
      var owner = owners.get(i);
      validateOwnerReference(owner, path.index(i), errors);
      if (owner.flag("controller")) {
        var name = owner.textOrEmpty("kind") + "/" + owner.textOrEmpty("name");
        if (controller.isEmpty()) {
          controller = name;
        } else {
          errors.invalid(
              path,
              owners,
              "Only one reference can have Controller set to true. Found \"true\" in references"
                  + " for %s and %s".formatted(controller, name));
        }
      }
    }
  }

  private static void validateOwnerReference(Tree owner, FieldPath path, FieldErrors errors) {
    var apiVersion = owner.textOrEmpty("apiVersion");
    if (apiVersion.isEmpty()) {
      errors.required(path.child("apiVersion"), "must not be empty");
    } else if (apiVersion.endsWith("/") || apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
      errors.invalid(
          path.child("apiVersion"), apiVersion, "must be <group>/<version> or <version>");
    }
    for (var field : List.of("kind", "name", "uid")) {
      if (owner.textOrEmpty(field).isEmpty()) {
        errors.required(path.child(field), "must not be empty");
      }
    }
    if (apiVersion.equals("v1") && owner.textOrEmpty("kind").equals("Event")) {
      errors.invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner");
    }
  }

  private static void validateFinalizers(Tree meta, FieldErrors errors) {
    var path = PATH.child("finalizers");
    var finalizers = finalizers(meta);
    for (var finalizer : finalizers) {
      invalid(path, finalizer, Names.qualifiedName(finalizer), errors);
    }
    if (finalizers.contains("orphan") && finalizers.contains("foregroundDeletion")) {
      errors.invalid(
          path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set");
    }
  }

  private static void validateFinalizersAreQualified(Tree meta, FieldErrors errors) {
    var finalizers = finalizers(meta);
    for (int i = 0; i < finalizers.size(); i++) {
      validateFinalizerIsQualified(finalizers.get(i), PATH.child("finalizers").index(i), errors);
    }
  }

  /// Finalizers without a domain are Kubernetes' own.
  public static void validateFinalizerIsQualified(
      String finalizer, FieldPath path, FieldErrors errors) {
    if (finalizer.indexOf('/') < 0 && !STANDARD_FINALIZERS.contains(finalizer)) {
      errors.invalid(
          path, finalizer, "name is neither a standard finalizer name nor is it fully qualified");
    }
  }

  /// What a kind's own rules check of a change.
  public static void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    validateAnyUpdate(object, old, errors);
    validateFinalizersAreQualified(object.treeOrEmpty("metadata"), errors);
  }

  /// What the server checks of every change, whatever the kind.
  public static void validateAnyUpdate(Tree object, Tree old, FieldErrors errors) {
    var meta = object.treeOrEmpty("metadata");
    var oldMeta = old.treeOrEmpty("metadata");
    if (oldMeta.has("deletionTimestamp")) {
      validateNoNewFinalizers(meta, oldMeta, errors);
    }
    if (meta.textOrEmpty("resourceVersion").isEmpty()) {
      errors.invalid(PATH.child("resourceVersion"), "", "must be specified for an update");
    }
    validateGeneration(meta, errors);
    if (meta.number(0, "generation") < oldMeta.number(0, "generation")) {
      errors.invalid(
          PATH.child("generation"), meta.number(0, "generation"), "must not be decremented");
    }
    for (var field :
        List.of(
            "name",
            "namespace",
            "uid",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds")) {
      if (!Objects.equals(meta.get(field), oldMeta.get(field))) {
        errors.invalid(PATH.child(field), meta.get(field), "field is immutable");
      }
    }
    validateCommon(meta, errors);
  }

  private static void validateNoNewFinalizers(Tree meta, Tree oldMeta, FieldErrors errors) {
    var added = new TreeSet<>(finalizers(meta));
    finalizers(oldMeta).forEach(added::remove);
    if (!added.isEmpty()) {
      var quoted = new ArrayList<String>();
      added.forEach(finalizer -> quoted.add(FieldError.quoted(finalizer)));
      errors.forbidden(
          PATH.child("finalizers"),
          "no new finalizers can be added if the object is being deleted, found new finalizers"
              + " []string{%s}".formatted(String.join(", ", quoted)));
    }
  }

  private static List<String> finalizers(Tree meta) {
    var finalizers = new ArrayList<String>();
    meta.list("finalizers").forEach(each -> finalizers.add(String.valueOf(each)));
    return finalizers;
  }

  /// One Invalid error per complaint about the value.
  public static void invalid(
      FieldPath path, String value, List<String> complaints, FieldErrors errors) {
    for (var complaint : complaints) {
      errors.invalid(path, value, complaint);
    }
  }
}
