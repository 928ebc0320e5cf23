package io.berth.conformance.answers;

import io.berth.answers.remedy.Suggestion;
import io.berth.answers.source.Manifest;
import io.berth.answers.source.Origin;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.ObjectReference;
import io.berth.api.PodStatus;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.schema.patch.JsonPatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/// Does what a suggestion says, by its patch, on a fresh engine, and asks where the pod goes.
final class Retrial {

  private static final String NEW = "one-more-like-";

  private final Survey survey;
  private final SurveyedPod subject;

  Retrial(Survey survey, SurveyedPod subject) {
    this.survey = survey;
    this.subject = subject;
  }

  Decision decide(Suggestion suggestion) {
    return switch (suggestion.target()) {
      case POD -> pod(suggestion);
      case NODE -> node(suggestion);
      case PODS -> evicted(suggestion.evicts());
    };
  }

  private Decision pod(Suggestion suggestion) {
    var changes = new ArrayList<Manifest>();
    changes.add(patched(subject.source(), suggestion));
    // A class that has to be made first is called after its value.
    var name = changes.getFirst().tree().textOrEmpty("spec", "priorityClassName");
    if (name.startsWith("berth-")) {
      var value = Long.parseLong(name.substring("berth-".length()));
      changes.add(
          AskedCluster.manifest(
              "PriorityClass", Tree.of("metadata", Tree.of("name", name), "value", value)));
    }
    var changed = survey.with(changes);
    var pod = changed.findPod(subject.pod().namespace(), subject.pod().name()).orElseThrow();
    return decide(changed.engine(), pod);
  }

  private Decision node(Suggestion suggestion) {
    var object = suggestion.object();
    var changed =
        suggestion.patch().isEmpty() || object == null
            ? survey.with(newNode(suggestion.lands()))
            : survey.with(List.of(patched(node(object.name()), suggestion)));
    return decide(changed.engine(), subject);
  }

  private Manifest node(String name) {
    return survey.find(ObjectReference.node(name)).orElseThrow();
  }

  private static Manifest patched(Manifest manifest, Suggestion suggestion) {
    var patch = Json.write(new ArrayList<>(suggestion.patch()));
    var tree = (Tree) Objects.requireNonNull(JsonPatch.apply(patch, manifest.tree()).value());
    return new Manifest(tree, manifest.origin());
  }

  private List<Manifest> newNode(String name) {
    var like = name.substring(NEW.length());
    var tree = node(like).tree().copy();
    tree.child("metadata").put("name", name);
    if (tree.text("metadata", "labels", "kubernetes.io/hostname") != null) {
      tree.child("metadata").child("labels").put("kubernetes.io/hostname", name);
    }
    tree.child("spec").remove("unschedulable");
    tree.child("spec")
        .childList("taints")
        .removeIf(taint -> ((Tree) taint).textOrEmpty("key").startsWith("node.kubernetes.io/"));
    var all = new ArrayList<Manifest>();
    all.add(new Manifest(tree, new Origin("case", 1)));
    survey
        .find(new ObjectReference("CSINode", "", like))
        .ifPresent(csi -> {
          var copy = csi.tree().copy();
          copy.child("metadata").put("name", name);
          all.add(new Manifest(copy, csi.origin()));
        });
    return all;
  }

  private Decision evicted(List<String> keys) {
    var engine = survey.engine();
    var victims = new ArrayList<SurveyedPod>();
    for (var key : keys) {
      int slash = key.indexOf('/');
      var pod = survey.findPod(key.substring(0, slash), key.substring(slash + 1)).orElseThrow();
      victims.add(pod);
      engine.remove(ObjectReference.pod(pod.pod().namespace(), pod.pod().name()));
    }
    victims.sort(Comparator.comparingInt(each -> -each.pod().priority()));
    for (var victim : victims) {
      var anew = victim.pod().withNodeName("").withStatus(PodStatus.NONE);
      if (victim.pod().controller() != null
          && engine.decide(anew) instanceof Decision.Placed(var node, _)) {
        engine.reserve(anew, node);
        engine.assume(anew, node);
      }
    }
    return decide(engine, subject);
  }

  private static Decision decide(Engine engine, SurveyedPod pod) {
    engine.unnominate(pod.pod().namespace(), pod.pod().name());
    return engine.decide(pod.pod());
  }
}
