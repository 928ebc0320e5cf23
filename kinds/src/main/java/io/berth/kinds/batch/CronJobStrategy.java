package io.berth.kinds.batch;

import io.berth.api.CronSchedule;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.apps.TemplateCells;
import io.berth.kinds.core.PodSpecDefaults;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.LabelSelectors;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// `batch/v1 cronjobs`
///
/// Mirrors: registry/batch/cronjob.cronJobStrategy, batch/validation.ValidateCronJobCreate
public final class CronJobStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath JOB = SPEC.child("jobTemplate", "spec");

  /// What is left of 63 characters when the time a job started at is appended.
  private static final int MAX_NAME = 52;

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
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    var name = object.at("metadata", "name");
    if (name.text().length() > MAX_NAME) {
      name.invalid("must be no more than %d characters".formatted(MAX_NAME));
    }
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    validateSpec(object.at("spec"), old == null ? null : old.treeOrEmpty("spec"));
  }

  private static void validateSpec(Cursor spec, @Nullable Tree old) {
    var schedule = spec.at("schedule");
    schedule.declared().required();
    if (!schedule.isEmpty()) {
      boolean zoneAllowed = old != null && old.textOrEmpty("schedule").contains("TZ");
      validateSchedule(schedule, zoneAllowed, spec.has("timeZone"));
    }
    spec.at("startingDeadlineSeconds").nonNegative();
    var zone = spec.at("timeZone");
    if (old == null || !Objects.equals(old.get("timeZone"), zone.value())) {
      zone.ifSet(CronJobStrategy::validateZone);
    }
    spec.at("concurrencyPolicy").oneOf();
    validateJob(
        spec.at("jobTemplate", "spec"), old == null ? null : old.tree("jobTemplate", "spec"));
    spec.noneNegative("successfulJobsHistoryLimit", "failedJobsHistoryLimit");
  }

  private static void validateSchedule(Cursor schedule, boolean zoneAllowed, boolean hasZone) {
    try {
      CronSchedule.parse(schedule.text());
    } catch (IllegalArgumentException e) {
      schedule.invalid(Objects.requireNonNull(e.getMessage()));
    }
    if (!schedule.text().contains("TZ")) {
      return;
    }
    if (!zoneAllowed) {
      schedule.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
    } else if (hasZone) {
      schedule.invalid("cannot use both timeZone field and TZ or CRON_TZ in schedule");
    }
  }

  private static void validateZone(Cursor field) {
    var zone = field.text();
    if (zone.isEmpty()) {
      field.invalid("timeZone must be nil or non-empty string");
      return;
    }
    for (var part : zone.split("/", -1)) {
      if (part.equals(".")
          || part.equals("..")
          || part.startsWith("-")
          || !ZONE_PART.matcher(part).matches()) {
        field.invalid("unknown time zone " + zone);
        return;
      }
    }
    if (zone.equalsIgnoreCase("Local")) {
      field.invalid(
          "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
    } else if (!zone.equals("UTC") && !ZoneId.getAvailableZoneIds().contains(zone)) {
      field.invalid("unknown time zone " + zone);
    }
  }

  private static void validateJob(Cursor job, @Nullable Tree old) {
    JobSpecs.validate(job, old);
    job.at("selector").ifSet().invalid("`selector` will be auto-generated");
    if (job.flag("manualSelector")) {
      job.at("manualSelector").notSupported(true, List.of("nil", "false"));
    }
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
