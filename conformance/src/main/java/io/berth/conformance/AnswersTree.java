package io.berth.conformance;

import io.berth.api.Tree;
import io.berth.engine.Code;
import io.berth.engine.Extension.Answers;
import io.berth.engine.Preemption.Candidate;
import io.berth.engine.Rejection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What extenders said to a decision, as a journal keeps it.
final class AnswersTree {

  private AnswersTree() {}

  static Tree write(Answers said) {
    var objections = new Tree();
    said.objections()
        .forEach((node, objection) ->
            objections.put(
                node,
                Tree.of(
                    "plugin",
                    objection.plugin(),
                    "code",
                    objection.code().name(),
                    "reasons",
                    objection.reasons())));
    var tree = Tree.of("objections", objections, "scores", Tree.ofMap(said.scores()));
    if (said.candidates() != null) {
      tree.put("candidates", write(said.candidates()));
    }
    return tree;
  }

  private static Tree write(Map<String, Candidate> candidates) {
    var tree = new Tree();
    candidates.forEach((node, candidate) ->
        tree.put(
            node,
            Tree.of("victims", candidate.victims(), "violations", candidate.numPdbViolations())));
    return tree;
  }

  static Answers read(Tree tree) {
    var objections = new HashMap<String, Rejection>();
    var rejections = tree.treeOrEmpty("objections");
    for (var node : rejections.names()) {
      var rejection = rejections.treeOrEmpty(node);
      objections.put(
          node,
          new Rejection(
              rejection.textOrEmpty("plugin"),
              Code.valueOf(rejection.textOrEmpty("code")),
              texts(rejection, "reasons")));
    }
    var scores = new HashMap<String, Long>();
    var added = tree.treeOrEmpty("scores");
    added.names().forEach(node -> scores.put(node, added.number(0, node)));
    return new Answers(objections, scores, candidates(tree.tree("candidates")));
  }

  private static @Nullable Map<String, Candidate> candidates(@Nullable Tree tree) {
    if (tree == null) {
      return null;
    }
    var candidates = new HashMap<String, Candidate>();
    for (var node : tree.names()) {
      var candidate = tree.treeOrEmpty(node);
      candidates.put(
          node,
          new Candidate(texts(candidate, "victims"), (int) candidate.number(0, "violations")));
    }
    return candidates;
  }

  private static List<String> texts(Tree tree, String field) {
    return tree.list(field).stream().map(Objects::toString).toList();
  }
}
