package io.berth.cluster.kubernetes;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A token from a program that the kubeconfig names, asked again when the token is about to expire
/// or was refused. Programs that answer with a client certificate are not supported.
///
/// A program that says nothing for a minute, or far too much, is killed with all it has started:
/// nobody is there whom it could wait for.
final class ExecPlugin implements Credentials {

  private static final Duration EARLY = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int MAX_BYTES = 1 << 20;

  private final List<String> command = new ArrayList<>();
  private final Tree exec;
  private final Path kubeconfig;
  private final Duration patience;
  private @Nullable String header;
  private @Nullable Instant expires;

  ExecPlugin(Tree exec, Path kubeconfig) {
    this(exec, kubeconfig, PATIENCE);
  }

  ExecPlugin(Tree exec, Path kubeconfig, Duration patience) {
    this.exec = exec;
    this.patience = patience;
    this.kubeconfig = kubeconfig;
    var program = exec.textOrEmpty("command");
    command.add(program.contains("/") ? kubeconfig.resolveSibling(program).toString() : program);
    for (var argument : exec.list("args")) {
      command.add(String.valueOf(argument));
    }
  }

  @Override
  public synchronized String header() {
    if (header == null || (expires != null && Instant.now().plus(EARLY).isAfter(expires))) {
      header = ask();
    }
    return header;
  }

  @Override
  public synchronized void refused(@Nullable String used) {
    if (used != null && used.equals(header)) {
      header = null;
    }
  }

  private String ask() {
    var answer = answer().treeOrEmpty("status");
    var token = answer.textOrEmpty("token");
    if (token.isEmpty()) {
      throw new AccessException(
          "%s: exec plugin %s gave no status.token; only tokens are supported"
              .formatted(kubeconfig, command.getFirst()));
    }
    expires = instant(answer.textOrEmpty("expirationTimestamp"));
    return "Bearer " + token;
  }

  private Tree answer() {
    var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    for (var variable : exec.trees("env")) {
      builder.environment().put(variable.textOrEmpty("name"), variable.textOrEmpty("value"));
    }
    var version = exec.textOrEmpty("apiVersion");
    var info =
        Tree.of(
            "kind", "ExecCredential", "apiVersion", version, "spec", Tree.of("interactive", false));
    builder.environment().put("KUBERNETES_EXEC_INFO", Json.text(info));
    try {
      var process = builder.start();
      process.getOutputStream().close();
      return Json.read(new String(output(process), StandardCharsets.UTF_8));
    } catch (IOException | SyntaxException e) {
      throw failed(String.valueOf(e.getMessage()));
    }
  }

  /// What the program says before it ends well.
  private byte[] output(Process process) {
    var output = new CompletableFuture<byte[]>();
    Thread.ofVirtual().name("exec plugin").start(() -> read(process, output));
    try {
      var bytes = output.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      if (bytes.length > MAX_BYTES) {
        throw failed("it says more than %d KiB".formatted(MAX_BYTES >> 10));
      }
      int code = process.waitFor();
      if (code != 0) {
        throw failed("exit code " + code);
      }
      return bytes;
    } catch (TimeoutException e) {
      throw failed(
          "it did not end within %d seconds; it must not wait for anybody"
              .formatted(Math.max(1, patience.toSeconds())));
    } catch (ExecutionException e) {
      throw failed(String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("interrupted");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /// Ends with the output, and with the process unless it says too much.
  private static void read(Process process, CompletableFuture<byte[]> output) {
    try {
      var bytes = process.getInputStream().readNBytes(MAX_BYTES + 1);
      if (bytes.length <= MAX_BYTES) {
        process.waitFor();
      }
      output.complete(bytes);
    } catch (IOException | InterruptedException e) {
      output.completeExceptionally(e);
    }
  }

  private AccessException failed(String why) {
    var hint = exec.textOrEmpty("installHint");
    return new AccessException(
        "%s: exec plugin %s failed: %s%s"
            .formatted(kubeconfig, command.getFirst(), why, hint.isEmpty() ? "" : "; " + hint));
  }

  private static @Nullable Instant instant(String text) {
    try {
      return text.isEmpty() ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
