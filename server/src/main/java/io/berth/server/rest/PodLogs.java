package io.berth.server.rest;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.server.ContainerLogs;
import io.berth.server.ContainerLogs.Line;
import io.berth.server.Limits;
import io.berth.server.http.Answer;
import io.berth.server.registry.Registry;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// `GET …/pods/{name}/log`: what a container has written, and with `follow` what it goes on to
/// write. An unscheduled pod has not even a place to ask.
final class PodLogs {

  private final Registry registry;
  private final ContainerLogs logs;
  private final InstantSource clock;

  PodLogs(Registry registry, ContainerLogs logs, InstantSource clock) {
    this.registry = registry;
    this.logs = logs;
    this.clock = clock;
  }

  Answer answer(Exchange exchange) {
    var pod = fetch(exchange);
    var options =
        LogOptions.of(
            exchange.call().query(), pod.textOrEmpty("metadata", "name"), clock.instant());
    var container = container(pod, options.container());
    if (pod.textOrEmpty("spec", "nodeName").isEmpty()) {
      return Answer.of(204, "", new byte[0]);
    }
    checkStarted(pod, container, options.previous());
    if (options.follow() && !options.previous()) {
      var headers = new ArrayList<Map.Entry<String, String>>();
      headers.add(Map.entry("Content-Type", "text/plain"));
      return new Answer.Stream(200, headers, new Following(exchange, options, container));
    }
    var lines = options.chosen(logs.read(pod, container, clock.instant()));
    return Answer.of(200, "text/plain", cut(options.shown(lines), options.limitBytes()));
  }

  private Tree fetch(Exchange exchange) {
    return registry
        .fetch(exchange.served(), exchange.namespace(), exchange.info().name(), "")
        .object();
  }

  /// The container that is asked for, or the only one there is.
  static String container(Tree pod, String asked) {
    var name = pod.textOrEmpty("metadata", "name");
    var containers = names(pod, "containers");
    if (asked.isEmpty()) {
      if (containers.size() > 1) {
        throw ApiException.badRequest(
            "a container name must be specified for pod %s, choose one of: [%s]"
                .formatted(name, String.join(" ", allNames(pod))));
      }
      return containers.getFirst();
    }
    if (!containers.contains(asked)
        && !names(pod, "initContainers").contains(asked)
        && !names(pod, "ephemeralContainers").contains(asked)) {
      throw ApiException.badRequest("container %s is not valid for pod %s".formatted(asked, name));
    }
    return asked;
  }

  private static List<String> allNames(Tree pod) {
    var all = names(pod, "initContainers");
    all.addAll(names(pod, "containers"));
    all.addAll(names(pod, "ephemeralContainers"));
    return all;
  }

  private static List<String> names(Tree pod, String field) {
    var names = new ArrayList<String>();
    for (var container : pod.trees("spec", field)) {
      names.add(container.textOrEmpty("name"));
    }
    return names;
  }

  /// Refuses, as a kubelet does, what has not begun to write.
  private static void checkStarted(Tree pod, String container, boolean previous) {
    var name = pod.textOrEmpty("metadata", "name");
    var status = status(pod, container);
    if (previous && (status == null || status.at("lastState", "terminated") == null)) {
      throw ApiException.badRequest(
          "previous terminated container \"%s\" in pod \"%s\" not found"
              .formatted(container, name));
    }
    if (status != null && status.get("state") instanceof Tree state && state.has("waiting")) {
      throw ApiException.badRequest(
          "container \"%s\" in pod \"%s\" is waiting to start: %s"
              .formatted(container, name, state.textOrEmpty("waiting", "reason")));
    }
  }

  private static @Nullable Tree status(Tree pod, String container) {
    for (var list : List.of("containerStatuses", "initContainerStatuses")) {
      for (var status : pod.trees("status", list)) {
        if (status.textOrEmpty("name").equals(container)) {
          return status;
        }
      }
    }
    return null;
  }

  private static byte[] cut(byte[] text, long limit) {
    return limit < 0 || text.length <= limit ? text : Arrays.copyOf(text, (int) limit);
  }

  /// Sends what is there, then looks again until the container has ended or the client leaves.
  private final class Following implements Answer.Frames {

    private final Exchange exchange;
    private final LogOptions options;
    private final String container;
    private final CountDownLatch left = new CountDownLatch(1);
    private long budget;

    Following(Exchange exchange, LogOptions options, String container) {
      this.exchange = exchange;
      this.options = options;
      this.container = container;
      this.budget = options.limitBytes() < 0 ? Long.MAX_VALUE : options.limitBytes();
    }

    @Override
    public void writeTo(Answer.Outlet outlet) throws IOException, InterruptedException {
      outlet.onClose(left::countDown);
      var last = Instant.MIN;
      do {
        Tree pod;
        try {
          pod = fetch(exchange);
        } catch (ApiException e) {
          return;
        }
        var lines = logs.read(pod, container, clock.instant());
        var fresh = last.equals(Instant.MIN) ? options.chosen(lines) : after(last, lines);
        if (!lines.isEmpty()) {
          last = lines.getLast().time();
        }
        if (!fresh.isEmpty()) {
          var text = cut(options.shown(fresh), budget);
          budget -= text.length;
          outlet.send(text);
        }
        if (budget == 0 || hasEnded(pod)) {
          return;
        }
      } while (!left.await(Limits.LOG_POLL.toMillis(), TimeUnit.MILLISECONDS));
    }

    private static List<Line> after(Instant last, List<Line> lines) {
      return lines.stream().filter(line -> line.time().isAfter(last)).toList();
    }

    private boolean hasEnded(Tree pod) {
      var status = status(pod, container);
      return status != null && status.at("state", "terminated") != null;
    }
  }
}
