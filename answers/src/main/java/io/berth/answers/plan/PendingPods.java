package io.berth.answers.plan;

import io.berth.answers.explain.Outlook;
import io.berth.answers.explain.PodExplanation;
import io.berth.api.Tree;
import io.berth.engine.Decision;
import java.util.ArrayList;
import java.util.List;

/// Why pods wait at the end of a what-if.
final class PendingPods {

  private final ImaginedCluster cluster;

  PendingPods(ImaginedCluster cluster) {
    this.cluster = cluster;
  }

  List<PodExplanation> explain(List<Resident> pods) {
    var explained = new ArrayList<PodExplanation>();
    for (var pod : pods) {
      var message =
          switch (cluster.plan().decide(pod.pod())) {
            case Decision.Placed(var node, _) -> "would go to " + node;
            case Decision.Unschedulable no -> no.message();
            case Decision.Failed(var error) -> error;
          };
      explained.add(
          new PodExplanation(
              pod.key(),
              Outlook.NOT_NOW,
              "",
              true,
              List.of(),
              "",
              message,
              cluster.nodes().size(),
              List.of(),
              List.of(),
              new Tree(),
              List.of()));
    }
    return explained;
  }
}
