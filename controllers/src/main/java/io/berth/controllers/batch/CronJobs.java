package io.berth.controllers.batch;

import io.berth.api.ApiException;
import io.berth.api.CronSchedule;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.Controller;
import io.berth.controllers.apps.ChildHandler;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Expectations;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.OwnWrites;
import io.berth.controllers.runtime.PodControl;
import io.berth.controllers.runtime.Selector;
import io.berth.controllers.runtime.Trees;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Creates Jobs on time, and keeps only as many finished ones as asked for.
public final class CronJobs implements Controller {

  private static final int WORKERS = 4;
  private static final int TOO_MANY_MISSED = 100;
  private static final Duration SOON = Duration.ofMillis(10);
  private static final DateTimeFormatter RFC_1123 =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss xx", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final Environment environment;
  private final Cache cronJobs;
  private final Cache jobs;
  private final Events.Source events;
  private final OwnWrites writes;
  private final Loop loop;

  public CronJobs(Environment environment) {
    this.environment = environment;
    this.cronJobs = environment.informers().of(Resource.CRON_JOBS).indexed(Index.NAMESPACE);
    this.jobs = environment.informers().of(Resource.JOBS).indexed(Index.CONTROLLER);
    this.events = environment.events().from("cronjob-controller");
    this.writes = new OwnWrites(cronJobs);
    this.loop = new Loop("cronjob-controller", WORKERS, environment.timers(), this::reconcile);
    cronJobs.onAny(cronJob -> loop.add(Key.of(cronJob)));
    jobs.on(
        new ChildHandler(
            Resource.CRON_JOBS,
            cronJobs,
            new Expectations(environment.clock()),
            loop,
            _ -> Selector.NOTHING));
  }

