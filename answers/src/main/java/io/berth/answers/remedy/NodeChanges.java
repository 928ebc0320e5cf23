package io.berth.answers.remedy;

import io.berth.api.Node;
import io.berth.api.Requirement;
import io.berth.api.Taint;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A node may be opened, lose a taint, or get, change or lose a label.
final class NodeChanges {

  /// Nodes that are tried, those with least in the way first: a cluster has many that are alike.
  private static final int MAX_NODES = 40;

  /// Domains that a node without the label may join.
  private static final int MAX_DOMAINS = 10;

  private NodeChanges() {}

  static List<Family> find(Question question) {
    var remedies = new ArrayList<Remedy>();
    var kinds = new LinkedHashSet<List<?>>();
    for (var node : question.closestNodes()) {
      // Nodes with the same in the way are helped by the same; a few of each kind will do.
      boolean isNew = kinds.add(List.of(question.on(node.name())));
      if (remedies.size() < 10 * MAX_NODES && (isNew || question.nodes().size() <= MAX_NODES)) {
        addTaints(question, node, remedies);
        addLabels(question, node, remedies);
      }
    }
    return remedies.stream().map(each -> Family.of(List.of(each))).toList();
  }

  private static void addTaints(Question question, Node node, List<Remedy> remedies) {
    if (node.unschedulable()) {
      remedies.add(new Uncordon(node.name()));
    }
    for (var taint : Tolerations.untolerated(question, node)) {
      // Kubernetes puts these back.
      if (!taint.key().startsWith(Tolerations.BY_KUBERNETES)) {
        remedies.add(new RemoveTaint(node.name(), taint));
      }
    }
  }

  private static void addLabels(Question question, Node node, List<Remedy> remedies) {
    var wanted = new LinkedHashMap<String, Set<@Nullable String>>();
    question.pod().spec().nodeSelector().forEach((key, value) -> want(key, value, wanted));
    var terms = question.pod().spec().nodeAffinity().required();
    for (var term : terms == null ? List.<io.berth.api.NodeSelectorTerm>of() : terms) {
      term.matchExpressions().forEach(clause -> want(clause, node, wanted));
    }
    for (var key : topologyKeys(question)) {
      if (!node.labels().containsKey(key)) {
        domains(question, key).forEach(value -> want(key, value, wanted));
        want(key, node.name(), wanted);
      }
    }
    wanted.forEach((key, values) ->
        values.forEach(value -> {
          var now = node.labels().get(key);
          if (value == null ? now != null : !value.equals(now)) {
            remedies.add(new Label(node.name(), key, value, now != null));
          }
        }));
  }

  private static void want(
      String key, @Nullable String value, Map<String, Set<@Nullable String>> wanted) {
    wanted.computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(value);
  }

  private static void want(
      Requirement clause, Node node, Map<String, Set<@Nullable String>> wanted) {
    if (clause.matches(node.labels().get(clause.key()))) {
      return;
    }
    switch (clause.operator()) {
      case "In" -> clause.values().forEach(value -> want(clause.key(), value, wanted));
      case "Exists" -> want(clause.key(), "true", wanted);
      case "NotIn", "DoesNotExist" -> want(clause.key(), null, wanted);
      case "Gt" -> wantBeyond(clause, 1, wanted);
      case "Lt" -> wantBeyond(clause, -1, wanted);
      default -> {}
    }
  }

  private static void wantBeyond(
      Requirement clause, int step, Map<String, Set<@Nullable String>> wanted) {
    var bound =
        clause.values().size() == 1 ? Requirement.integer(clause.values().getFirst()) : null;
    if (bound != null && bound > Integer.MIN_VALUE) {
      want(clause.key(), String.valueOf(bound + step), wanted);
    }
  }

  /// Labels by which rules about other pods tell domains apart.
  private static Set<String> topologyKeys(Question question) {
    var keys = new TreeSet<String>();
    var spec = question.pod().spec();
    spec.topologySpreadConstraints().forEach(each -> keys.add(each.topologyKey()));
    spec.podAffinity().required().forEach(each -> keys.add(each.topologyKey()));
    return keys;
  }

  private static List<String> domains(Question question, String key) {
    var values = new TreeSet<String>();
    for (var node : question.nodes().values()) {
      var value = node.labels().get(key);
      if (value != null) {
        values.add(value);
      }
    }
    return values.stream().limit(MAX_DOMAINS).toList();
  }

  /// The node takes pods again.
  record Uncordon(String node) implements Remedy.OfNode {

    @Override
    public String what() {
      return "uncordon " + node;
    }

    // The taint that goes with it is taken away by Kubernetes.
    @Override
    public void edit(Tree tree) {
      tree.child("spec").remove("unschedulable");
      removeTaint(tree, Tolerations.CORDONED);
    }

    @Override
    public String command() {
      return "kubectl uncordon " + Commands.quoted(node);
    }
  }

  /// The node loses a taint.
  record RemoveTaint(String node, Taint taint) implements Remedy.OfNode {

    @Override
    public String what() {
      return "remove taint %s from %s".formatted(Tolerations.shown(taint), node);
    }

    @Override
    public int loss() {
      return 1;
    }

    @Override
    public void edit(Tree tree) {
      removeTaint(tree, taint);
    }

    @Override
    public String command() {
      var removed = taint.key() + ":" + taint.effect() + "-";
      return "kubectl taint node %s %s".formatted(Commands.quoted(node), Commands.quoted(removed));
    }
  }

  private static void removeTaint(Tree node, Taint taint) {
    var spec = node.child("spec");
    if (spec.has("taints")) {
      var taints = spec.childList("taints");
      taints.removeIf(each ->
          each instanceof Tree tree
              && taint.key().equals(tree.text("key"))
              && taint.effect().equals(tree.text("effect")));
      if (taints.isEmpty()) {
        spec.remove("taints");
      }
    }
  }

  /// The node gets a label, or loses one: then the value is `null`.
  record Label(String node, String key, @Nullable String value, boolean replaces)
      implements Remedy.OfNode {

    @Override
    public String what() {
      return value == null
          ? "remove label %s from %s".formatted(key, node)
          : "label %s %s=%s".formatted(node, key, value);
    }

    @Override
    public int loss() {
      return replaces ? 2 : 1;
    }

    @Override
    public void edit(Tree tree) {
      var labels = tree.child("metadata").child("labels");
      if (value == null) {
        labels.remove(key);
      } else {
        labels.put(key, value);
      }
    }

    @Override
    public String command() {
      var change = value == null ? key + "-" : key + "=" + value;
      return "kubectl label node %s %s%s"
          .formatted(
              Commands.quoted(node),
              Commands.quoted(change),
              replaces && value != null ? " --overwrite" : "");
    }
  }
}
