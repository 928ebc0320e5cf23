package io.berth.controllers.runtime;

import io.berth.api.Crew;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Runs many alike calls in batches of 1, 2, 4, …, and stops after the first batch with a failure.
///
/// A thousand pods that a quota forbids cost one refusal, not a thousand.
public final class SlowStart {

  private static final int LARGEST_BATCH = 64;

  private SlowStart() {}

  /// Calls `call` with 0 … `count` − 1; tells how many succeeded, and what went wrong first.
  public static Outcome run(Crew crew, int count, IntConsumer call) {
    var done = 0;
    var next = 0;
    RuntimeException failure = null;
    for (int batch = 1; next < count && failure == null; batch = grown(batch)) {
      var size = Math.min(batch, count - next);
      var results = start(crew, next, size, call);
      next += size;
      for (var result : results) {
        var failed = failureOf(result);
        if (failed == null) {
          done++;
        } else if (failure == null) {
          failure = failed;
        }
      }
    }
    return new Outcome(done, count - next, failure);
  }

  /// Calls `call` with 0 … `count` − 1, whatever fails; the first failure is thrown at the end.
  public static void all(Crew crew, int count, IntConsumer call) {
    RuntimeException failure = null;
    for (int next = 0; next < count; next += LARGEST_BATCH) {
      for (var result : start(crew, next, Math.min(LARGEST_BATCH, count - next), call)) {
        var failed = failureOf(result);
        failure = failure == null ? failed : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static int grown(int batch) {
    return Math.min(batch * 2, LARGEST_BATCH);
  }

  private static List<Future<Boolean>> start(Crew crew, int from, int size, IntConsumer call) {
    var results = new ArrayList<Future<Boolean>>(size);
    for (int i = from; i < from + size; i++) {
      var index = i;
      var task = new FutureTask<>(() -> call.accept(index), true);
      results.add(task);
      crew.fork(task);
    }
    return results;
  }

  private static @Nullable RuntimeException failureOf(Future<Boolean> result) {
    try {
      var _ = result.get();
      return null;
    } catch (ExecutionException e) {
      return e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new IllegalStateException("interrupted", e);
    }
  }

  /// `skipped` calls were never made.
  public record Outcome(int done, int skipped, @Nullable RuntimeException failure) {}
}
