package io.berth.server;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/// What callers tried who did not show who they are: a file of their own, so that they push nobody
/// else's acts out of the audit log, and only so many lines a second, so that they keep no disk
/// busy. What is left out is counted, in one line before the next one: `{"omitted": 17, …}`.
///
/// Safe for any number of threads.
public final class StrangersFile implements AutoCloseable {

  private final AuditFile file;
  private final InstantSource clock;
  // Guarded by this.
  private double credit = Limits.STRANGERS_AT_ONCE;
  private Instant refilled;
  private long omitted;
  private Instant since = Instant.EPOCH;

  private StrangersFile(AuditFile file, InstantSource clock) {
    this.file = file;
    this.clock = clock;
    this.refilled = clock.instant();
  }

  /// The file beside an audit log: `audit-strangers.log` beside `audit.log`.
  public static StrangersFile beside(Path log, InstantSource clock) throws IOException {
    return new StrangersFile(AuditFile.in(name(log), Limits.STRANGERS_BYTES), clock);
  }

  private static Path name(Path log) {
    var name = String.valueOf(log.getFileName());
    int dot = name.lastIndexOf('.');
    var stem = dot < 0 ? name : name.substring(0, dot);
    return log.resolveSibling(stem + "-strangers" + (dot < 0 ? "" : name.substring(dot)));
  }

  /// Adds a line, which is not even made when there are too many.
  public synchronized void append(Supplier<Tree> line) {
    refill();
    if (credit < 1) {
      since = omitted == 0 ? clock.instant() : since;
      omitted++;
      return;
    }
    credit--;
    tellOmitted();
    file.append(Json.write(line.get()));
  }

  private void refill() {
    var now = clock.instant();
    double seconds = Math.max(0, Duration.between(refilled, now).toNanos() / 1e9);
    credit = Math.min(Limits.STRANGERS_AT_ONCE, credit + seconds * Limits.STRANGERS_PER_SECOND);
    refilled = now;
  }

  private void tellOmitted() {
    if (omitted > 0) {
      file.append(
          Json.write(
              Tree.of(
                  "omitted",
                  omitted,
                  "since",
                  since.toString(),
                  "until",
                  clock.instant().toString())));
      omitted = 0;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    tellOmitted();
    file.close();
  }
}
