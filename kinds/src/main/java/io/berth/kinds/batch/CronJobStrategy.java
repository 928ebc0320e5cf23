package io.berth.kinds.batch;

import io.berth.api.CronSchedule;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.apps.TemplateCells;
import io.berth.kinds.core.PodSpecDefaults;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.LabelSelectors;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// `batch/v1 cronjobs`
public final class CronJobStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath JOB = SPEC.child("jobTemplate", "spec");

  /// What is left of 63 characters when the time a job started at is appended.
  private static final int MAX_NAME = 52;

  private static final List<String> POLICIES = List.of("Allow", "Forbid", "Replace");
  private static final Pattern ZONE_PART = Pattern.compile("[A-Za-z.\\-_0-9+]{1,14}");

  public CronJobStrategy() {
    super(Resource.CRON_JOBS);
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.child("spec");
    var job = spec.child("jobTemplate").child("spec");
    PodSpecDefaults.applyToTemplate(job.child("template"));
    JobSpecs.setFailurePolicyDefaults(job);
    if (spec.textOrEmpty("concurrencyPolicy").isEmpty()) {
      spec.put("concurrencyPolicy", "Allow");
    }
    spec.putIfAbsent("suspend", false);
    spec.putIfAbsent("successfulJobsHistoryLimit", 3);
    spec.putIfAbsent("failedJobsHistoryLimit", 1);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put("status", new Tree());
    Fields.firstGeneration(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
    Fields.countGeneration(object, old, "spec");
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validateSpec(object.treeOrEmpty("spec"), null, errors);
    var name = object.textOrEmpty("metadata", "name");
    if (name.length() > MAX_NAME) {
      errors.invalid(
          FieldPath.of("metadata", "name"),
          name,
          "must be no more than %d characters".formatted(MAX_NAME));
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    validateSpec(object.treeOrEmpty("spec"), old.treeOrEmpty("spec"), errors);
  }

  private static void validateSpec(Tree spec, @Nullable Tree old, FieldErrors errors) {
    var schedule = spec.textOrEmpty("schedule");
    if (Checks.required(SPEC.child("schedule"), schedule, errors.declared())) {
      boolean zoneAllowed = old != null && old.textOrEmpty("schedule").contains("TZ");
      validateSchedule(spec, zoneAllowed, errors);
    }
    var deadline = SPEC.child("startingDeadlineSeconds");
    Checks.nonNegative(deadline, spec.number(0, "startingDeadlineSeconds"), errors);
    if (old == null || !Objects.equals(old.get("timeZone"), spec.get("timeZone"))) {
      validateZone(spec.text("timeZone"), errors);
    }
    Checks.oneOf(
        SPEC.child("concurrencyPolicy"), spec.textOrEmpty("concurrencyPolicy"), POLICIES, errors);
    validateJob(
        spec.treeOrEmpty("jobTemplate", "spec"),
        old == null ? null : old.tree("jobTemplate", "spec"),
        errors);
    for (var limit : List.of("successfulJobsHistoryLimit", "failedJobsHistoryLimit")) {
      Checks.nonNegative(SPEC.child(limit), spec.number(0, limit), errors);
    }
  }

  private static void validateSchedule(Tree spec, boolean zoneAllowed, FieldErrors errors) {
    var path = SPEC.child("schedule");
    var schedule = spec.textOrEmpty("schedule");
    try {
      CronSchedule.parse(schedule);
    } catch (IllegalArgumentException e) {
      errors.invalid(path, schedule, Objects.requireNonNull(e.getMessage()));
    }
    if (!schedule.contains("TZ")) {
      return;
    }
    if (!zoneAllowed) {
      errors.invalid(
          path, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
    } else if (spec.has("timeZone")) {
      errors.invalid(
          path, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule");
    }
  }

  private static void validateZone(@Nullable String zone, FieldErrors errors) {
    var path = SPEC.child("timeZone");
    if (zone == null) {
      return;
    }
    if (zone.isEmpty()) {
      errors.invalid(path, zone, "timeZone must be nil or non-empty string");
      return;
    }
    var unknown = "unknown time zone " + zone;
    for (var part : zone.split("/", -1)) {
      if (part.equals(".")
          || part.equals("..")
          || part.startsWith("-")
          || !ZONE_PART.matcher(part).matches()) {
        errors.invalid(path, zone, unknown);
        return;
      }
    }
    if (zone.equalsIgnoreCase("Local")) {
      errors.invalid(
          path,
          zone,
          "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
    } else if (!zone.equals("UTC") && !ZoneId.getAvailableZoneIds().contains(zone)) {
      errors.invalid(path, zone, unknown);
    }
  }

  private static void validateJob(Tree job, @Nullable Tree old, FieldErrors errors) {
    JobSpecs.validate(job, old, JOB, errors);
    if (job.has("selector")) {
      errors.invalid(
          JOB.child("selector"), job.get("selector"), "`selector` will be auto-generated");
    }
    if (job.flag("manualSelector")) {
      errors.notSupported(JOB.child("manualSelector"), true, List.of("nil", "false"));
    }
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusRules());
  }

  @Override
  public List<String> warningsOnCreate(Tree object) {
    return JobSpecs.warningsOnCreate(
        object, object.treeOrEmpty("spec", "jobTemplate", "spec"), JOB);
  }

  @Override
  public List<String> warningsOnUpdate(Tree object, Tree old) {
    return object.number(0, "metadata", "generation") == old.number(0, "metadata", "generation")
        ? List.of()
        : JobSpecs.warnings(object.treeOrEmpty("spec", "jobTemplate", "spec"), JOB);
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var spec = object.treeOrEmpty("spec");
    var job = spec.treeOrEmpty("jobTemplate", "spec");
    var containers = job.trees("template", "spec", "containers");
    var last = object.text("status", "lastScheduleTime");
    return Cells.row(
        Cells.name(object),
        spec.textOrEmpty("schedule"),
        spec.has("timeZone") ? spec.textOrEmpty("timeZone") : Cells.NONE,
        spec.flag("suspend") ? "True" : "False",
        object.list("status", "active").size(),
        last == null ? Cells.NONE : Cells.since(last, now),
        Cells.age(object, now),
        TemplateCells.names(containers),
        TemplateCells.images(containers),
        LabelSelectors.format(job.tree("selector")));
  }
}
