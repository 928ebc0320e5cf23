package io.berth.conformance.answers;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.Requirement;
import io.berth.api.Taint;
import io.berth.api.Tree;
import io.berth.engine.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Every single step one can think of, taken one by one on fresh engines: slow and plain.
final class SingleSteps {

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

  private final Survey survey;
  private final SurveyedPod subject;
  private final List<String> helpful = new ArrayList<>();

  SingleSteps(Survey survey, SurveyedPod subject) {
    this.survey = survey;
    this.subject = subject;
  }

  /// Those changes of the pod that get it placed.
  List<String> ofPod() {
    helpful.clear();
    var spec = subject.source().tree().treeOrEmpty("spec");
    spec.texts("nodeSelector")
        .keySet()
        .forEach(key ->
            pod("nodeSelector " + key, changed -> changed.child("nodeSelector").remove(key)));
    dropEach(spec, "topologySpreadConstraints");
    dropEach(spec, "affinity", "podAffinity", REQUIRED);
    dropEach(spec, "affinity", "podAntiAffinity", REQUIRED);
    pod(
        "node affinity",
        changed -> changed.child("affinity").child("nodeAffinity").remove(REQUIRED));
    clauses(spec);
    tolerations();
    for (var resource : List.of("cpu", "memory", "ephemeral-storage")) {
      pod("request of " + resource, changed -> drop(changed, resource));
    }
    return helpful;
  }

  private void dropEach(Tree spec, String... path) {
    int count = spec.list(path).size();
    for (int i = 0; i < count; i++) {
      int index = i;
      pod(String.join(".", path) + i, changed -> changed.list(path).remove(index));
    }
  }

  private void clauses(Tree spec) {
    var terms = spec.trees("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms");
    for (int i = 0; i < terms.size(); i++) {
      int term = i;
      for (int j = 0; j < terms.get(i).list("matchExpressions").size(); j++) {
        int clause = j;
        pod(
            "clause %d.%d".formatted(i, j),
            changed ->
                changed
                    .trees("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")
                    .get(term)
                    .list("matchExpressions")
                    .remove(clause));
      }
    }
  }

  private void tolerations() {
    for (var node : nodes()) {
      for (var taint : node.tree().trees("spec", "taints")) {
        pod("toleration of " + taint, changed -> tolerate(changed, Taint.of(taint)));
      }
    }
    pod(
        "toleration of cordons",
        changed -> tolerate(changed, new Taint("node.kubernetes.io/unschedulable", "", "")));
  }

  private static void tolerate(Tree spec, Taint taint) {
    spec.childList("tolerations")
        .add(
            Tree.of("key", taint.key(), "operator", "Equal", "value", taint.value())
                .put("effect", taint.effect()));
  }

  private static void drop(Tree spec, String resource) {
    var holders = new ArrayList<>(spec.trees("containers"));
    holders.addAll(spec.trees("initContainers"));
    holders.add(spec);
    for (var holder : holders) {
      if (holder.tree("resources", "requests") != null) {
        holder.child("resources").child("requests").remove(resource);
      }
    }
  }

  private void pod(String what, Consumer<Tree> change) {
    var tree = subject.source().tree().copy();
    change.accept(tree.child("spec"));
    attempt(what, new Manifest(tree, subject.source().origin()));
  }

  /// Those changes of a node that get the pod placed.
  List<String> ofNodes() {
    helpful.clear();
    for (var node : nodes()) {
      node(
          node,
          "uncordon",
          tree -> {
            tree.child("spec").remove("unschedulable");
            removeTaint(tree, "node.kubernetes.io/unschedulable", Taint.NO_SCHEDULE);
          });
      for (var taint : node.tree().trees("spec", "taints")) {
        var key = taint.textOrEmpty("key");
        if (!key.startsWith("node.kubernetes.io/")) {
          node(node, "untaint", tree -> removeTaint(tree, key, taint.textOrEmpty("effect")));
        }
      }
      labels(node);
    }
    return helpful;
  }

  private void labels(Manifest node) {
    var spec = subject.pod().spec();
    spec.nodeSelector()
        .forEach((key, value) ->
            node(node, "label", tree -> tree.child("metadata").child("labels").put(key, value)));
    var terms = spec.nodeAffinity().required();
    if (terms != null) {
      for (var term : terms) {
        term.matchExpressions().forEach(clause -> label(node, clause));
      }
    }
  }

  private void label(Manifest node, Requirement clause) {
    for (var value : clause.operator().equals("In") ? clause.values() : List.<String>of()) {
      node(node, "label", tree -> tree.child("metadata").child("labels").put(clause.key(), value));
    }
    if (clause.operator().equals("DoesNotExist") || clause.operator().equals("NotIn")) {
      node(node, "unlabel", tree -> tree.child("metadata").child("labels").remove(clause.key()));
    }
  }

  private static void removeTaint(Tree node, String key, String effect) {
    if (node.tree("spec") != null && node.child("spec").has("taints")) {
      node.child("spec")
          .childList("taints")
          .removeIf(each ->
              ((Tree) each).textOrEmpty("key").equals(key)
                  && ((Tree) each).textOrEmpty("effect").equals(effect));
    }
  }

  private void node(Manifest node, String what, Consumer<Tree> change) {
    var tree = node.tree().copy();
    change.accept(tree);
    attempt(what + " " + node.name(), new Manifest(tree, node.origin()));
  }

  private List<Manifest> nodes() {
    return survey.manifests().stream().filter(each -> each.kind().equals("Node")).toList();
  }

  private void attempt(String what, Manifest changed) {
    var other = survey.with(List.of(changed));
    var pod = other.findPod(subject.pod().namespace(), subject.pod().name()).orElseThrow().pod();
    var engine = other.engine();
    engine.unnominate(pod.namespace(), pod.name());
    if (engine.decide(pod) instanceof Decision.Placed) {
      helpful.add(what);
    }
  }
}
