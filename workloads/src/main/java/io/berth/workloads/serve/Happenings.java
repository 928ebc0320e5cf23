package io.berth.workloads.serve;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.state.State;
import io.berth.workloads.state.Times;
import io.berth.workloads.submit.PodTemplate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What happened to a workload: events of its pods and of itself, and its phases.
final class Happenings {

  private final State state;

  Happenings(State state) {
    this.state = state;
  }

  List<Tree> events(Found found, boolean descending) {
    var events = new ArrayList<Tree>();
    for (var event : state.table(Resource.CORE_EVENTS).all()) {
      if (isAbout(event, found)) {
        events.add(view(event));
      }
    }
    var order = Comparator.comparing((Tree event) -> event.textOrEmpty("createdAt"));
    events.sort(descending ? order.reversed() : order);
    return events;
  }

  /// Events and phases together, newest first.
  List<Tree> history(Found found) {
    var records = new ArrayList<Tree>();
    for (var event : events(found, true)) {
      records.add(record(event.textOrEmpty("createdAt"), "Event", Tree.of("event", event)));
    }
    for (var phase : found.workload().trees("status", "history")) {
      records.add(
          record(
              phase.textOrEmpty("at"),
              "PhaseUpdate",
              Tree.of(
                  "phaseUpdate",
                  Tree.of(
                      "phase", phase.text("phase"),
                      "phaseMessage", phase.textOrEmpty("message")))));
    }
    records.sort(
        Comparator.comparing((Tree record) -> record.textOrEmpty("meta", "creationTimestamp"))
            .reversed());
    return records;
  }

  private static Tree record(String at, String type, Tree spec) {
    return Tree.of("meta", Tree.of("creationTimestamp", at, "type", type), "spec", spec);
  }

  private static boolean isAbout(Tree event, Found found) {
    if (!event.textOrEmpty("involvedObject", "namespace").equals(found.namespace())) {
      return false;
    }
    var name = event.textOrEmpty("involvedObject", "name");
    if (!event.textOrEmpty("involvedObject", "kind").equals("Pod")) {
      return event.textOrEmpty("involvedObject", "uid").equals(found.id());
    }
    // A name may be used again after a deletion: only what happened in this one's time is its own.
    return PodTemplate.isNameOf(found.workload(), name)
        && time(event).compareTo(State.createdAt(found.workload()).substring(0, 19)) >= 0
        && (found.deletedAt() == null || time(event).compareTo(found.deletedAt()) <= 0);
  }

  private Tree view(Tree event) {
    return Tree.of(
        "createdAt", time(event),
        "id", event.text("metadata", "uid"),
        "type", event.textOrEmpty("type"),
        "clusterId", state.clusterId(),
        "message", event.textOrEmpty("message"),
        "reason", event.textOrEmpty("reason"),
        "source", source(event),
        "involvedObject",
            Tree.of(
                "uid", event.textOrEmpty("involvedObject", "uid"),
                "kind", event.textOrEmpty("involvedObject", "kind"),
                "name", event.textOrEmpty("involvedObject", "name"),
                "namespace", event.textOrEmpty("involvedObject", "namespace")));
  }

  private static String source(Tree event) {
    var component = event.textOrEmpty("source", "component");
    return component.isEmpty() ? event.textOrEmpty("reportingComponent") : component;
  }

  private static String time(Tree event) {
    for (var field : List.of("lastTimestamp", "eventTime", "firstTimestamp")) {
      if (!event.textOrEmpty(field).isEmpty()) {
        return Times.of(event.textOrEmpty(field));
      }
    }
    return Times.of(event.textOrEmpty("metadata", "creationTimestamp"));
  }
}
