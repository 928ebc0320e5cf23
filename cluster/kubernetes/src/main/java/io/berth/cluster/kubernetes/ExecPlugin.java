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
import org.jspecify.annotations.Nullable;

/// A token from a program that the kubeconfig names, asked again when the token is about to expire
/// or was refused. Programs that answer with a client certificate are not supported.
final class ExecPlugin implements Credentials {

  private static final Duration EARLY = Duration.ofMinutes(1);

  private final List<String> command = new ArrayList<>();
  private final Tree exec;
  private final Path kubeconfig;
  private @Nullable String header;
  private @Nullable Instant expires;

  ExecPlugin(Tree exec, Path kubeconfig) {
    this.exec = exec;
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
      var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw failed("exit code " + code);
      }
      return Json.read(text);
    } catch (IOException | SyntaxException e) {
      throw failed(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("interrupted");
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
