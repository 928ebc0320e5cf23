package io.berth.scheduler;

import io.berth.api.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reports on their way to the API: a few at a time, those about one object in order.
///
/// They yield to binds, since an event costs an API server as much as a bind, and the less
/// patiently the more of them wait: at a pace that the API can take with events, none is lost. What
/// fails is sent again a few times. Bounded: when a lane is full, or the API stays away, the oldest
/// report is dropped and counted.
final class ReportQueue implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ReportQueue.class);

  private static final int LANES = 8;
  private static final int LIMIT = 100_000;

  /// How long a report yields.
  private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

  private static final long YIELD_MILLIS = 5;
  private static final int MAX_ATTEMPTS = 6;
  private static final long FIRST_PAUSE_MILLIS = 50;

  private final BooleanSupplier bindsWait;
  private final SchedulerMetrics metrics;
  private final List<Lane> lanes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong shed = new AtomicLong();

  ReportQueue(BooleanSupplier bindsWait, SchedulerMetrics metrics) {
    this.bindsWait = bindsWait;
    this.metrics = metrics;
    for (int i = 0; i < LANES; i++) {
      lanes.add(new Lane());
    }
  }

  void start() {
    for (var lane : lanes) {
      threads.add(Thread.ofVirtual().name("scheduler-reports").start(lane::run));
    }
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
  }

  /// Reports that are not written yet, but for those that are being written.
  int waiting() {
    return lanes.stream().mapToInt(lane -> lane.reports.size()).sum();
  }

  /// Reports dropped because the API could not take them.
  long shed() {
    return shed.get();
  }

  /// `uid` is that of the object it is about.
  Report add(String uid, Runnable request) {
    var report = new Report(request);
    lanes.get(Math.floorMod(uid.hashCode(), LANES)).add(report);
    return report;
  }

  private void drop(@Nullable RuntimeException cause) {
    log.debug("a report is dropped", cause);
    shed.incrementAndGet();
    metrics.shed();
  }

  private final class Lane {

    private final LinkedBlockingDeque<Report> reports = new LinkedBlockingDeque<>(LIMIT / LANES);

    void add(Report report) {
      while (!reports.offerLast(report)) {
        if (reports.pollFirst() != null) {
          drop(null);
        }
      }
    }

    void run() {
      try {
        while (true) {
          var report = reports.takeFirst();
          while (bindsWait.getAsBoolean() && report.ageNanos() < PATIENCE_NANOS) {
            Thread.sleep(YIELD_MILLIS);
          }
          write(report);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /// May be sent twice without harm: events have a name, conditions are what they are.
    private void write(Report report) throws InterruptedException {
      long pause = FIRST_PAUSE_MILLIS;
      for (int attempt = 1; !isSettled(report, attempt); attempt++) {
        Thread.sleep(pause);
        pause *= 2;
      }
    }

    private boolean isSettled(Report report, int attempt) {
      try {
        report.send();
        return true;
      } catch (ApiException e) {
        // Below 500 the pod went, or its namespace does: nobody is left to read the report. Or an
        // earlier attempt had arrived.
        return e.code() < 500 || isDropped(e, attempt);
      } catch (RuntimeException e) {
        return isDropped(e, attempt);
      }
    }

    private boolean isDropped(RuntimeException e, int attempt) {
      if (attempt == MAX_ATTEMPTS) {
        drop(e);
      }
      return attempt == MAX_ATTEMPTS;
    }
  }
}
