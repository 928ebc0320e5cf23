package io.berth.bench;

import io.berth.api.Tree;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/// What one run measured: how long each decision took, and what it allocated.
final class Samples {

  private static final int MAX = 4_000_000;
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final long[] nanos = new long[MAX];
  private int count;
  private long total;
  private long processor;
  private long bytes;

  /// Runs `work` and counts it; beyond the room for single samples only the sums grow.
  void measure(Runnable work) {
    long begin = System.nanoTime();
    work.run();
    long took = System.nanoTime() - begin;
    total += took;
    if (count < MAX) {
      nanos[count] = took;
    }
    count++;
  }

  /// Between `begin` and `end`, allocation and processor time are counted as the decisions'.
  void begin() {
    bytes -= THREADS.getCurrentThreadAllocatedBytes();
    processor -= THREADS.getCurrentThreadCpuTime();
  }

  void end() {
    bytes += THREADS.getCurrentThreadAllocatedBytes();
    processor += THREADS.getCurrentThreadCpuTime();
  }

  double seconds() {
    return total / 1e9;
  }

  int count() {
    return count;
  }

  Tree toTree(String shape, int nodes, int existing) {
    int kept = Math.min(count, MAX);
    var sorted = Arrays.copyOf(nanos, kept);
    Arrays.sort(sorted);
    return Tree.of(
        "shape", shape,
        "nodes", nodes,
        "existingPods", existing,
        "measured", count,
        "decisionsPerSecond", tenth(count / seconds()),
        "p50Micros", tenth(sorted[kept / 2] / 1e3),
        "p99Micros", tenth(sorted[(int) (kept * 0.99)] / 1e3),
        "bytesPerDecision", tenth((double) bytes / count),
        "decisionsPerCpuSecond", tenth(count / (processor / 1e9)));
  }

  private static double tenth(double x) {
    return Math.round(x * 10) / 10.0;
  }
}
