package io.berth.controllers.kubelet;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How a simulated pod behaves: defaults, and what its annotations say instead.
///
/// | annotation | meaning |
/// |---|---|
/// | `berth.io/start-after` | time until containers start |
/// | `berth.io/run-for` | time after which a container exits; `forever` |
/// | `berth.io/exit-code` | what it exits with |
/// | `berth.io/ready-after` | time from start to ready; `never` |
/// | `berth.io/stop-after` | time a container takes to stop, at most its grace period |
///
/// `run-for`, `exit-code` and `ready-after` may name a container: `berth.io/exit-code.setup`.
/// Values that cannot be read are as if absent; the pod then behaves like any other.
public record Behaviour(Duration startAfter, Duration jobsRunFor, Duration stopAfter) {

  /// Starts and stops at once; pods of Jobs succeed after ten seconds, long enough to be looked at.
  public static final Behaviour DEFAULT =
      new Behaviour(Duration.ZERO, Duration.ofSeconds(10), Duration.ZERO);

  private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m|h)");

  Duration startAfter(Tree pod) {
    var text = Meta.annotation(pod, "berth.io/start-after");
    var duration = text == null ? null : duration(text);
    return duration == null ? startAfter : duration;
  }

  /// How long a main container runs; `null` for ever.
  @Nullable Duration runFor(Tree pod, String container) {
    var text = annotation(pod, "berth.io/run-for", container);
    if (text != null) {
      return duration(text);
    }
    if (annotation(pod, "berth.io/exit-code", container) != null) {
      return Duration.ZERO;
    }
    var controller = Meta.controllerOf(pod);
    var ofJob = controller != null && controller.textOrEmpty("kind").equals("Job");
    return ofJob ? jobsRunFor : null;
  }

  Duration initRunsFor(Tree pod, String container) {
    var text = Meta.annotation(pod, "berth.io/run-for." + container);
    var duration = text == null ? null : duration(text);
    return duration == null ? Duration.ZERO : duration;
  }

  long exitCode(Tree pod, String container) {
    return code(annotation(pod, "berth.io/exit-code", container));
  }

  long initExitCode(Tree pod, String container) {
    return code(Meta.annotation(pod, "berth.io/exit-code." + container));
  }

  /// Time from start to ready; `null` for never.
  @Nullable Duration readyAfter(Tree pod, String container) {
    var text = annotation(pod, "berth.io/ready-after", container);
    return text == null ? firstProbe(pod, container) : duration(text);
  }

  /// Probes succeed, but not before they are asked for the first time.
  private static Duration firstProbe(Tree pod, String container) {
    for (var each : pod.trees("spec", "containers")) {
      if (each.textOrEmpty("name").equals(container)) {
        return Duration.ofSeconds(each.number(0, "readinessProbe", "initialDelaySeconds"));
      }
    }
    return Duration.ZERO;
  }

  Duration stopAfter(Tree pod) {
    var text = Meta.annotation(pod, "berth.io/stop-after");
    var duration = text == null ? null : duration(text);
    return duration == null ? stopAfter : duration;
  }

  private static @Nullable String annotation(Tree pod, String key, String container) {
    var own = Meta.annotation(pod, key + "." + container);
    return own != null ? own : Meta.annotation(pod, key);
  }

  private static long code(@Nullable String text) {
    return text != null && text.matches("\\d{1,3}") ? Long.parseLong(text) : 0;
  }

  /// `1m30s`, `500ms`; `null` for anything else, such as `forever` and `never`.
  public static @Nullable Duration duration(String text) {
    var total = Duration.ZERO;
    Matcher part = PART.matcher(text);
    var at = 0;
    while (part.find() && part.start() == at) {
      var amount = Double.parseDouble(part.group(1));
      var unitMillis =
          switch (part.group(2)) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            default -> 3_600_000;
          };
      total = total.plusMillis((long) (amount * unitMillis));
      at = part.end();
    }
    return at == text.length() && at > 0 ? total : null;
  }
}
