package io.berth.kinds.batch;

import io.berth.api.FieldPath;
import io.berth.api.LabelSelector;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.apps.TemplateCells;
import io.berth.kinds.core.PodSpecDefaults;
import io.berth.kinds.meta.Ages;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `batch/v1 jobs`
///
/// Mirrors: registry/batch/job.jobStrategy, batch/validation.ValidateJobCreate
public final class JobStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> UID_LABELS =
      List.of("controller-uid", "batch.kubernetes.io/controller-uid");
  private static final List<String> NAME_LABELS =
      List.of("job-name", "batch.kubernetes.io/job-name");
  private static final String SELECTED = "batch.kubernetes.io/controller-uid";

  public JobStrategy() {
    super(Resource.JOBS);
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.child("spec");
    PodSpecDefaults.applyToTemplate(spec.child("template"));
    JobSpecs.setFailurePolicyDefaults(spec);
    if (spec.get("completions") == null && spec.get("parallelism") == null) {
      spec.put("completions", 1);
    }
    spec.putIfAbsent("parallelism", 1);
    spec.putIfAbsent(
        "backoffLimit", spec.get("backoffLimitPerIndex") == null ? 6 : Integer.MAX_VALUE);
    spec.putIfAbsent("completionMode", "NonIndexed");
    spec.putIfAbsent("suspend", false);
    spec.putIfAbsent(
        "podReplacementPolicy",
        spec.get("podFailurePolicy") == null ? "TerminatingOrFailed" : "Failed");
    spec.putIfAbsent("manualSelector", false);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    if (!object.flag("spec", "manualSelector")) {
      generateSelector(object);
    }
    labelLikeTemplate(object);
  }

  /// Marks the pods as this job's, and selects them by that mark.
  private static void generateSelector(Tree object) {
    var spec = object.child("spec");
    var labels = spec.child("template").child("metadata").child("labels");
    var name = object.textOrEmpty("metadata", "name");
    var uid = object.textOrEmpty("metadata", "uid");
    NAME_LABELS.forEach(label -> labels.putIfAbsent(label, name));
    UID_LABELS.forEach(label -> labels.putIfAbsent(label, uid));
    spec.child("selector").child("matchLabels").putIfAbsent(SELECTED, uid);
  }

  /// A job without labels has those of its pods. Done here and not with the other defaults because
  /// only now the template has all of them.
  private static void labelLikeTemplate(Tree object) {
    var labels = object.treeOrEmpty("spec", "template", "metadata", "labels");
    var metadata = object.child("metadata");
    if (!labels.isEmpty() && metadata.treeOrEmpty("labels").isEmpty()) {
      metadata.put("labels", labels.copy());
    }
  }

  @Override
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    validateGeneratedSelector(object);
    JobSpecs.validateWithSelector(object.at("spec"), null);
    validateHostNames(object);
  }

  private static void validateGeneratedSelector(Cursor object) {
    var selector = object.at("spec", "selector");
    if (object.at("spec").flag("manualSelector") || !selector.isSet()) {
      return;
    }
    var uid = object.at("metadata").text("uid");
    var name = object.at("metadata").text("name");
    var labels = object.at("spec", "template", "metadata", "labels");
    var expected = new LinkedHashMap<String, String>();
    expected.put("controller-uid", uid);
    expected.put("job-name", name);
    expected.put("batch.kubernetes.io/controller-uid", uid);
    expected.put("batch.kubernetes.io/job-name", name);
    expected.forEach((key, value) -> requireLabel(labels, key, value));
    if (!LabelSelector.of(selector.tree()).matches(expected)) {
      selector.invalid("`selector` not auto-generated");
    }
  }

  private static void requireLabel(Cursor labels, String key, String value) {
    var label = labels.key(key);
    if (!label.isSet()) {
      label.missing("must be '%s'".formatted(value));
    } else if (!label.is(value)) {
      label.invalid(labels.texts(), "must be '%s'".formatted(value));
    }
  }

  /// Pods of indexed jobs get the index into their host name.
  private static void validateHostNames(Cursor object) {
    long completions = object.at("spec").number("completions");
    if (!object.at("spec").text("completionMode").equals("Indexed") || completions <= 0) {
      return;
    }
    var name = object.at("metadata", "name");
    var longest = name.text() + "-" + (completions - 1);
    if (!Names.dnsLabel(longest).isEmpty()) {
      name.invalidText("will not able to create pod with invalid DNS label: " + longest);
    }
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    labelLikeTemplate(object);
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    JobSpecs.validateUpdate(object, old);
    validateHostNames(object);
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new JobStatusRules());
  }

  @Override
  public List<String> warningsOnCreate(Tree object) {
    return JobSpecs.warningsOnCreate(object, object.treeOrEmpty("spec"), SPEC);
  }

  @Override
  public List<String> warningsOnUpdate(Tree object, Tree old) {
    return object.number(0, "metadata", "generation") == old.number(0, "metadata", "generation")
        ? List.of()
        : JobSpecs.warnings(object.treeOrEmpty("spec"), SPEC);
  }

  @Override
  public String unknownFieldLabel(String label) {
    return "field label \"%s\" not supported for Job".formatted(label);
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("status.successful");
  }

  @Override
  public String fieldValue(Tree object, String label) {
    return Long.toString(object.number(0, "status", "succeeded"));
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var containers = object.trees("spec", "template", "spec", "containers");
    return Cells.row(
        Cells.name(object),
        state(object),
        completions(object),
        duration(object, now),
        Cells.age(object, now),
        TemplateCells.names(containers),
        TemplateCells.images(containers),
        LabelSelectors.format(object.tree("spec", "selector")));
  }

  private static String state(Tree object) {
    for (var condition : List.of("Complete", "Failed")) {
      if (JobStatusRules.is(object, condition)) {
        return condition;
      }
    }
    if (object.at("metadata", "deletionTimestamp") != null) {
      return "Terminating";
    }
    for (var condition : List.of("Suspended", "FailureTarget", "SuccessCriteriaMet")) {
      if (JobStatusRules.is(object, condition)) {
        return condition;
      }
    }
    return "Running";
  }

  private static String completions(Tree object) {
    long succeeded = object.number(0, "status", "succeeded");
    if (object.at("spec", "completions") instanceof Long completions) {
      return succeeded + "/" + completions;
    }
    long parallelism = object.number(0, "spec", "parallelism");
    return parallelism > 1 ? succeeded + "/1 of " + parallelism : succeeded + "/1";
  }

  private static String duration(Tree object, Instant now) {
    var start = object.text("status", "startTime");
    if (start == null) {
      return "";
    }
    var end = object.text("status", "completionTime");
    return Ages.between(Instant.parse(start), end == null ? now : Instant.parse(end));
  }
}
