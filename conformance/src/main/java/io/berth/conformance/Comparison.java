package io.berth.conformance;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Compares one answer with the recorded one, in everything that kube-scheduler does not leave to
/// chance: not which of several best nodes was taken, but that the same nodes are best.
public final class Comparison {

  private static final String ABSENT = "nothing";

  private final String caseId;
  private final int step;
  private final List<Difference> differences = new ArrayList<>();

  Comparison(String caseId, int step) {
    this.caseId = caseId;
    this.step = step;
  }

  /// Where two answers to the same question differ.
  public static List<Difference> differences(Tree expected, Tree got) {
    return new Comparison("", 0).compare(expected, got);
  }

  List<Difference> compare(Tree expected, Tree got) {
    equal("", "preFilter", expected.get("preFilter"), got.get("preFilter"));
    equal("", "restricted", expected.get("restricted"), got.get("restricted"));
    equal(
        "", "nominatedNodeUsed", expected.flag("nominatedNodeUsed"), got.flag("nominatedNodeUsed"));
    verdicts(expected, got);
    if (expected.list("feasible").equals(got.list("feasible"))) {
      scores(expected, got);
    }
    equal("", "best", sorted(expected.list("best")), sorted(got.list("best")));
    equal("", "error", beforeColon(expected.text("error")), beforeColon(got.text("error")));
    equal("", "filterMessage", expected.get("filterMessage"), got.get("filterMessage"));
    equal("", "decide", expected.get("contradiction"), got.get("contradiction"));
    equal("", "message", expected.get("message"), got.get("message"));
    preemption(expected.treeOrEmpty("preemption"), got.treeOrEmpty("preemption"));
    return differences;
  }

  /// For every node: feasible, not looked at, or by which rules refused.
  private void verdicts(Tree expected, Tree got) {
    for (var node : union(nodes(expected), nodes(got))) {
      var wanted = verdict(expected, node);
      var given = verdict(got, node);
      if (!wanted.equals(given)) {
        var rule = rule(expected, got, node);
        differ(node, rule, Json.text(wanted), Json.text(given));
      }
    }
  }

  private static Object verdict(Tree answer, String node) {
    if (answer.list("feasible").contains(node)) {
      return "feasible";
    }
    var rejection = answer.tree("infeasible", node);
    return rejection == null ? ABSENT : rejections(rejection);
  }

  /// All rejections, the first one first; a lone one is not repeated under `all`.
  private static List<?> rejections(Tree rejection) {
    if (rejection.has("all")) {
      return rejection.list("all");
    }
    return List.of(status(rejection));
  }

  private static Tree status(Tree rejection) {
    return Tree.of(
        "plugin", rejection.get("plugin"),
        "code", rejection.get("code"),
        "reasons", rejection.get("reasons"));
  }

  private static String rule(Tree expected, Tree got, String node) {
    var wanted = expected.text("infeasible", node, "plugin");
    return wanted != null
        ? wanted
        : Objects.requireNonNullElse(got.text("infeasible", node, "plugin"), "feasible");
  }

  private void scores(Tree expected, Tree got) {
    var nodes = expected.list("feasible");
    var wanted = expected.treeOrEmpty("scores");
    var given = got.treeOrEmpty("scores");
    for (var rule : union(wanted.names(), given.names())) {
      var left = wanted.tree(rule);
      var right = given.tree(rule);
      if (left == null || right == null) {
        differ(
            "",
            rule,
            left == null ? "no score" : "a score",
            right == null ? "no score" : "a score");
        continue;
      }
      equal("", rule + " weight", left.get("weight"), right.get("weight"));
      column(nodes, rule, left.list("norm"), right.list("norm"));
      column(nodes, rule + " raw", raw(left), raw(right));
    }
    column(nodes, "total", expected.list("total"), got.list("total"));
  }

  private static List<@Nullable Object> raw(Tree score) {
    return score.has("raw") ? score.list("raw") : score.list("norm");
  }

  private void column(List<?> nodes, String rule, List<?> expected, List<?> got) {
    if (expected.size() != got.size()) {
      equal("", rule, expected, got);
      return;
    }
    for (int i = 0; i < expected.size(); i++) {
      equal(
          i < nodes.size() ? String.valueOf(nodes.get(i)) : "", rule, expected.get(i), got.get(i));
    }
  }

  private void preemption(Tree expected, Tree got) {
    equal("", "preemption.code", expected.get("code"), got.get("code"));
    equal("", "preemption.message", expected.get("message"), got.get("message"));
    equal("", "preemption.chosen", sorted(expected.list("chosen")), sorted(got.list("chosen")));
    equal("", "preemption.dryRunError", expected.has("dryRunError"), got.has("dryRunError"));
    perNode(
        "preemption.candidates", expected.treeOrEmpty("candidates"), got.treeOrEmpty("candidates"));
    perNode("preemption.rejected", expected.treeOrEmpty("rejected"), got.treeOrEmpty("rejected"));
  }

  private void perNode(String rule, Tree expected, Tree got) {
    for (var node : union(expected.names(), got.names())) {
      equal(node, rule, expected.get(node), got.get(node));
    }
  }

  private void equal(String node, String rule, @Nullable Object expected, @Nullable Object got) {
    if (!Objects.equals(expected, got)) {
      differ(node, rule, text(expected), text(got));
    }
  }

  private void differ(String node, String rule, String expected, String got) {
    differences.add(new Difference(caseId, step, node, rule, expected, got));
  }

  private static String text(@Nullable Object value) {
    return value == null ? ABSENT : Json.text(value);
  }

  private static @Nullable String beforeColon(@Nullable String text) {
    return text == null ? null : text.split(":", 2)[0];
  }

  private static List<String> sorted(List<?> names) {
    return names.stream().map(String::valueOf).sorted().toList();
  }

  private static SortedSet<String> nodes(Tree answer) {
    var nodes = new TreeSet<>(sorted(answer.list("feasible")));
    nodes.addAll(answer.treeOrEmpty("infeasible").names());
    return nodes;
  }

  private static SortedSet<String> union(
      java.util.Collection<String> left, java.util.Collection<String> right) {
    var union = new TreeSet<>(left);
    union.addAll(right);
    return union;
  }
}
