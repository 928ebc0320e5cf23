package io.berth.scheduler;

import io.berth.api.ApiException;
import io.berth.api.Crew;
import io.berth.api.Errand;
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

  private static final Duration YIELD = Duration.ofMillis(5);
  private static final int MAX_ATTEMPTS = 6;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  private final Crew crew;
  private final BooleanSupplier bindsWait;
  private final SchedulerMetrics metrics;
  private final List<Lane> lanes = new ArrayList<>();
  private final AtomicLong shed = new AtomicLong();

  private volatile boolean closed;

  ReportQueue(Crew crew, BooleanSupplier bindsWait, SchedulerMetrics metrics) {
    this.crew = crew;
    this.bindsWait = bindsWait;
    this.metrics = metrics;
    for (int i = 0; i < LANES; i++) {
      lanes.add(new Lane());
    }
  }

  @Override
  public void close() {
    closed = true;
    lanes.forEach(lane -> lane.errand.interrupt());
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
    var report = new Report(request, crew.nanos());
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
    private final Errand errand = new Errand(crew, "scheduler-reports", this::goOn);

    // Owned by the errand: the report whose turn it is, how often it was tried, and until when it
    // waits.
    private @Nullable Report next;
    private int attempts;
    private long pausedUntil = crew.nanos();

    void add(Report report) {
      while (!reports.offerLast(report)) {
        if (reports.pollFirst() != null) {
          drop(null);
        }
      }
      errand.call();
    }

    private void goOn() {
      while (!closed && crew.nanos() - pausedUntil >= 0) {
        var report = next == null ? reports.pollFirst() : next;
        next = report;
        if (report == null) {
          return;
        }
        if (bindsWait.getAsBoolean() && report.ageNanos(crew.nanos()) < PATIENCE_NANOS) {
          pause(YIELD);
        } else {
          write(report);
        }
      }
    }

    /// May be sent twice without harm: events have a name, conditions are what they are.
    private void write(Report report) {
      attempts++;
      if (isSettled(report)) {
        next = null;
        attempts = 0;
      } else {
        pause(FIRST_PAUSE.multipliedBy(1L << (attempts - 1)));
      }
    }

    private void pause(Duration time) {
      pausedUntil = crew.nanos() + time.toNanos();
      crew.after(time, "scheduler-reports", errand::call);
    }

    private boolean isSettled(Report report) {
      try {
        report.send();
        return true;
      } catch (ApiException e) {
        // Below 500 the pod went, or its namespace does: nobody is left to read the report. Or an
        // earlier attempt had arrived.
        return e.code() < 500 || isDropped(e);
      } catch (RuntimeException e) {
        return isDropped(e);
      }
    }

    private boolean isDropped(RuntimeException e) {
      if (attempts == MAX_ATTEMPTS) {
        drop(e);
      }
      return attempts == MAX_ATTEMPTS;
    }
  }
}
