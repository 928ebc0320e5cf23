package io.berth.placement.check;

import io.berth.answers.explain.Explanations;
import io.berth.answers.explain.Explanations.Wish;
import io.berth.answers.explain.PodExplanation;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.Node;
import io.berth.api.ObjectReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A cluster at one moment, as checks look at it: pods that live, nodes, and how it began.
///
/// Pods that have ended or are being deleted count in no check.
public final class Situation {

  private final Survey survey;
  private final List<SurveyedPod> pods;
  private final Map<String, Node> nodes = new TreeMap<>();
  private final @Nullable Situation before;
  private @Nullable Explanations explanations;

  /// `before` is the situation once everything given was at rest; `null` for that situation itself.
  public Situation(Survey survey, @Nullable Situation before) {
    this.survey = survey;
    this.before = before;
    var living = new ArrayList<SurveyedPod>();
    for (var pod : survey.pods()) {
      if (!pod.isOfTemplate() && !pod.pod().isFinished() && !pod.pod().terminating()) {
        living.add(pod);
      }
    }
    living.sort((a, b) -> a.pod().key().compareTo(b.pod().key()));
    this.pods = List.copyOf(living);
    for (var object : survey.surroundings()) {
      if (object instanceof Node node) {
        nodes.put(node.name(), node);
      }
    }
  }

  /// Most minus least of the pods with these labels over the domains that have a ready node; -1 if
  /// none of them is placed, or there is no domain.
  public int skew(Map<String, String> labels, String by) {
    var selected = new PodSelection(labels, "", "").in(this);
    var domains = Domains.of(this, selected, by);
    return domains.ready().isEmpty() || !domains.hasPods() ? -1 : domains.skew();
  }

  /// Pods with these labels and their nodes, `""` for one that waits; by name.
  public List<Map.Entry<String, String>> places(Map<String, String> labels) {
    return new PodSelection(labels, "", "")
        .in(this).stream().map(pod -> Map.entry(pod.pod().key(), pod.pod().nodeName())).toList();
  }

  List<SurveyedPod> pods() {
    return pods;
  }

  Map<String, Node> nodes() {
    return nodes;
  }

  Situation before() {
    return before == null ? this : before;
  }

  /// The node a pod is on; `null` if it has none, or it is gone.
  @Nullable Node nodeOf(SurveyedPod pod) {
    return nodes.get(pod.pod().nodeName());
  }

  /// Whether the node's Ready condition is true.
  boolean isReady(Node node) {
    return survey
        .find(ObjectReference.node(node.name()))
        .map(manifest ->
            manifest.tree().trees("status", "conditions").stream()
                .anyMatch(condition ->
                    condition.textOrEmpty("type").equals("Ready")
                        && condition.textOrEmpty("status").equals("True")))
        .orElse(false);
  }

  /// `Deployment shop/web`, or the pod itself.
  String topOwner(SurveyedPod pod) {
    var owner = survey.topOwner(pod);
    return owner.kind() + " " + owner.key();
  }

  PodExplanation explain(SurveyedPod pod) {
    if (explanations == null) {
      explanations = new Explanations(survey);
    }
    return explanations.explain(pod, Wish.CAUSES);
  }
}
