package io.berth.scheduler;

import io.berth.api.Pod;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/// A pod in the queue, and how its attempts went. Owned by the loop's thread.
final class PendingPod {

  /// A report that says nothing new is repeated after this long: events do not live forever.
  private static final long TELL_AGAIN_MILLIS = 10 * 60_000;

  private final String key;
  private Pod pod;
  private Alike alike;
  private Where where = Where.NOWHERE;
  private long timestampMillis;
  private long firstAttemptMillis;
  private int attempts;
  private long attemptNanos;
  private int unschedulableCount;
  private int consecutiveErrors;
  private Set<String> rejectors = Set.of();
  private int groupSize = 1;
  private String lastReport = "";
  private int reports;
  private long lastReportMillis;
  private final List<Report> conditions = new CopyOnWriteArrayList<>();
  private boolean preempting;
  private boolean worthRetrying;

  PendingPod(Pod pod, Alike alike, long nowMillis) {
    this.key = pod.key();
    this.pod = pod;
    this.alike = alike;
    this.timestampMillis = nowMillis;
  }

  /// Which store of the queue holds it.
  enum Where {
    NOWHERE,
    ACTIVE,
    BACKOFF,
    ERROR_BACKOFF,
    UNSCHEDULABLE,
    GATED
  }

  /// `namespace/name`, made once: queues compare it often.
  String key() {
    return key;
  }

  Pod pod() {
    return pod;
  }

  void replace(Pod newer, Alike newAlike) {
    if (!pod.status().nominatedNodeName().isEmpty()
        && newer.status().nominatedNodeName().isEmpty()) {
      tellAgain();
    }
    pod = newer;
    alike = newAlike;
  }

  /// What users were told last stands no longer: a node promised to the pod was taken back.
  void tellAgain() {
    lastReport = "";
  }

  /// What it has in common with others; one instance for all of them.
  Alike alike() {
    return alike;
  }

  /// A condition is on its way that says it waits.
  void reported(Report condition) {
    conditions.removeIf(Report::isOver);
    conditions.add(condition);
  }

  /// Returns when no condition is on its way any more that says it waits. To be called before it is
  /// bound, on the thread that binds: one that comes later would undo what the bind says.
  void withdrawReports() {
    conditions.forEach(Report::withdraw);
  }

  /// Remembers what users are told; says whether they have been told just that already, and lately.
  boolean alreadyTold(String report, long nowMillis) {
    boolean same = report.equals(lastReport) && nowMillis - lastReportMillis < TELL_AGAIN_MILLIS;
    if (!same) {
      reports++;
      lastReport = report;
      lastReportMillis = nowMillis;
    }
    return same;
  }

  /// Whether its condition said that it waits before the last report, which may not yet be in what
  /// the watch shows.
  boolean toldBefore() {
    return reports > 1 || pod.status().unscheduled();
  }

  Where where() {
    return where;
  }

  void moveTo(Where store) {
    where = store;
  }

  /// When it last came to the queue: the order among equal priorities.
  long timestampMillis() {
    return timestampMillis;
  }

  long firstAttemptMillis() {
    return firstAttemptMillis;
  }

  /// When the attempt under way began, on the clock of [System#nanoTime()].
  long attemptNanos() {
    return attemptNanos;
  }

  void attemptBegan(long nanos) {
    attemptNanos = nanos;
  }

  int attempts() {
    return attempts;
  }

  /// The plugins that rejected it last; none after an error.
  Set<String> rejectors() {
    return rejectors;
  }

  /// With how many pods it was tried last; large groups may pause longer.
  int groupSize() {
    return groupSize;
  }

  void groupSize(int pods) {
    groupSize = pods;
  }

  /// Its victims are being evicted; until that is done no event brings it back.
  boolean preempting() {
    return preempting;
  }

  void preempting(boolean now) {
    preempting = now;
  }

  /// An event that can help came while it could not be moved.
  boolean worthRetrying() {
    return worthRetrying;
  }

  void worthRetrying(boolean now) {
    worthRetrying = now;
  }

  void popped(long nowMillis) {
    attempts++;
    if (firstAttemptMillis == 0) {
      firstAttemptMillis = nowMillis;
    }
  }

  void rejected(Set<String> plugins, long nowMillis) {
    unschedulableCount++;
    consecutiveErrors = 0;
    rejectors = plugins;
    timestampMillis = nowMillis;
  }

  void leftOver(Set<String> plugins, long nowMillis) {
    consecutiveErrors = 0;
    rejectors = plugins;
    timestampMillis = nowMillis;
  }

  void failed(long nowMillis) {
    consecutiveErrors++;
    rejectors = Set.of();
    timestampMillis = nowMillis;
  }

  /// How many failures count for the next pause: errors in a row, else rejections.
  int failures() {
    return consecutiveErrors > 0 ? consecutiveErrors : unschedulableCount;
  }
}
