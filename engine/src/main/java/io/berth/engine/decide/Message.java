package io.berth.engine.decide;

import io.berth.engine.Rejection;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;

/// The FailedScheduling message, byte for byte as Kubernetes writes it.
final class Message {

  static final String NO_NODES = "no nodes available to schedule pods";

  private final int nodes;
  private final Map<String, Integer> counts = new TreeMap<>();

  Message(int nodes) {
    this.nodes = nodes;
  }

  void add(Rejection rejection, int times) {
    for (var reason : rejection.reasons()) {
      add(reason, times);
    }
  }

  void add(String reason, int times) {
    if (times > 0) {
      counts.merge(reason, times, Integer::sum);
    }
  }

  /// Each reason with the number of nodes it holds for, sorted as text: `10 x` before `2 y`.
  @Override
  public String toString() {
    var entries = new ArrayList<String>();
    counts.forEach((reason, count) -> entries.add(count + " " + reason));
    entries.sort(null);
    var start = "0/%d nodes are available:".formatted(nodes);
    return entries.isEmpty() ? start : start + " " + String.join(", ", entries) + ".";
  }

  /// The message when a plugin rejected the pod before any node was looked at.
  static String ofVeto(int nodes, Rejection veto) {
    return "0/%d nodes are available: %s.".formatted(nodes, String.join(", ", veto.reasons()));
  }

  static String with(String filterMessage, String postFilterMessage) {
    return postFilterMessage.isEmpty() ? filterMessage : filterMessage + " " + postFilterMessage;
  }
}
