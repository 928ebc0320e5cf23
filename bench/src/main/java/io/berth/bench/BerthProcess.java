package io.berth.bench;

import io.berth.cluster.kubernetes.Access;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A `berth up --api-only` of its own, on a folder of its own, and what Linux says about it.
final class BerthProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final Access access;
  private final long readyMillis;

  private BerthProcess(Process process, Access access, long readyMillis) {
    this.process = process;
    this.access = access;
    this.readyMillis = readyMillis;
  }

  /// Starts `command` and waits until `/readyz` is ok.
  static BerthProcess start(Path command, Path folder) throws Exception {
    var kubeconfig = folder.resolve("kubeconfig");
    var arguments = new ArrayList<String>();
    arguments.addAll(List.of(command.toString(), "up", "--api-only", "--port", "0"));
    arguments.addAll(List.of("--data", folder.resolve("data").toString()));
    arguments.addAll(List.of("--kubeconfig", kubeconfig.toString()));
    long begin = System.nanoTime();
    var process =
        new ProcessBuilder(arguments)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    while (!isReady(kubeconfig)) {
      if (!process.isAlive() || System.nanoTime() - begin > PATIENCE.toNanos()) {
        process.destroy();
        throw new IOException("berth did not start: " + Files.readString(folder.resolve("output")));
      }
      Thread.sleep(5);
    }
    long millis = (System.nanoTime() - begin) / 1_000_000;
    return new BerthProcess(process, Access.kubeconfig(kubeconfig, ""), millis);
  }

  private static boolean isReady(Path kubeconfig) {
    if (!Files.exists(kubeconfig)) {
      return false;
    }
    try (var connection = new ApiConnection(Access.kubeconfig(kubeconfig, ""))) {
      connection.call("GET", "/readyz", "*/*", null, 200);
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  Access access() {
    return access;
  }

  /// From the start of the command to the first `/readyz` that was ok.
  long readyMillis() {
    return readyMillis;
  }

  double residentMebibytes() throws IOException {
    for (var line : Files.readAllLines(Path.of("/proc/%d/status".formatted(process.pid())))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
      }
    }
    return Double.NaN;
  }

  long pid() {
    return process.pid();
  }

  /// Ends it and waits until it is gone.
  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
