package io.berth.kinds.apps;

import io.berth.api.FieldPath;
import io.berth.api.LabelSelector;
import io.berth.api.Tree;
import io.berth.kinds.core.PodOptions;
import io.berth.kinds.core.PodSpecValidation;
import io.berth.kinds.core.PodWarnings;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What controllers demand of the pods they make and of the selector that finds them again.
///
/// Mirrors: apps/validation.ValidatePodTemplateSpecForReplicaSet
public final class PodTemplates {

  private static final FieldPath TEMPLATE = FieldPath.of("spec", "template");

  private PodTemplates() {}

  /// A selector that is there, well formed, and not empty. Says whether it is well formed: what a
  /// broken one shall select is not looked at.
  static boolean validateSelector(Cursor spec, String kind, String unusable) {
    var selector = spec.at("selector");
    if (!selector.isSet()) {
      selector.missing();
      return true;
    }
    LabelSelectors.validate(selector, false);
    if (LabelSelectors.isEmpty(selector.tree())) {
      selector.invalid("empty selector is invalid for " + kind);
    }
    boolean wellFormed = LabelSelectors.isWellFormed(selector.tree());
    if (!wellFormed) {
      selector.invalid(LabelSelectors.shown(selector.tree()), unusable);
    }
    return wellFormed;
  }

  static void validateSameSelector(Cursor spec, Tree old) {
    var selector = spec.at("selector");
    if (!Objects.equals(selector.value(), old.get("selector"))) {
      selector.invalid(
          selector.isSet() ? LabelSelectors.shown(selector.tree()) : null, Checks.IMMUTABLE);
    }
  }

  /// The selector must select the template's labels.
  public static void validateMatch(Cursor spec) {
    var selector = spec.at("selector").treeOrNull();
    if (selector != null && LabelSelectors.isEmpty(selector)) {
      return;
    }
    var labels = spec.at("template", "metadata", "labels");
    if (!LabelSelector.of(selector).matches(labels.texts())) {
      labels.invalid(
          labelsOf(spec.at("template").tree()), "`selector` does not match template `labels`");
    }
  }

  /// The labels as messages show them: `null` when there are none.
  public static @Nullable Object labelsOf(Tree template) {
    return template.at("metadata", "labels") == null ? null : template.texts("metadata", "labels");
  }

  /// Selector and template, whose pods must never stop: what replica sets and deployments demand.
  static void validateForReplicaSet(Cursor spec, @Nullable Tree old) {
    if (validateSelector(spec, "deployment", "invalid label selector")) {
      validateMatch(spec);
      var template = spec.at("template");
      PodSpecValidation.validateTemplate(template, optionsFor(old));
      validateRunsOn(template, "ReplicaSet");
    }
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
  static void validateRunsOn(Cursor template, String kind) {
    template.at("spec", "restartPolicy").supported(List.of("Always"));
    template
        .at("spec")
        .forbidden(
            "activeDeadlineSeconds in %s is not Supported".formatted(kind),
            "activeDeadlineSeconds");
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
