package io.berth.kinds.batch;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.LabelSelector;
import io.berth.api.Tree;
import io.berth.kinds.core.PodOptions;
import io.berth.kinds.core.PodSpecValidation;
import io.berth.kinds.core.PodWarnings;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.DomainPaths;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The rules of a job's spec, of jobs and of the templates that cron jobs have.
final class JobSpecs {

  private static final int MAX_PARALLELISM = 100_000;
  private static final int MAX_FAILED_INDEXES = 100_000;
  private static final int MANY_COMPLETIONS = 100_000;
  private static final int MOST_WITH_MANY_COMPLETIONS = 10_000;
  private static final int MAX_MANAGED_BY = 63;
  private static final List<String> MODES = List.of("NonIndexed", "Indexed");
  private static final List<String> REPLACEMENTS = List.of("Failed", "TerminatingOrFailed");

  private final Tree spec;
  private final FieldPath path;
  private final FieldErrors errors;

  private JobSpecs(Tree spec, FieldPath path, FieldErrors errors) {
    this.spec = spec;
    this.path = path;
    this.errors = errors;
  }

  static void setFailurePolicyDefaults(Tree spec) {
    for (var rule : spec.trees("podFailurePolicy", "rules")) {
      for (var pattern : rule.trees("onPodConditions")) {
        if (pattern.textOrEmpty("status").isEmpty()) {
          pattern.put("status", "True");
        }
      }
    }
  }

  /// A job's own spec, with the selector that finds its pods.
  static void validateWithSelector(Tree spec, @Nullable Tree old, FieldErrors errors) {
    var path = JobStrategy.SPEC;
    validate(spec, old, path, errors);
    var selector = spec.tree("selector");
    if (selector == null) {
      errors.required(path.child("selector"));
    } else {
      boolean lenient = old != null && LabelSelectors.hasBadValues(old.tree("selector"));
      LabelSelectors.validate(selector, lenient, path.child("selector"), errors);
    }
    var labels = spec.texts("template", "metadata", "labels");
    if (!LabelSelector.of(selector).matches(labels)) {
      errors.invalid(
          path.child("template", "metadata", "labels"),
          labels.isEmpty() ? null : labels,
          "`selector` does not match template `labels`");
    }
  }

  static void validate(Tree spec, @Nullable Tree old, FieldPath path, FieldErrors errors) {
    new JobSpecs(spec, path, errors).all(old);
  }

  private void all(@Nullable Tree old) {
    for (var field :
        List.of(
            "parallelism",
            "completions",
            "activeDeadlineSeconds",
            "backoffLimit",
            "ttlSecondsAfterFinished",
            "backoffLimitPerIndex",
            "maxFailedIndexes")) {
      Checks.nonNegative(path.child(field), spec.number(0, field), errors);
    }
    if (spec.has("maxFailedIndexes") && !spec.has("backoffLimitPerIndex")) {
      errors.required(path.child("backoffLimitPerIndex"), "when maxFailedIndexes is specified");
    }
    managedBy();
    completionMode();
    new JobPolicies(spec, path, errors).all();
    replacementPolicy();
    var template = spec.treeOrEmpty("template");
    var options = PodOptions.forTemplate(old == null ? null : old.tree("template"));
    PodSpecValidation.validateTemplate(template, path.child("template"), options, errors);
    restartPolicy(template.textOrEmpty("spec", "restartPolicy"));
  }

  private void managedBy() {
    var manager = spec.text("managedBy");
    if (manager == null) {
      return;
    }
    var field = path.child("managedBy");
    DomainPaths.validate(field, manager, errors);
    if (Names.bytes(manager) > MAX_MANAGED_BY) {
      errors.tooLong(field, MAX_MANAGED_BY);
    }
  }

  private void completionMode() {
    var mode = spec.text("completionMode");
    if (mode != null && !MODES.contains(mode)) {
      errors.notSupported(path.child("completionMode"), mode, MODES);
    }
    if ("Indexed".equals(mode)) {
      indexed();
    } else if (mode == null || mode.equals("NonIndexed")) {
      for (var field : List.of("backoffLimitPerIndex", "maxFailedIndexes")) {
        if (spec.has(field)) {
          errors.invalid(path.child(field), spec.get(field), "requires indexed completion mode");
        }
      }
    }
  }

  private void indexed() {
    long completions = spec.number(-1, "completions");
    long parallelism = spec.number(0, "parallelism");
    long failed = spec.number(-1, "maxFailedIndexes");
    if (completions < 0 && !spec.has("completions")) {
      errors.required(path.child("completions"), "when completion mode is Indexed");
    }
    if (parallelism > MAX_PARALLELISM) {
      errors.invalid(
          path.child("parallelism"),
          parallelism,
          "must be less than or equal to %d when completion mode is Indexed"
              .formatted(MAX_PARALLELISM));
    }
    var failedPath = path.child("maxFailedIndexes");
    if (spec.has("completions") && failed > completions) {
      errors.invalid(failedPath, failed, "must be less than or equal to completions");
    }
    if (failed > MAX_FAILED_INDEXES) {
      errors.invalid(
          failedPath, failed, "must be less than or equal to %d".formatted(MAX_FAILED_INDEXES));
    }
    if (completions > MANY_COMPLETIONS && spec.has("backoffLimitPerIndex")) {
      manyIndexes(parallelism, failed);
    }
  }

