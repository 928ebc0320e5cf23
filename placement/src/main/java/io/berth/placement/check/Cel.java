package io.berth.placement.check;

import io.berth.answers.source.SurveyedPod;
import io.berth.api.Node;
import io.berth.schema.cel.CompilationException;
import io.berth.schema.cel.EvaluationException;
import io.berth.schema.cel.PlainExpression;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `cel: EXPRESSION`: a question in CEL about `pods` and `nodes`.
record Cel(String expression, boolean mayBeEmpty) implements Check {

  private static final List<String> VARIABLES = List.of("pods", "nodes");

  @Override
  public CheckFinding judge(Situation situation) {
    if (situation.pods().isEmpty()) {
      return mayBeEmpty
          ? CheckFinding.NONE
          : CheckFinding.of(
              "it is about nothing: there is no pod; if that is meant, say mayBeEmpty: true");
    }
    try {
      var value =
          PlainExpression.of(expression, VARIABLES)
              .evaluate(
                  Map.of(
                      "pods",
                      situation.pods().stream().map(pod -> pod(situation, pod)).toList(),
                      "nodes",
                      situation.nodes().values().stream()
                          .map(node -> node(situation, node))
                          .toList()));
      return value.equals(true)
          ? CheckFinding.NONE
          : CheckFinding.of("%s is %s".formatted(expression, value));
    } catch (CompilationException e) {
      return CheckFinding.of("%s makes no sense: %s".formatted(expression, e.text()));
    } catch (EvaluationException e) {
      return CheckFinding.of("%s: %s".formatted(expression, e.getMessage()));
    }
  }

  private static Map<String, Object> pod(Situation situation, SurveyedPod each) {
    var pod = each.pod();
    var fields = new LinkedHashMap<String, Object>();
    fields.put("name", pod.name());
    fields.put("namespace", pod.namespace());
    fields.put("labels", pod.labels());
    fields.put("owner", situation.topOwner(each));
    fields.put("priority", (long) pod.priority());
    fields.put("pending", each.isWaiting());
    var node = situation.nodeOf(each);
    if (node != null) {
      fields.put("node", node(situation, node));
    }
    return fields;
  }

  private static Map<String, Object> node(Situation situation, Node node) {
    return Map.of("name", node.name(), "labels", node.labels(), "ready", situation.isReady(node));
  }
}
