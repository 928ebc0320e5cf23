package io.berth.answers.plan;

import io.berth.answers.explain.PodExplanation;
import io.berth.api.Tree;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The answer to `berth plan`: who lands where, what stays pending and why, what is no more.
///
/// @param pending pods that wait at the end and did not before
/// @param stillPending pods that waited before, and still do
/// @param gone pods that nobody makes anew
/// @param kept pods that a budget kept on a node that was drained
/// @param headroom what is free on nodes that take pods, by resource
public record Forecast(
    List<Move> moves,
    List<PodExplanation> pending,
    List<String> stillPending,
    List<String> gone,
    List<String> kept,
    List<Change> budgets,
    List<Change> skew,
    List<Change> headroom,
    Map<String, String> places) {

  public Forecast {
    moves = List.copyOf(moves);
    pending = List.copyOf(pending);
    stillPending = List.copyOf(stillPending);
    gone = List.copyOf(gone);
    kept = List.copyOf(kept);
    budgets = List.copyOf(budgets);
    skew = List.copyOf(skew);
    headroom = List.copyOf(headroom);
    places = Map.copyOf(places);
  }

  /// A pod on another node than before, or one that was not there; `from` is then `""`.
  public record Move(String pod, String owner, String from, String to) {

    Tree toTree() {
      return Tree.of("pod", pod, "owner", owner, "from", from, "to", to);
    }
  }

  /// Something that is counted, before and after.
  public record Change(String what, String before, String after) {

    public boolean isNone() {
      return before.equals(after);
    }

    Tree toTree() {
      return Tree.of("what", what, "before", before, "after", after);
    }
  }

  /// Whether nothing waits that did not wait before, and no budget was in the way.
  public boolean isGood() {
    return pending.isEmpty() && kept.isEmpty();
  }

  public Tree toTree() {
    return Tree.of("apiVersion", PodExplanation.API_VERSION, "kind", "Plan")
        .put("moves", moves.stream().map(Move::toTree).toList())
        .put("pending", pending.stream().map(PodExplanation::toTree).toList())
        .put("stillPending", stillPending)
        .put("gone", gone)
        .put("kept", kept)
        .put("budgets", budgets.stream().map(Change::toTree).toList())
        .put("skew", skew.stream().map(Change::toTree).toList())
        .put("headroom", headroom.stream().map(Change::toTree).toList());
  }

  /// Pods that the other forecast puts elsewhere, by name.
  public List<Change> differences(Forecast other) {
    var all = new TreeMap<>(places);
    other.places.forEach(all::putIfAbsent);
    return all.keySet().stream()
        .map(pod ->
            new Change(pod, places.getOrDefault(pod, ""), other.places.getOrDefault(pod, "")))
        .filter(change -> !change.isNone())
        .toList();
  }
}
