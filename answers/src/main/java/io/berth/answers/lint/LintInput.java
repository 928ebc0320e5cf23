package io.berth.answers.lint;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.LabelSelector;
import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.engine.rule.NodeMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What rules look at: the pods that files describe, the nodes, and all pods that are known.
final class LintInput {

  private final List<LintedPod> linted;
  private final List<Node> nodes;
  private final List<Namespace> known;
  private final List<Pod> running;
  private final Map<String, Map<String, String>> namespaces = new HashMap<>();
  private final Proof proof;

  LintInput(Survey survey) {
    this.linted = LintedPods.of(survey);
    this.nodes =
        survey.surroundings().stream()
            .filter(Node.class::isInstance)
            .map(Node.class::cast)
            .toList();
    this.known =
        survey.surroundings().stream()
            .filter(Namespace.class::isInstance)
            .map(Namespace.class::cast)
            .toList();
    this.running =
        survey.pods().stream()
            .filter(pod -> !pod.isOfTemplate() && !pod.isWaiting())
            .map(SurveyedPod::pod)
            .toList();
    for (var manifest : survey.manifests()) {
      if (manifest.kind().equals(Namespace.KIND)) {
        namespaces.put(manifest.name(), labelsOf(manifest));
      }
    }
    this.proof = new Proof(nodes, namespaces());
  }

  private static Map<String, String> labelsOf(Manifest namespace) {
    var labels = new HashMap<>(namespace.tree().texts("metadata", "labels"));
    labels.putIfAbsent("kubernetes.io/metadata.name", namespace.name());
    return labels;
  }

  List<LintedPod> linted() {
    return linted;
  }

  /// Empty when nobody said on which nodes all this is to run.
  List<Node> nodes() {
    return nodes;
  }

  /// The nodes that labels do not rule out for the pod.
  List<Node> nodesFor(Pod pod) {
    var matcher = NodeMatcher.required(pod.spec());
    return nodes.stream().filter(matcher::matches).toList();
  }

  List<Pod> running() {
    return running;
  }

  /// Every pod there is or may be.
  List<Pod> pods() {
    var pods = new ArrayList<>(running);
    linted.forEach(each -> pods.add(each.pod()));
    return pods;
  }

  /// The namespaces of all pods, as the engine reads them.
  List<Namespace> namespaces() {
    return known;
  }

  Proof proof() {
    return proof;
  }

  /// Whether the rule of `owner` may mean `other`: where its namespace was not read, it may.
  boolean mayMean(PodRule rule, Pod owner, Pod other) {
    return rule.selector().matches(other.labels()) && mayCover(rule, owner, other.namespace());
  }

  private boolean mayCover(PodRule rule, Pod owner, String namespace) {
    if (rule.isAboutOwnNamespace()) {
      return owner.namespace().equals(namespace);
    }
    return rule.term().namespaces().contains(namespace)
        || maySelect(rule.term().namespaceSelector(), namespace);
  }

  private boolean maySelect(
      @org.jspecify.annotations.Nullable LabelSelector selector, String name) {
    if (selector == null) {
      return false;
    }
    var labels = namespaces.get(name);
    return selector.isEmpty() || labels == null || selector.matches(labels);
  }

  /// Whether pods of a namespace that the rule speaks of were read at all.
  boolean knowsNamespacesOf(PodRule rule, Pod owner) {
    return rule.isAboutOwnNamespace()
        || pods().stream().anyMatch(pod -> mayCover(rule, owner, pod.namespace()));
  }
}