  private void manyIndexes(long parallelism, long failed) {
    var most =
        "must be less than or equal to %d when completions are above %d and used with backoff limit per index"
            .formatted(MOST_WITH_MANY_COMPLETIONS, MANY_COMPLETIONS);
    if (!spec.has("maxFailedIndexes")) {
      errors.required(
          path.child("maxFailedIndexes"),
          "must be specified when completions is above %d".formatted(MANY_COMPLETIONS));
    }
    if (parallelism > MOST_WITH_MANY_COMPLETIONS) {
      errors.invalid(path.child("parallelism"), parallelism, most);
    }
    if (failed > MOST_WITH_MANY_COMPLETIONS) {
      errors.invalid(path.child("maxFailedIndexes"), failed, most);
    }
  }

  private void replacementPolicy() {
    var policy = spec.text("podReplacementPolicy");
    if (policy != null) {
      Checks.supported(
          path.child("podReplacementPolicy"),
          policy,
          spec.has("podFailurePolicy") ? List.of("Failed") : REPLACEMENTS,
          errors);
    }
  }

  private void restartPolicy(String policy) {
    var field = path.child("template", "spec", "restartPolicy");
    if (policy.isEmpty() || policy.equals("Always")) {
      errors.required(field, "valid values: \"OnFailure\", \"Never\"");
    } else if (!policy.equals("OnFailure") && !policy.equals("Never")) {
      errors.notSupported(field, policy, List.of("OnFailure", "Never"));
    } else if (spec.has("podFailurePolicy") && !policy.equals("Never")) {
      errors.invalid(
          field, policy, "only \"Never\" is supported when podFailurePolicy is specified");
    }
  }

  /// What of a stored job may change; the template only while the job is suspended.
  static void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    var spec = object.treeOrEmpty("spec");
    var before = old.treeOrEmpty("spec");
    var path = JobStrategy.SPEC;
    validateWithSelector(spec, before, errors);
    validateCompletions(spec, before, errors);
    Checks.immutable(path.child("selector"), spec.get("selector"), before.get("selector"), errors);
    JobTemplates.validateUpdate(object, old, errors);
    for (var field :
        List.of(
            "completionMode",
            "podFailurePolicy",
            "backoffLimitPerIndex",
            "managedBy",
            "successPolicy")) {
      Checks.immutable(path.child(field), spec.get(field), before.get(field), errors);
    }
  }

  /// Indexed jobs are scaled by changing completions and parallelism together.
  private static void validateCompletions(Tree spec, Tree old, FieldErrors errors) {
    var path = JobStrategy.SPEC.child("completions");
    if (!spec.textOrEmpty("completionMode").equals("Indexed")) {
      Checks.immutable(path, spec.get("completions"), old.get("completions"), errors);
    } else if (spec.has("completions")
        && !Objects.equals(spec.get("completions"), old.get("completions"))
        && !Objects.equals(spec.get("completions"), spec.get("parallelism"))) {
      errors.invalid(
          path, spec.get("completions"), "can only be modified in tandem with spec.parallelism");
    }
  }

  static List<String> warningsOnCreate(Tree object, Tree spec, FieldPath path) {
    var warnings = new ArrayList<String>();
    var complaints = Names.dnsLabel(object.textOrEmpty("metadata", "name"));
    if (!complaints.isEmpty()) {
      warnings.add(
          "metadata.name: this is used in Pod names and hostnames, which can result in surprising"
              + " behavior; a DNS label is recommended: ["
              + String.join(" ", complaints)
              + "]");
    }
    warnings.addAll(warnings(spec, path));
    return warnings;
  }

  static List<String> warnings(Tree spec, FieldPath path) {
    var warnings = new ArrayList<String>();
    if (spec.textOrEmpty("completionMode").equals("Indexed")
        && spec.number(0, "completions") > MANY_COMPLETIONS
        && spec.number(0, "parallelism") > MOST_WITH_MANY_COMPLETIONS) {
      warnings.add(
          path
              + ": In Indexed Jobs with a number of completions higher than 10^5 and a parallelism"
              + " higher than 10^4, Kubernetes might not be able to track completedIndexes when a"
              + " big number of indexes fail");
    }
    warnings.addAll(PodWarnings.of(spec.treeOrEmpty("template"), path.child("template"), true));
    return warnings;
  }
}
