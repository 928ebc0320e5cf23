package io.berth.app;

import io.berth.api.Tree;
import io.berth.cli.LocalCluster;
import io.berth.cli.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The clusters of this machine: started here or in a process of their own, found by their folder.
final class MachineClusters implements LocalCluster {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Override
  public Running start(Options options) {
    return EmbeddedCluster.start(options);
  }

  /// Runs this very command line again, without `--detach`, with its output in a log file.
  @Override
  public Tree startDetached(Options options) {
    try {
      Files.createDirectories(options.folder());
      var log = options.folder().resolve("berth.log");
      long begin = Files.exists(log) ? Files.size(log) : 0;
      var process =
          new ProcessBuilder(sameCommand())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .start();
      return awaitReady(process, options.folder(), log, begin);
    } catch (IOException e) {
      throw new UserError("cannot start a process: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted before the cluster was ready");
    }
  }

  private static List<String> sameCommand() throws IOException {
    var me = ProcessHandle.current().info();
    var command = new ArrayList<String>();
    command.add(me.command().orElseThrow(() -> new UserError("cannot find the java command")));
    for (var argument : arguments(me)) {
      if (!argument.equals("--detach")) {
        command.add(argument);
      }
    }
    return command;
  }

  /// The JDK tells nothing of a command line beyond 4096 bytes, and a class path can be that long.
  private static List<String> arguments(ProcessHandle.Info me) throws IOException {
    var file = Path.of("/proc/self/cmdline");
    if (Files.isReadable(file)) {
      var words = List.of(Files.readString(file).split("\0", -1));
      return words.subList(1, words.size() - 1);
    }
    return List.of(
        me.arguments().orElseThrow(() -> new UserError("cannot find out the command line")));
  }

  private static Tree awaitReady(Process process, Path folder, Path log, long begin)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      var facts = RunFolder.find(folder);
      if (facts != null && facts.number(0, "pid") == process.pid()) {
        return facts;
      }
      if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
        throw new UserError(
            "the cluster did not start%s; see %s".formatted(complaint(log, begin), log));
      }
    }
    throw new UserError("the cluster is not ready yet; see %s".formatted(log));
  }

  /// What the process has said about its end, which is the first thing its user wants to know.
  private static String complaint(Path log, long begin) throws IOException {
    try (var in = Files.newInputStream(log)) {
      in.skipNBytes(begin);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("berth: "))
          .findFirst()
          .map(line -> line.substring("berth".length()))
          .orElse("");
    }
  }

  @Override
  public @Nullable Tree find(Path folder) {
    return RunFolder.find(folder);
  }

  @Override
  public boolean stop(Path folder) {
    var facts = RunFolder.find(folder);
    if (facts == null) {
      return false;
    }
    var process = ProcessHandle.of(facts.number(0, "pid"));
    if (process.isEmpty() || !process.get().destroy()) {
      return false;
    }
    try {
      process.get().onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return true;
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new UserError("process %d does not stop".formatted(process.get().pid()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted before the cluster stopped");
    }
  }

  @Override
  public Path defaultFolder(boolean inMemory) {
    return EmbeddedCluster.home().resolve(inMemory ? "in-memory" : "data");
  }
}
