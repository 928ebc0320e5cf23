package io.berth.kinds.batch;

import io.berth.api.FieldPath;
import io.berth.api.LabelSelector;
import io.berth.api.Tree;
import io.berth.kinds.core.PodOptions;
import io.berth.kinds.core.PodSpecValidation;
import io.berth.kinds.core.PodWarnings;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.DomainPaths;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The rules of a job's spec, of jobs and of the templates that cron jobs have.
///
/// Mirrors: batch/validation.ValidateJobSpec, ValidateJobSpecUpdate
final class JobSpecs {

  private static final int MAX_PARALLELISM = 100_000;
  private static final int MAX_FAILED_INDEXES = 100_000;
  private static final int MANY_COMPLETIONS = 100_000;
  private static final int MOST_WITH_MANY_COMPLETIONS = 10_000;
  private static final int MAX_MANAGED_BY = 63;
  private static final List<String> MODES = List.of("NonIndexed", "Indexed");
  private static final List<String> REPLACEMENTS = List.of("Failed", "TerminatingOrFailed");

  private final Cursor spec;

  private JobSpecs(Cursor spec) {
    this.spec = spec;
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
  static void validateWithSelector(Cursor spec, @Nullable Tree old) {
    validate(spec, old);
    var selector = spec.at("selector").required();
    LabelSelectors.validate(
        selector, old != null && LabelSelectors.hasBadValues(old.tree("selector")));
    var labels = spec.at("template", "metadata", "labels");
    if (!LabelSelector.of(selector.treeOrNull()).matches(labels.texts())) {
      labels.invalid(
          labels.texts().isEmpty() ? null : labels.texts(),
          "`selector` does not match template `labels`");
    }
  }

  static void validate(Cursor spec, @Nullable Tree old) {
    new JobSpecs(spec).all(old);
  }

  private void all(@Nullable Tree old) {
    spec.noneNegative(
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "ttlSecondsAfterFinished",
        "backoffLimitPerIndex",
        "maxFailedIndexes");
    if (spec.has("maxFailedIndexes") && !spec.has("backoffLimitPerIndex")) {
      spec.at("backoffLimitPerIndex").missing("when maxFailedIndexes is specified");
    }
    var managedBy = spec.at("managedBy").ifSet();
    DomainPaths.validate(managedBy);
    managedBy.atMostBytes(MAX_MANAGED_BY);
    completionMode();
    new JobPolicies(spec).all();
    spec.at("podReplacementPolicy")
        .ifSet()
        .supported(spec.has("podFailurePolicy") ? List.of("Failed") : REPLACEMENTS);
    var options = PodOptions.forTemplate(old == null ? null : old.tree("template"));
    PodSpecValidation.validateTemplate(spec.at("template"), options);
    restartPolicy(spec.at("template", "spec", "restartPolicy"));
  }

  private void completionMode() {
    var mode = spec.at("completionMode");
    mode.ifSet().supported(MODES);
    if (mode.is("Indexed")) {
      indexed();
    } else if (!mode.isSet() || mode.is("NonIndexed")) {
      for (var field : spec.fields("backoffLimitPerIndex", "maxFailedIndexes")) {
        field.ifSet().invalid("requires indexed completion mode");
      }
    }
  }

  private void indexed() {
    long completions = spec.number("completions");
    var parallelism = spec.at("parallelism");
    var failed = spec.at("maxFailedIndexes").ifSet();
    if (!spec.has("completions")) {
      spec.at("completions").missing("when completion mode is Indexed");
    }
    if (parallelism.number() > MAX_PARALLELISM) {
      parallelism.invalid(
          "must be less than or equal to %d when completion mode is Indexed"
              .formatted(MAX_PARALLELISM));
    }
    if (spec.has("completions") && failed.number() > completions) {
      failed.invalid("must be less than or equal to completions");
    }
    if (failed.number() > MAX_FAILED_INDEXES) {
      failed.invalid("must be less than or equal to %d".formatted(MAX_FAILED_INDEXES));
    }
    if (completions > MANY_COMPLETIONS && spec.has("backoffLimitPerIndex")) {
      manyIndexes(parallelism, spec.at("maxFailedIndexes"));
    }
  }

  private static void manyIndexes(Cursor parallelism, Cursor failed) {
    if (!failed.isSet()) {
      failed.missing("must be specified when completions is above %d".formatted(MANY_COMPLETIONS));
    }
    for (var field : List.of(parallelism, failed)) {
      if (field.number() > MOST_WITH_MANY_COMPLETIONS) {
        field.invalid(
            "must be less than or equal to %d when completions are above %d and used with backoff limit per index"
                .formatted(MOST_WITH_MANY_COMPLETIONS, MANY_COMPLETIONS));
      }
    }
  }

  private void restartPolicy(Cursor policy) {
    if (policy.isEmpty() || policy.is("Always")) {
      policy.missing("valid values: \"OnFailure\", \"Never\"");
    } else if (!policy.is("OnFailure") && !policy.is("Never")) {
      policy.notSupported(List.of("OnFailure", "Never"));
    } else if (spec.has("podFailurePolicy") && !policy.is("Never")) {
      policy.invalid("only \"Never\" is supported when podFailurePolicy is specified");
    }
  }

  /// What of a stored job may change; the template only while the job is suspended.
  static void validateUpdate(Cursor object, Tree old) {
    var spec = object.at("spec");
    var before = old.treeOrEmpty("spec");
    validateWithSelector(spec, before);
    validateCompletions(spec, before);
    spec.immutable(before, "selector");
    JobTemplates.validateUpdate(object, old);
    spec.immutable(
        before,
        "completionMode",
        "podFailurePolicy",
        "backoffLimitPerIndex",
        "managedBy",
        "successPolicy");
  }

  /// Indexed jobs are scaled by changing completions and parallelism together.
  private static void validateCompletions(Cursor spec, Tree old) {
    var completions = spec.at("completions");
    if (!spec.text("completionMode").equals("Indexed")) {
      completions.immutable(old.get("completions"));
    } else if (!Objects.equals(completions.value(), old.get("completions"))
        && !Objects.equals(completions.value(), spec.at("parallelism").value())) {
      completions.ifSet().invalid("can only be modified in tandem with spec.parallelism");
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
