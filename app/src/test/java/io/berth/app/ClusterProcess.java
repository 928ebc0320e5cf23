package io.berth.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// `berth up` in a process of its own, which can be killed at any moment.
record ClusterProcess(Process process, Path kubeconfig) implements AutoCloseable {

  /// The library `libfaketime`, by which the clock of a process can be set; empty for none.
  private static final String FAKETIME = System.getProperty("crash.clock", "");

  /// What begins quickly, for tests that start many.
  private static final List<String> QUICK = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /// What `dist/bin/berth up` starts with.
  private static final List<String> SHIPPED =
      List.of(
          "-XX:+UseG1GC",
          "-XX:GCTimeRatio=1",
          "-XX:MinHeapFreeRatio=10",
          "-XX:MaxHeapFreeRatio=30",
          "-XX:Tier4InvocationThreshold=40000",
          "-XX:Tier4MinInvocationThreshold=4800",
          "-XX:Tier4CompileThreshold=120000",
          "-XX:+UseCompactObjectHeaders",
          "-XX:+ExitOnOutOfMemoryError");

  /// Starts a cluster and comes back when it says that it is ready.
  static ClusterProcess start(Path folder, String... arguments) throws IOException {
    return ready(launch(folder, QUICK, arguments));
  }

  /// The same on a virtual machine like that of users.
  static ClusterProcess startAsShipped(Path folder, String... arguments) throws IOException {
    return ready(launch(folder, SHIPPED, arguments));
  }

  private static ClusterProcess ready(ClusterProcess cluster) throws IOException {
    var said = new ArrayList<String>();
    var out = cluster.process.inputReader();
    for (var line = out.readLine(); line != null; line = out.readLine()) {
      said.add(line);
      if (line.contains("ready in")) {
        // Goes on reading, so that the process never waits for us.
        Thread.ofVirtual().start(() -> out.lines().forEach(_ -> {}));
        return cluster;
      }
    }
    throw new AssertionError("the cluster did not start: " + said);
  }

  /// Starts a cluster, and kills it within its first moments, wherever it then is.
  static void startAndKill(Path folder, long afterMillis, String... arguments)
      throws IOException, InterruptedException {
    try (var cluster = launch(folder, QUICK, arguments)) {
      var said =
          Thread.ofVirtual().start(() -> cluster.process.inputReader().lines().forEach(_ -> {}));
      cluster.process.waitFor(afterMillis, TimeUnit.MILLISECONDS);
      cluster.kill();
      said.join();
    }
  }

  private static ClusterProcess launch(Path folder, List<String> machine, String... arguments)
      throws IOException {
    var kubeconfig = folder.resolve("kubeconfig");
    Files.deleteIfExists(kubeconfig);
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(machine);
    command.add("-Xmx512m");
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.berth.app.Main"));
    command.addAll(List.of("up", "--port", "0", "--kubeconfig", kubeconfig.toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    if (!FAKETIME.isEmpty()) {
      builder.environment().put("LD_PRELOAD", FAKETIME);
      builder.environment().put("FAKETIME_TIMESTAMP_FILE", folder.resolve("clock").toString());
      builder.environment().put("FAKETIME_CACHE_DURATION", "1");
      builder.environment().put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    }
    return new ClusterProcess(builder.start(), kubeconfig);
  }

  /// Sets the clock of the folder's clusters, running ones too, so many minutes forth or back, if
  /// clocks can be set at all.
  static void setClock(Path folder, int minutes) throws IOException {
    if (!FAKETIME.isEmpty()) {
      Files.writeString(folder.resolve("clock"), "%+dm".formatted(minutes));
    }
  }

  AdminClient client() {
    return AdminClient.of(kubeconfig);
  }

  /// SIGKILL: nothing of the process runs after it.
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
