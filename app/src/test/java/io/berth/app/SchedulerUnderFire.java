package io.berth.app;

import io.berth.cli.Cli;
import io.berth.cli.Scheduler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// `berth scheduler` as a process of its own that can be killed, frozen, and whose clock on the
/// wall can be moved: each line on its standard input is a number of seconds.
final class SchedulerUnderFire {

  private final Process process;
  private final Path log;

  private SchedulerUnderFire(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  static SchedulerUnderFire start(Path kubeconfig, Path configuration, Path log)
      throws IOException {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                SchedulerUnderFire.class.getName(),
                "scheduler",
                "--kubeconfig",
                kubeconfig.toString(),
                "--config",
                configuration.toString(),
                "--secure-port",
                "0")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new SchedulerUnderFire(process, log);
  }

  public static void main(String[] arguments) {
    var offset = new AtomicLong();
    Thread.ofPlatform().daemon().start(() -> readMoves(offset));
    var line = List.of(arguments);
    Logging.configure(line);
    var schedulers = new RealClusterScheduler(() -> Instant.now().plusSeconds(offset.get()));
    var command = new Scheduler(schedulers, Map.of());
    int exitCode = new Cli(List.of(command), Map.of(), false).run(line, System.out, System.err);
    if (!Interruption.isUnderWay()) {
      System.exit(exitCode);
    }
  }

  private static void readMoves(AtomicLong offset) {
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    in.lines().forEach(line -> offset.addAndGet(Long.parseLong(line)));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Whether it has ever been the leader; one that is no more ends.
  boolean hasLed() {
    return hasSaid("leading as");
  }

  boolean knowsTheCluster() {
    return hasSaid("knows the cluster");
  }

  private boolean hasSaid(String words) {
    try {
      return Files.readString(log).contains(words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String output() throws IOException {
    return Files.readString(log);
  }

  void moveClock(long seconds) {
    try {
      process.getOutputStream().write("%d\n".formatted(seconds).getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      // It has just lost the lead and ended: its clock is of no interest any more.
    }
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  void terminate() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  /// Stops it within whatever it does, until [#thaw()].
  void freeze() throws IOException, InterruptedException {
    signal("STOP");
  }

  void thaw() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
  }
}
