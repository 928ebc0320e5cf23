package io.berth.answers.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.answers.plan.Forecast.Move;
import io.berth.answers.source.ManifestReader;
import io.berth.answers.source.Survey;
import io.berth.codec.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WhatIfTest {

  @TempDir Path folder;

  @Test
  void podsOfALostZoneGoElsewhere() {
    var forecast = after(zones() + deployment("web", 3, "1"), "lose: {zone: b}");

    assertThat(forecast.moves()).hasSize(1);
    assertThat(forecast.moves().getFirst().from()).isEqualTo("n-b");
    assertThat(forecast.moves().getFirst().to()).isIn("n-a", "n-c");
    assertThat(forecast.pending()).isEmpty();
    assertThat(forecast.gone()).isEmpty();
  }

  @Test
  void whatDoesNotFitElsewhereWaits() {
    var forecast = after(zones() + deployment("web", 3, "3"), "lose: {zone: b}");

    assertThat(forecast.moves()).isEmpty();
    assertThat(forecast.pending()).hasSize(1);
    assertThat(forecast.pending().getFirst().message())
        .contains("2 Insufficient cpu", "1 node(s) had untolerated taint(s)");
  }

  @Test
  void barePodsAreGoneAndMembersOfStatefulSetsAreNotMadeAnew() {
    var forecast =
        after(
            zones() + running("bare", "n-b", "") + running("db-0", "n-b", "StatefulSet"),
            "lose: {node: n-b}");

    assertThat(forecast.gone()).containsExactlyInAnyOrder("default/bare", "default/db-0");
    assertThat(forecast.moves()).isEmpty();
  }

  @Test
  void nobodyIsEvictedWhileEverythingIsSilent() {
    var forecast = after(zones() + deployment("web", 3, "1"), "lose: {labels: {all: \"yes\"}}");

    assertThat(forecast.moves()).isEmpty();
    assertThat(forecast.pending()).isEmpty();
    assertThat(forecast.gone()).isEmpty();
  }

  @Test
  void drainingTakesAsManyAsTheBudgetAllows() {
    var budget =
        """
        ---
        {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web},
         spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}}
        """;
    var roomy = after(zones() + deployment("web", 3, "1") + budget, "drain: {zone: b}");
    var full = after(zones() + deployment("web", 2, "3") + budget, "drain: {zone: a}");
    var other = after(zones() + deployment("web", 2, "3") + budget, "drain: {zone: b}");

    assertThat(roomy.kept()).isEmpty();
    assertThat(roomy.moves()).hasSize(1);
    assertThat(full.kept().size() + other.kept().size()).isGreaterThan(0);
  }

  @Test
  void ownersMakeMoreAndFewer() {
    var cluster = zones() + deployment("web", 3, "1");

    assertThat(after(cluster, "scale: {kind: Deployment, name: web, replicas: 5}").moves())
        .hasSize(2)
        .allMatch(move -> move.from().isEmpty());
    assertThat(after(cluster, "scale: {kind: deploy, name: web, replicas: 1}").gone()).hasSize(2);
  }

  @Test
  void anOpenedNodeTakesWhoWaited() {
    var waiting = zones() + deployment("web", 4, "3");
    var forecast = after(waiting, "fleet: {count: 1}");

    assertThat(forecast.moves()).hasSize(1);
    assertThat(forecast.moves().getFirst().to()).isEqualTo("fleet-1");
  }

  @Test
  void labelsAndTaintsTakeEffect() {
    var picky =
        zones()
            + """
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: picky},
             spec: {nodeSelector: {disk: ssd}, containers: [{name: c}]}}
            """;
    assertThat(after(picky, "label: {node: n-c, set: {disk: ssd}}").moves())
        .containsExactly(new Move("default/picky", "Pod default/picky", "", "n-c"));
    assertThat(
            after(
                    zones() + running("bare", "n-b", ""),
                    "taint: {node: n-b, set: [{key: x, effect: NoExecute}]}")
                .gone())
        .containsExactly("default/bare");
  }

  @Test
  void daemonsComeWithNodesAndGoWithLabels() {
    var daemon =
        zones()
            + """
            ---
            {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent},
             spec: {selector: {matchLabels: {app: agent}}, template: {metadata: {labels: {app: agent}},
             spec: {nodeSelector: {all: "yes"}, containers: [{name: c}]}}}}
            """;
    assertThat(after(daemon, "fleet: {count: 1, labels: {all: \"yes\"}}").moves()).hasSize(1);
    assertThat(after(daemon, "label: {node: n-a, remove: [all]}").gone()).hasSize(1);
  }

  @Test
  void aNewVersionTakesThePlaceOfTheOld() throws Exception {
    Files.writeString(folder.resolve("v2.yaml"), deployment("web", 3, "2"));
    var forecast = after(zones() + deployment("web", 3, "1"), "apply: [v2.yaml]");

    assertThat(forecast.gone()).hasSize(3);
    assertThat(forecast.moves()).hasSize(3).allMatch(move -> move.from().isEmpty());
    assertThat(forecast.pending()).isEmpty();
  }

  @Test
  void theImportantTakeThePlaceOfOthersWhoAreMadeAnew() {
    var important =
        """
        pod: {name: vip, cpu: "4", spec: {priority: 100, containers: [{name: c, resources: {requests: {cpu: "4"}}}]}}
        """;
    var forecast = after(zones() + deployment("web", 3, "1"), important.strip());

    assertThat(forecast.pending()).isEmpty();
    assertThat(forecast.moves()).extracting(Move::pod).contains("default/vip").hasSize(2);
  }

  @Test
  void leavesTheEngineAsItWas() {
    var survey = survey(zones() + deployment("web", 3, "1") + running("bare", "n-b", ""));
    var engine = survey.engine();
    var steps = steps(List.of("lose: {zone: b}", "drain: {zone: a}", "fleet: {count: 2}"));
    new WhatIf(survey, engine, Chronicle.NONE).after(steps);

    var pod = survey.waiting().getFirst().pod();
    assertThat(engine.examine(pod))
        .usingRecursiveComparison()
        .isEqualTo(survey.engine().examine(pod));
    assertThat(engine.nodeCount()).isEqualTo(3);
  }

  @Test
  void saysWhatIsWrongWithAStep() {
    assertThatThrownBy(() -> steps(List.of("loose: {zone: b}")))
        .hasMessageStartingWith("step 1: loose: no such step; did you mean lose?");
    assertThatThrownBy(() -> steps(List.of("lose: {zone: b, color: red}")))
        .hasMessage("step 1: lose.color: no such choice; use zone, node, labels");
    assertThatThrownBy(() -> after(zones(), "lose: {zone: x}"))
        .hasMessage("no node is meant by zone=x; the zones are a, b, c");
    assertThatThrownBy(() -> after(zones(), "lose: {node: x}"))
        .hasMessage("no node is meant by node=x; the nodes are n-a, n-b, n-c");
    assertThatThrownBy(() -> after(zones(), "lose: {labels: {rack: r1}}"))
        .hasMessage("no node is meant by rack=r1; no node has label rack");
    assertThatThrownBy(() -> after(zones(), "label: {node: n-x}"))
        .hasMessage("there is no node n-x; the nodes are n-a, n-b, n-c");
    assertThatThrownBy(() -> after(zones(), "delete: {kind: Deployment, name: web}"))
        .hasMessage("there is no Deployment default/web");
  }

  private Forecast after(String cluster, String... steps) {
    var survey = survey(cluster);
    return new WhatIf(survey, survey.engine(), Chronicle.NONE).after(steps(List.of(steps)));
  }

  private static Survey survey(String text) {
    return Survey.of(ManifestReader.read("cluster.yaml", text));
  }

  private List<PlanStep> steps(List<String> texts) {
    var list = new ArrayList<Object>();
    texts.forEach(text -> list.add(Yaml.read(text)));
    return new PlanStepReader(folder, "default", Fleet::nodes).readAll(list);
  }

  private static String zones() {
    var text = new StringBuilder();
    for (var zone : List.of("a", "b", "c")) {
      text.append(
          """
          ---
          {apiVersion: v1, kind: Node, metadata: {name: n-%s, labels: {all: "yes", kubernetes.io/hostname: n-%s, topology.kubernetes.io/zone: %s}},
           status: {allocatable: {cpu: "4", pods: "110"}}}
          """
              .formatted(zone, zone, zone));
    }
    return text.toString();
  }

  private static String deployment(String name, int replicas, String cpu) {
    return """
    ---
    {apiVersion: apps/v1, kind: Deployment, metadata: {name: %s}, spec: {replicas: %d,
     selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}},
     spec: {containers: [{name: c, resources: {requests: {cpu: "%s"}}}]}}}}
    """
        .formatted(name, replicas, name, name, cpu);
  }

  private static String running(String name, String node, String owner) {
    var references =
        owner.isEmpty()
            ? ""
            : ", ownerReferences: [{apiVersion: apps/v1, kind: %s, name: db, controller: true}]"
                .formatted(owner);
    return """
    ---
    {apiVersion: v1, kind: Pod, metadata: {name: %s%s}, spec: {nodeName: %s, containers: [{name: c}]}}
    """
        .formatted(name, references, node);
  }
}
