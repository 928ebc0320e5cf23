package io.berth.kinds.apps;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.LabelSelector;
import io.berth.api.Tree;
import io.berth.kinds.core.PodOptions;
import io.berth.kinds.core.PodSpecValidation;
import io.berth.kinds.core.PodWarnings;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What controllers demand of the pods they make and of the selector that finds them again.
public final class PodTemplates {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath TEMPLATE = SPEC.child("template");

  private PodTemplates() {}

  /// A selector that is there, well formed, and not empty. Says whether it is well formed: what a
  /// broken one shall select is not looked at.
  static boolean validateSelector(Tree spec, String kind, String unusable, FieldErrors errors) {
    var path = SPEC.child("selector");
    var selector = spec.tree("selector");
    if (selector == null) {
      errors.required(path);
      return true;
    }
    LabelSelectors.validate(selector, false, path, errors);
    if (LabelSelectors.isEmpty(selector)) {
      errors.invalid(path, selector, "empty selector is invalid for " + kind);
    }
    boolean wellFormed = LabelSelectors.isWellFormed(selector);
    if (!wellFormed) {
      errors.invalid(path, LabelSelectors.shown(selector), unusable);
    }
    return wellFormed;
  }

  static void validateSameSelector(Tree object, Tree old, FieldErrors errors) {
    var selector = object.tree("spec", "selector");
    if (!Objects.equals(selector, old.tree("spec", "selector"))) {
      errors.invalid(
          SPEC.child("selector"),
          selector == null ? null : LabelSelectors.shown(selector),
          Checks.IMMUTABLE);
    }
  }

  /// The selector must select the template's labels.
  public static void validateMatch(Tree spec, FieldErrors errors) {
    var selector = spec.tree("selector");
    if (selector != null && LabelSelectors.isEmpty(selector)) {
      return;
    }
    var template = spec.treeOrEmpty("template");
    if (!LabelSelector.of(selector).matches(template.texts("metadata", "labels"))) {
      errors.invalid(
          TEMPLATE.child("metadata", "labels"),
          labelsOf(template),
          "`selector` does not match template `labels`");
    }
  }

  /// The labels as messages show them: `null` when there are none.
  public static @Nullable Object labelsOf(Tree template) {
    return template.at("metadata", "labels") == null ? null : template.texts("metadata", "labels");
  }

  /// Selector and template, whose pods must never stop: what replica sets and deployments demand.
  static void validateForReplicaSet(Tree spec, @Nullable Tree old, FieldErrors errors) {
    if (!validateSelector(spec, "deployment", "invalid label selector", errors)) {
      return;
    }
    validateMatch(spec, errors);
    var template = spec.treeOrEmpty("template");
    PodSpecValidation.validateTemplate(template, TEMPLATE, optionsFor(old), errors);
    validateRunsOn(template, "ReplicaSet", errors);
  }

  /// An update strategy as messages show it.
  static Tree goStrategy(Tree strategy) {
    var rolling = strategy.tree("rollingUpdate");
    var goRolling =
        rolling == null
            ? null
            : Tree.of(
                "MaxUnavailable",
                rolling.get("maxUnavailable"),
                "MaxSurge",
                rolling.get("maxSurge"));
    return Tree.of("Type", strategy.textOrEmpty("type"), "RollingUpdate", goRolling);
  }

  static PodOptions optionsFor(@Nullable Tree oldSpec) {
    return PodOptions.forTemplate(oldSpec == null ? null : oldSpec.tree("template"));
  }

  /// Pods of these controllers are always restarted and have no deadline.
  static void validateRunsOn(Tree template, String kind, FieldErrors errors) {
    var policy = template.textOrEmpty("spec", "restartPolicy");
    if (!policy.equals("Always")) {
      errors.notSupported(TEMPLATE.child("spec", "restartPolicy"), policy, List.of("Always"));
    }
    if (template.at("spec", "activeDeadlineSeconds") != null) {
      errors.forbidden(
          TEMPLATE.child("spec", "activeDeadlineSeconds"),
          "activeDeadlineSeconds in %s is not Supported".formatted(kind));
    }
  }

  /// A name that becomes part of host names had better be a DNS label.
  static List<String> warningsOnCreate(Tree object) {
    var warnings = new ArrayList<String>();
    var complaints = Names.dnsLabel(object.textOrEmpty("metadata", "name"));
    if (!complaints.isEmpty()) {
      warnings.add(
          "metadata.name: this is used in Pod names and hostnames, which can result in surprising"
              + " behavior; a DNS label is recommended: ["
              + String.join(" ", complaints)
              + "]");
    }
    warnings.addAll(templateWarnings(object));
    return warnings;
  }

  /// Templates are looked at again only when the object asks for something else.
  static List<String> warningsOnUpdate(Tree object, Tree old) {
    return object.number(0, "metadata", "generation") == old.number(0, "metadata", "generation")
        ? List.of()
        : templateWarnings(object);
  }

  static List<String> templateWarnings(Tree object) {
    return PodWarnings.of(object.treeOrEmpty("spec", "template"), TEMPLATE, true);
  }
}
