package io.berth.conformance;

import io.berth.api.Tree;
import io.berth.engine.Code;
import io.berth.engine.Examination;
import io.berth.engine.Preemption;
import io.berth.engine.Rejection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An examination as the recorded files write it: absent instead of empty, nothing said twice.
final class RecordedForm {

  /// 0 everywhere unless volumes are chosen; the recorded files then leave them out.
  private static final Set<String> SILENT = Set.of("VolumeBinding", "DynamicResources");

  private final Examination examination;
  private final Tree tree = new Tree();

  RecordedForm(Examination examination) {
    this.examination = examination;
  }

  Tree toTree() {
    if (examination.preFilter() != null) {
      tree.put("preFilter", status(examination.preFilter()));
    }
    if (examination.restricted() != null) {
      var restricted = examination.restricted();
      tree.put(
          "restricted",
          Tree.of("nodes", new ArrayList<>(restricted.nodes()), "reason", restricted.reason()));
    }
    if (examination.nominatedNodeUsed()) {
      tree.put("nominatedNodeUsed", true);
    }
    putIfAny("infeasible", examination.infeasible(), RecordedForm::rejection);
    putIfAny("feasible", examination.feasible());
    scores();
    putIfAny("best", examination.best());
    putText("error", examination.error());
    putText("filterMessage", examination.filterMessage());
    preemption();
    return tree;
  }

  private void scores() {
    if (examination.total().length == 0) {
      return;
    }
    var scores = new Tree();
    new TreeMap<>(examination.scores())
        .forEach((plugin, column) -> {
          boolean silent = Arrays.stream(column.norm()).allMatch(score -> score == 0);
          if (!silent || !SILENT.contains(plugin)) {
            scores.put(plugin, column(column));
          }
        });
    tree.put("scores", scores);
    tree.put("total", numbers(examination.total()));
  }

  private static Tree column(Examination.ScoreColumn column) {
    var written = Tree.of("weight", column.weight());
    if (!Arrays.equals(column.raw(), column.norm())) {
      written.put("raw", numbers(column.raw()));
    }
    return written.put("norm", numbers(column.norm()));
  }

  private static Tree rejection(Examination.NodeRejection rejection) {
    var written = status(rejection.first());
    if (rejection.all().size() > 1) {
      written.put("all", rejection.all().stream().map(RecordedForm::status).toList());
    }
    return written;
  }

  private void preemption() {
    var preemption = examination.preemption();
    var message = examination.message();
    if (preemption == null) {
      // Without DefaultPreemption, PostFilter ends with nothing to say.
      if (examination.filterMessage() != null) {
        tree.put("preemption", Tree.of("code", "Unschedulable"));
      }
      putText("message", message);
      return;
    }
    var text = canonicalMessage(preemption);
    var written = Tree.of("code", preemption.outcome().toString());
    tree.put("preemption", written);
    if (!text.isEmpty()) {
      written.put("message", text);
    }
    var candidates = new Tree();
    new TreeMap<>(preemption.candidates())
        .forEach((node, candidate) -> candidates.put(node, candidate(candidate)));
    if (!candidates.isEmpty()) {
      written.put("candidates", candidates);
    }
    if (!preemption.chosen().isEmpty()) {
      written.put("chosen", new ArrayList<>(preemption.chosen().stream().sorted().toList()));
    }
    var rejected = new Tree();
    new TreeMap<>(preemption.rejected()).forEach((node, no) -> rejected.put(node, status(no)));
    if (!rejected.isEmpty()) {
      written.put("rejected", rejected);
    }
    var errors =
        preemption.rejected().values().stream().filter(no -> no.code() == Code.ERROR).toList();
    if (!errors.isEmpty()) {
      written.put("dryRunError", errors.getFirst().reasons().getFirst());
    }
    if (message != null) {
      tree.put("message", message.replace(preemption.message(), text));
    }
  }

  /// Any of the tied nodes may be taken; the recorded text names the first of them.
  private static String canonicalMessage(Preemption preemption) {
    if (preemption.node() == null || preemption.chosen().size() < 2) {
      return preemption.message();
    }
    var first = preemption.chosen().stream().sorted().toList().getFirst();
    return preemption
        .message()
        .replace(" on node " + preemption.node() + ",", " on node " + first + ",");
  }

  private static Tree candidate(Preemption.Candidate candidate) {
    var written = Tree.of("victims", new ArrayList<>(candidate.victims()));
    if (candidate.numPdbViolations() > 0) {
      written.put("numPDBViolations", candidate.numPdbViolations());
    }
    return written;
  }

  private static Tree status(Rejection rejection) {
    var written = new Tree();
    if (!rejection.plugin().isEmpty()) {
      written.put("plugin", rejection.plugin());
    }
    return written
        .put("code", rejection.code().toString())
        .put("reasons", new ArrayList<>(rejection.reasons()));
  }

  private <V> void putIfAny(String field, Map<String, V> values, Function<V, Tree> form) {
    var written = new Tree();
    new TreeMap<>(values).forEach((node, value) -> written.put(node, form.apply(value)));
    if (!written.isEmpty()) {
      tree.put(field, written);
    }
  }

  private void putIfAny(String field, List<String> values) {
    if (!values.isEmpty()) {
      tree.put(field, new ArrayList<>(values));
    }
  }

  private void putText(String field, @Nullable String text) {
    if (text != null) {
      tree.put(field, text);
    }
  }

  private static List<Long> numbers(long[] numbers) {
    return new ArrayList<>(Arrays.stream(numbers).boxed().toList());
  }
}