  @Override
  public String name() {
    return "cronjobs";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void reconcile(Key key) {
    var seen = writes.areSeen(key);
    var cronJob = cronJobs.find(key).orElse(null);
    if (cronJob == null || Meta.isDeleting(cronJob)) {
      return;
    }
    if (!seen) {
      // By the status before, the Job just started would be started again.
      loop.addAfter(key, SOON);
      return;
    }
    var mine = jobs.by(Index.CONTROLLER, Meta.uid(cronJob));
    var status = cronJob.treeOrEmpty("status").copy();
    var active = updateActive(cronJob, status, mine);
    RuntimeException failure = null;
    if (!cronJob.flag("spec", "suspend")) {
      try {
        schedule(key, cronJob, status, active);
      } catch (ApiException e) {
        failure = e;
      }
    }
    write(cronJob, status);
    dropOld(cronJob, mine, "Complete", cronJob.number(3, "spec", "successfulJobsHistoryLimit"));
    dropOld(cronJob, mine, "Failed", cronJob.number(1, "spec", "failedJobsHistoryLimit"));
    if (failure != null) {
      throw failure;
    }
  }

  /// References to the Jobs that this CronJob started and that still run. Others that name it as
  /// their owner, such as those a user starts by hand, neither forbid a start nor are replaced.
  private List<Tree> updateActive(Tree cronJob, Tree status, List<Tree> mine) {
    var active = new ArrayList<>(cronJob.trees("status", "active"));
    for (var job : mine) {
      if (!Jobs.isFinished(job)) {
        expect(cronJob, job, active);
      } else if (active.removeIf(ref -> isTo(job, ref))) {
        var result = Conditions.isTrue(job, "Complete") ? "Complete" : "Failed";
        events.normal(
            Resource.CRON_JOBS,
            cronJob,
            "SawCompletedJob",
            "Saw completed job: %s, condition: %s".formatted(Meta.name(job), result));
      }
      if (Conditions.isTrue(job, "Complete")) {
        noteSuccess(status, job);
      }
    }
    active.removeIf(
        ref -> mine.stream().noneMatch(job -> isTo(job, ref)) && isMissing(cronJob, ref));
    writeActive(status, active);
    return active;
  }

  private static boolean isTo(Tree job, Tree reference) {
    return Meta.uid(job).equals(reference.text("uid"));
  }

  private void expect(Tree cronJob, Tree job, List<Tree> active) {
    if (active.stream().noneMatch(ref -> isTo(job, ref))
        && !Meta.isDeleting(job)
        && exists(Meta.namespace(job), Meta.name(job))) {
      events.warning(
          Resource.CRON_JOBS,
          cronJob,
          "UnexpectedJob",
          "Saw a job that the controller did not create or forgot: " + Meta.name(job));
    }
  }

  private boolean isMissing(Tree cronJob, Tree ref) {
    var name = ref.textOrEmpty("name");
    if (exists(Meta.namespace(cronJob), name)) {
      return false;
    }
    events.normal(Resource.CRON_JOBS, cronJob, "MissingJob", "Active job went missing: " + name);
    return true;
  }

  /// Asks the API: a Job created or deleted a moment ago may not be so in the cache yet.
  private boolean exists(String namespace, String name) {
    try {
      environment.cluster().fetch(Resource.JOBS, namespace, name);
      return true;
    } catch (ApiException e) {
      if (e.is("NotFound")) {
        return false;
      }
      throw e;
    }
  }

  private static void noteSuccess(Tree status, Tree job) {
    var done = Meta.instant(job, Instant.EPOCH, "status", "completionTime");
    if (done.isAfter(Meta.instant(status, Instant.EPOCH, "lastSuccessfulTime"))) {
      status.put("lastSuccessfulTime", Meta.time(done));
    }
  }

  private void schedule(Key key, Tree cronJob, Tree status, List<Tree> active) {
    var schedule = read(cronJob);
    var zone = zone(cronJob);
    if (schedule == null || zone == null) {
      return;
    }
    var now = environment.now();
    var due = lastMissed(cronJob, schedule, zone, now);
    var next = schedule.next(lastStart(cronJob).atZone(zone), now.atZone(zone));
    if (next != null) {
      loop.addRoutinely(key, Duration.between(now, next.toInstant()).plusMillis(10));
    }
    if (due == null) {
      return;
    }
    var deadline = cronJob.number(-1, "spec", "startingDeadlineSeconds");
    if (deadline >= 0 && due.plusSeconds(deadline).isBefore(now)) {
      events.warning(
          Resource.CRON_JOBS,
          cronJob,
          "MissSchedule",
          "Missed scheduled time to start a job: " + RFC_1123.format(due));
      return;
    }
    var name = jobName(cronJob, due);
    if (active.stream().anyMatch(ref -> ref.textOrEmpty("name").equals(name))) {
      return; // Started before.
    }
    var policy = cronJob.textOrEmpty("spec", "concurrencyPolicy");
    if (policy.equals("Forbid") && !active.isEmpty()) {
      events.normal(
          Resource.CRON_JOBS,
          cronJob,
          "JobAlreadyActive",
          "Not starting job because prior execution is running and concurrency policy is Forbid");
      return;
    }
    if (policy.equals("Replace")) {
      active.forEach(ref -> deleteJob(cronJob, find(cronJob, ref)));
      active.clear();
    }
    start(cronJob, status, active, due.atZone(zone));
  }

  private Tree find(Tree cronJob, Tree ref) {
    try {
      return environment
          .cluster()
          .fetch(Resource.JOBS, Meta.namespace(cronJob), ref.textOrEmpty("name"));
    } catch (ApiException e) {
      events.warning(Resource.CRON_JOBS, cronJob, "FailedGet", "Get job: " + e.getMessage());
      throw e;
    }
  }

  private static Instant lastStart(Tree cronJob) {
    return Meta.instant(cronJob, Meta.created(cronJob), "status", "lastScheduleTime");
  }

  /// The latest time that should have started a Job and has not; `null` when there is none.
  private @Nullable Instant lastMissed(
      Tree cronJob, CronSchedule schedule, ZoneId zone, Instant now) {
    var since = lastStart(cronJob);
    var deadline = cronJob.number(-1, "spec", "startingDeadlineSeconds");
    if (deadline >= 0 && now.minusSeconds(deadline).isAfter(since)) {
      since = now.minusSeconds(deadline);
    }
    var first = schedule.next(since.atZone(zone));
    var second = first == null ? null : schedule.next(first);
    if (first == null || first.toInstant().isAfter(now)) {
      return null;
    }
    if (second == null || second.toInstant().isAfter(now)) {
      return first.toInstant();
    }
    // By the pause between two it is told how many there were, and from where on to look.
    var pause = Duration.between(first, second).toSeconds();
    var count = Duration.between(first.toInstant(), now).toSeconds() / pause + 1;
    if (count > TOO_MANY_MISSED) {
      events.warning(
          Resource.CRON_JOBS,
          cronJob,
          "TooManyMissedTimes",
          "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check"
              + " clock skew");
    }
    Instant missed = null;
    var at = schedule.next(first.plusSeconds((count - 2) * pause));
    while (at != null && !at.toInstant().isAfter(now)) {
      missed = at.toInstant();
      at = schedule.next(at);
    }
    return missed;
  }

  private static String jobName(Tree cronJob, Instant due) {
    return "%s-%d".formatted(Meta.name(cronJob), due.getEpochSecond() / 60);
  }

  private void start(Tree cronJob, Tree status, List<Tree> active, ZonedDateTime due) {
    var template = cronJob.treeOrEmpty("spec", "jobTemplate");
    var name = jobName(cronJob, due.toInstant());
    var metadata = Tree.of("name", name, "namespace", Meta.namespace(cronJob));
    metadata.put("labels", template.treeOrEmpty("metadata", "labels").copy());
    metadata.put("annotations", template.treeOrEmpty("metadata", "annotations").copy());
    metadata
        .child("annotations")
        .put(
            "batch.kubernetes.io/cronjob-scheduled-timestamp",
            DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(due));
    metadata.put("ownerReferences", List.of(Meta.controllerRef(Resource.CRON_JOBS, cronJob)));
    var job =
        Tree.of("apiVersion", "batch/v1", "kind", "Job")
            .put("metadata", metadata)
            .put("spec", template.treeOrEmpty("spec").copy());
    try {
      active.add(reference(environment.cluster().create(Resource.JOBS, job)));
      events.normal(Resource.CRON_JOBS, cronJob, "SuccessfulCreate", "Created job " + name);
    } catch (ApiException e) {
      if (PodControl.isNamespaceEnding(e)) {
        throw e;
      }
      if (!e.is("AlreadyExists")) {
        events.warning(
            Resource.CRON_JOBS, cronJob, "FailedCreate", "Error creating job: " + e.getMessage());
        throw e;
      }
      var taken = environment.cluster().fetch(Resource.JOBS, Meta.namespace(cronJob), name);
      if (!Meta.isControlledBy(taken, cronJob)
          || active.stream().anyMatch(ref -> isTo(taken, ref))) {
        return;
      }
      active.add(reference(taken)); // Started before, and not noted then.
    }
    status.put("lastScheduleTime", Meta.time(due.toInstant()));
    writeActive(status, active);
  }

  private static void writeActive(Tree status, List<Tree> active) {
    if (active.isEmpty()) {
      status.remove("active");
      return;
    }
    status.put("active", List.copyOf(active));
  }

  private static Tree reference(Tree job) {
    return Tree.of("apiVersion", "batch/v1", "kind", "Job")
        .put("name", Meta.name(job))
        .put("namespace", Meta.namespace(job))
        .put("resourceVersion", Meta.revision(job))
        .put("uid", Meta.uid(job));
  }

  private @Nullable CronSchedule read(Tree cronJob) {
    try {
      return CronSchedule.parse(cronJob.textOrEmpty("spec", "schedule"));
    } catch (IllegalArgumentException e) {
      events.warning(
          Resource.CRON_JOBS,
          cronJob,
          "UnparseableSchedule",
          "unparseable schedule: \"%s\" : %s"
              .formatted(cronJob.textOrEmpty("spec", "schedule"), e.getMessage()));
      return null;
    }
  }

  private @Nullable ZoneId zone(Tree cronJob) {
    var name = cronJob.textOrEmpty("spec", "timeZone");
    try {
      return name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(name);
    } catch (DateTimeException e) {
      events.warning(
          Resource.CRON_JOBS,
          cronJob,
          "UnknownTimeZone",
          "invalid timeZone: \"%s\": unknown time zone %s".formatted(name, name));
      return null;
    }
  }

  private void write(Tree cronJob, Tree status) {
    if (!Trees.equivalent(status, cronJob.get("status"))) {
      var changed = Tree.ofMap(cronJob.fields()).put("status", status);
      writes.wrote(
          Key.of(cronJob), environment.cluster().update(Resource.CRON_JOBS, "status", changed));
    }
  }

  private void dropOld(Tree cronJob, List<Tree> mine, String condition, long kept) {
    var finished = new ArrayList<>(mine);
    finished.removeIf(job -> !Conditions.isTrue(job, condition) || Meta.isDeleting(job));
    finished.sort(Comparator.comparing(Meta::created).thenComparing(Meta::name));
    for (int i = 0; i < finished.size() - kept; i++) {
      deleteJob(cronJob, finished.get(i));
    }
  }

  private void deleteJob(Tree cronJob, Tree job) {
    try {
      environment
          .cluster()
          .delete(
              Resource.JOBS,
              Meta.namespace(job),
              Meta.name(job),
              DeleteOptions.background(Meta.uid(job)));
      events.normal(
          Resource.CRON_JOBS, cronJob, "SuccessfulDelete", "Deleted job " + Meta.name(job));
    } catch (ApiException e) {
      if (!e.is("NotFound") && !e.is("Conflict")) {
        throw e;
      }
    }
  }
}
