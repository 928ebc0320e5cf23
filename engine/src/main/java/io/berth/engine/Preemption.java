package io.berth.engine;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What PostFilter made of a pod that fits nowhere.
///
/// `candidates` are the nodes on which evictions would make room, `chosen` those that stay tied
/// after all criteria, `node` the one taken. `rejected` says why the dry run failed elsewhere.
/// `message` is PostFilter's part of the FailedScheduling message, `""` when it has none. A
/// [Decision] carries only the node taken and its victims; an [Examination] carries everything.
/// `keepsNomination` tells the scheduler to leave `status.nominatedNodeName` as it is.
public record Preemption(
    Outcome outcome,
    String message,
    Map<String, Candidate> candidates,
    List<String> chosen,
    Map<String, Rejection> rejected,
    @Nullable String node,
    boolean keepsNomination) {

  /// The status code of PostFilter.
  public enum Outcome {
    SUCCESS("Success"),
    UNSCHEDULABLE("Unschedulable"),
    ERROR("Error");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /// Pods to evict from a node, `namespace/name`, most important first.
  public record Candidate(List<String> victims, int numPdbViolations) {

    public Candidate {
      victims = List.copyOf(victims);
    }
  }

  /// Only what acting on it needs: the node taken and its victims.
  public Preemption essence() {
    return node == null
        ? new Preemption(outcome, message, Map.of(), List.of(), Map.of(), null, keepsNomination)
        : new Preemption(
            outcome,
            message,
            Map.of(node, candidates.getOrDefault(node, new Candidate(List.of(), 0))),
            List.of(node),
            Map.of(),
            node,
            keepsNomination);
  }
}
