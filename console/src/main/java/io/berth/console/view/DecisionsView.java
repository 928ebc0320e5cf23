package io.berth.console.view;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.console.sight.Visibility;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// What schedulers decided, newest first, as events tell it.
public final class DecisionsView {

  /// What becomes of a pod, by the reason of its event.
  private static final Map<String, String> RESULTS =
      Map.of("Scheduled", "placed", "FailedScheduling", "refused", "Preempted", "preempted");

  private static final int MOST = 5000;

  private final Cluster cluster;
  private final Visibility visibility;

  public DecisionsView(Cluster cluster, Visibility visibility) {
    this.cluster = cluster;
    this.visibility = visibility;
  }

  /// Which decisions are asked for; `""` is any.
  public record Selection(String since, String pod, String result, int limit) {

    public static Selection of(String since, String pod, String result, String limit) {
      try {
        if (!since.isEmpty()) {
          var _ = Instant.parse(since);
        }
      } catch (DateTimeParseException e) {
        throw ApiException.badRequest(
            "since: \"%s\" is no time; write 2026-01-31T12:00:00Z".formatted(since));
      }
      if (!result.isEmpty() && !RESULTS.containsValue(result)) {
        throw ApiException.badRequest(
            "result: \"%s\" is none of placed, preempted, refused".formatted(result));
      }
      if (!limit.matches("\\d{0,6}")) {
        throw ApiException.badRequest("limit: \"%s\" is no number".formatted(limit));
      }
      int most = limit.isEmpty() ? 1000 : Math.clamp(Integer.parseInt(limit), 1, MOST);
      return new Selection(since, pod, result, most);
    }
  }

  /// `namespaces` are those that have pods.
  public Tree toTree(Selection selection, Collection<String> namespaces) {
    var decisions = new ArrayList<Tree>();
    for (var event : events(namespaces)) {
      var decision = decision(event);
      if (decision != null && matches(decision, selection)) {
        decisions.add(decision);
      }
    }
    decisions.sort(Comparator.comparing((Tree each) -> each.textOrEmpty("time")).reversed());
    return Tree.of("total", decisions.size())
        .put("items", decisions.stream().limit(selection.limit).toList());
  }

  private List<Tree> events(Collection<String> namespaces) {
    if (visibility.listsAll(Resource.CORE_EVENTS)) {
      return cluster.list(Resource.CORE_EVENTS, "", Cluster.Selection.ALL).items();
    }
    var events = new ArrayList<Tree>();
    for (var namespace : namespaces) {
      if (visibility.lists(Resource.CORE_EVENTS, namespace)) {
        events.addAll(cluster.list(Resource.CORE_EVENTS, namespace, Cluster.Selection.ALL).items());
      }
    }
    return events;
  }

  private static @org.jspecify.annotations.Nullable Tree decision(Tree event) {
    var result = RESULTS.get(event.textOrEmpty("reason"));
    if (result == null || !event.textOrEmpty("involvedObject", "kind").equals("Pod")) {
      return null;
    }
    var last = event.textOrEmpty("lastTimestamp");
    var pod =
        event.textOrEmpty("involvedObject", "namespace")
            + "/"
            + event.textOrEmpty("involvedObject", "name");
    return Tree.of(
        "time",
        last.isEmpty() ? event.textOrEmpty("eventTime") : last,
        "pod",
        pod,
        "result",
        result,
        "message",
        event.textOrEmpty("message"),
        "count",
        Math.max(event.number(1, "count"), event.number(1, "series", "count")));
  }

  private static boolean matches(Tree decision, Selection selection) {
    return (selection.pod.isEmpty() || decision.textOrEmpty("pod").equals(selection.pod))
        && (selection.result.isEmpty() || decision.textOrEmpty("result").equals(selection.result))
        && decision.textOrEmpty("time").compareTo(selection.since) >= 0;
  }
}
