package io.berth.workloads.serve;

import io.berth.answers.explain.Explanations;
import io.berth.answers.explain.Explanations.Wish;
import io.berth.answers.explain.PodExplanation;
import io.berth.answers.explain.Sight;
import io.berth.answers.live.LiveCluster;
import io.berth.answers.live.LiveCluster.Moment;
import io.berth.answers.source.Manifest;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.PodPhase;
import io.berth.api.Tree;
import io.berth.codec.PodReader;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.PodRoles;
import io.berth.workloads.submit.PodTemplate;
import java.util.Optional;

/// Asks the engine beside the scheduler about a pod of a role: one that waits, else one that runs,
/// else one as it would be made. The queue's gate is left out: whether it is the workload's turn is
/// another question.
final class RolePlacement {

  private static final Wish WISH = new Wish(true, false, true);

  private static final String NOT_READY =
      "Where its pods can go is not known at the moment; ask again.";

  private final State state;
  private final LiveCluster live;

  RolePlacement(State state, LiveCluster live) {
    this.state = state;
    this.live = live;
  }

  /// A pod, and what is said of it to whoever sees so much.
  record Judged(Tree pod, PodExplanation answer) {}

  /// Nothing where the workload's project is no more.
  Optional<Judged> of(Found found, PodRoles.Role role, Sight sight) {
    return podOf(found, role).map(pod -> new Judged(pod, ask(pod).seenBy(sight)));
  }

  private Optional<Tree> podOf(Found found, PodRoles.Role role) {
    Tree chosen = null;
    for (var pod : state.podsOf(found.workload())) {
      boolean isOfRole =
          role.name().equals(pod.at("metadata", "labels", PodTemplate.ROLE_LABEL))
              && !PodPhase.isTerminal(pod);
      if (isOfRole && (chosen == null || (!hasNode(pod) && hasNode(chosen)))) {
        chosen = pod;
      }
    }
    if (chosen != null) {
      return Optional.of(chosen);
    }
    return Optional.ofNullable(found.project())
        .map(project -> new PodTemplate(found.workload(), project).pod(role, 0, 0));
  }

  private static boolean hasNode(Tree pod) {
    return !pod.textOrEmpty("spec", "nodeName").isEmpty();
  }

  private PodExplanation ask(Tree pod) {
    try {
      return live.ask(moment -> explain(moment, pod));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(503, NOT_READY);
    }
  }

  private static PodExplanation explain(Moment moment, Tree pod) {
    var subject = moment.survey().findPod(namespace(pod), name(pod)).orElseGet(() -> read(pod));
    boolean gated = !subject.pod().spec().schedulingGates().isEmpty();
    return new Explanations(moment.survey(), moment.engine())
        .explain(gated ? opened(subject) : subject, WISH);
  }

  private static SurveyedPod opened(SurveyedPod gated) {
    var tree = gated.tree().copy();
    tree.child("spec").remove("schedulingGates");
    return read(tree);
  }

  private static SurveyedPod read(Tree tree) {
    return SurveyedPod.of(PodReader.read(tree), tree, Manifest.ofCluster(tree));
  }

  private static String namespace(Tree pod) {
    return pod.textOrEmpty("metadata", "namespace");
  }

  private static String name(Tree pod) {
    return pod.textOrEmpty("metadata", "name");
  }
}
