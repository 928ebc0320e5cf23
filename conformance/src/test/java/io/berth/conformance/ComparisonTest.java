package io.berth.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// A comparison that overlooks something would make every other test here worthless.
class ComparisonTest {

  private static final String ANSWER =
      """
      {"infeasible":{"n3":{"plugin":"NodePorts","code":"Unschedulable","reasons":["busy"]}},
       "feasible":["n1","n2"],
       "scores":{"ImageLocality":{"weight":1,"norm":[0,10]},
                 "TaintToleration":{"weight":3,"raw":[0,1],"norm":[100,0]}},
       "total":[300,10],"best":["n1"],"filterMessage":"m","message":"m p",
       "preemption":{"code":"Success","message":"p","chosen":["n3"],
                     "candidates":{"n3":{"victims":["a/b","a/c"]}},
                     "rejected":{"n4":{"code":"Unschedulable","reasons":["no"]}}}}
      """;

  record Change(String name, String rule, Consumer<Tree> change) {

    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Change> CHANGES =
      List.of(
          new Change("another rule", "NodePorts", t -> first(t).put("plugin", "NodeName")),
          new Change("another code", "NodePorts", t -> first(t).put("code", "Error")),
          new Change("another reason", "NodePorts", t -> first(t).put("reasons", List.of("x"))),
          new Change("a feasible node less", "feasible", t -> t.put("feasible", List.of("n1"))),
          new Change("a score", "ImageLocality", t -> column(t, "ImageLocality", "norm", 1, 10)),
          new Change(
              "a raw score", "TaintToleration raw", t -> column(t, "TaintToleration", "raw", 2, 1)),
          new Change(
              "a weight",
              "TaintToleration weight",
              t -> t.treeOrEmpty("scores", "TaintToleration").put("weight", 2)),
          new Change(
              "a missing score",
              "ImageLocality",
              t -> t.treeOrEmpty("scores").remove("ImageLocality")),
          new Change("a total", "total", t -> t.put("total", List.of(300, 11))),
          new Change("another best", "best", t -> t.put("best", List.of("n1", "n2"))),
          new Change("the message", "message", t -> t.put("message", "m")),
          new Change("the filter message", "filterMessage", t -> t.remove("filterMessage")),
          new Change("an error", "error", t -> t.put("error", "running PreScore: x")),
          new Change(
              "the nominated node", "nominatedNodeUsed", t -> t.put("nominatedNodeUsed", true)),
          new Change(
              "the order of victims",
              "preemption.candidates",
              t ->
                  t.treeOrEmpty("preemption", "candidates", "n3")
                      .put("victims", List.of("a/c", "a/b"))),
          new Change(
              "budget violations",
              "preemption.candidates",
              t -> t.treeOrEmpty("preemption", "candidates", "n3").put("numPDBViolations", 1)),
          new Change(
              "another chosen",
              "preemption.chosen",
              t -> t.treeOrEmpty("preemption").put("chosen", List.of("n4"))),
          new Change(
              "a rejected node less",
              "preemption.rejected",
              t -> t.treeOrEmpty("preemption").remove("rejected")),
          new Change(
              "a prefilter",
              "preFilter",
              t -> t.put("preFilter", Tree.of("plugin", "NodeAffinity"))),
          new Change(
              "a restriction",
              "restricted",
              t -> t.put("restricted", Tree.of("nodes", List.of("n1")))));

  @ParameterizedTest
  @FieldSource("CHANGES")
  void notices(Change change) {
    var got = Json.read(ANSWER);
    assertThat(new Comparison("c", 0).compare(Json.read(ANSWER), got)).isEmpty();

    change.change().accept(got);

    assertThat(new Comparison("c", 0).compare(Json.read(ANSWER), got))
        .extracting(Difference::rule)
        .contains(change.rule());
  }

  private static Tree first(Tree answer) {
    return answer.treeOrEmpty("infeasible", "n3");
  }

  private static void column(Tree answer, String rule, String field, int... values) {
    answer
        .treeOrEmpty("scores", rule)
        .put(field, java.util.Arrays.stream(values).mapToObj(v -> (Object) (long) v).toList());
  }
}
