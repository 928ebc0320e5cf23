package io.berth.placement.run;

import io.berth.placement.document.PlacementTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Runs tests side by side; results are in the order of the tests, whoever was first.
public final class TestRuns {

  private TestRuns() {}

  public static List<TestResult> run(List<PlacementTest> tests, TestSources sources, int threads)
      throws InterruptedException {
    try (var workers = Executors.newFixedThreadPool(Math.max(1, threads))) {
      var running = new ArrayList<Future<TestResult>>();
      for (var test : tests) {
        running.add(workers.submit(() -> TestRun.of(test, sources)));
      }
      var results = new ArrayList<TestResult>();
      for (var result : running) {
        results.add(result.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    }
  }
}
