package io.berth.placement.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.placement.document.TestReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Every step and every check, once where it holds and once where it does not.
class TestRunTest {

  private static final String WEB =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: %d
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            topologySpreadConstraints:
            - maxSkew: 1
              topologyKey: topology.kubernetes.io/zone
              whenUnsatisfiable: %s
              labelSelector: {matchLabels: {app: web}}
            containers: [{name: web, image: web, resources: {requests: {cpu: "1"}}}]
      """;

  @TempDir Path folder;

  /// `wrong` is what the only failure contains, or `""`.
  record Case(String name, String given, String when, String then, String wrong) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String SIX =
      "{fleet: {count: 6, zones: [a, b, c], capacity: {cpu: \"8\", memory: 32Gi}}}";

  static final List<Case> CASES =
      List.of(
          new Case(
              "a soft spread survives a zone",
              SIX,
              "{apply: [soft.yaml]}, {lose: {zone: b}}",
              "{nothingPending: {}}, {never: {pods: {app: web}, on: {topology.kubernetes.io/zone: b}}}",
              ""),
          new Case(
              "a hard spread that counts the lost zone leaves pods pending",
              SIX,
              "{apply: [hard.yaml]}, {lose: {zone: b}}",
              "{nothingPending: {}}",
              "then[0].nothingPending: 2 pods are pending: default/web-"),
          new Case(
              "a check in between",
              SIX,
              "{apply: [soft.yaml]}, {then: [{skew: {pods: {app: web}, by: topology.kubernetes.io/zone, atMost: 0}}]}, {scale: {kind: Deployment, name: web, replicas: 7}}",
              "{skew: {pods: {app: web}, by: topology.kubernetes.io/zone, atMost: 0}}",
              "then[0].skew: the skew of app=web by topology.kubernetes.io/zone is 1, at most 0 is allowed: "),
          new Case(
              "apart",
              SIX,
              "{apply: [soft.yaml]}",
              "{apart: {pods: {app: web}, by: kubernetes.io/hostname}}",
              ""),
          new Case(
              "not apart",
              SIX,
              "{apply: [soft.yaml]}",
              "{apart: {pods: {app: web}, by: topology.kubernetes.io/zone}}",
              "then[0].apart: pods that are app=web share a topology.kubernetes.io/zone: a has 2 (default/web-"),
          new Case(
              "waits for the right reason",
              "{fleet: {count: 2, name: \"node-{n}\", capacity: {cpu: \"4\"}}}",
              "{pod: {name: big, cpu: \"8\"}}, {pod: {name: small, cpu: \"1\"}}",
              "{pending: {pod: big, because: NodeResourcesFit, verdict: never}}, {placed: {pod: small, on: [node-1, node-2]}}",
              ""),
          new Case(
              "waits for another reason",
              "{fleet: {count: 2, capacity: {cpu: \"4\"}}}",
              "{pod: {name: big, cpu: \"8\"}}",
              "{pending: {pod: big, because: TaintToleration}}",
              "then[0].pending: default/big is pending because of NodeResourcesFit, not of TaintToleration"),
          new Case(
              "does not wait",
              "{fleet: {count: 1}}",
              "{pod: {name: small, cpu: 1}}",
              "{pending: {pod: small}}",
              "then[0].pending: default/small is not pending, it is on node-1"),
          new Case(
              "placed elsewhere",
              "{fleet: {count: 1}}",
              "{pod: {name: small, cpu: 0.5}}",
              "{placed: {pod: small, on: {disk: ssd}}}",
              "then[0].placed: not on a node that is disk=ssd: default/small on node-1"),
          new Case(
              "together",
              SIX,
              "{pod: {name: cache, labels: {app: cache}}}, {pod: {name: api, labels: {app: api}, spec: {affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: cache}}}]}}}}}",
              "{together: {pods: {app: api}, with: {app: cache}, by: topology.kubernetes.io/zone}}",
              ""),
          new Case(
              "not together",
              SIX,
              "{apply: [soft.yaml]}",
              "{together: {pods: {app: web}, by: topology.kubernetes.io/zone}}",
              "then[0].together: pods that are app=web are in 3 of topology.kubernetes.io/zone: a has 2"),
          new Case(
              "nothing moves when nothing happens",
              SIX + ", {apply: [soft.yaml]}",
              "{passes: 10m}",
              "{moved: {atMost: 0}}",
              ""),
          new Case(
              "growth is no move",
              SIX + ", {apply: [soft.yaml]}",
              "{scale: {kind: deploy, name: web, replicas: 9}}",
              "{moved: {atMost: 0}}",
              ""),
          new Case(
              "pods move off a drained node",
              SIX + ", {apply: [soft.yaml]}",
              "{drain: {node: node-1}}",
              "{moved: {atMost: 0}}",
              "then[0].moved: 1 pods moved, at most 0 may: 1 of Deployment default/web"),
          new Case(
              "a question in CEL",
              SIX,
              "{apply: [soft.yaml]}",
              "{cel: 'pods.filter(p, p.labels.app == \"web\").all(p, p.node.labels[\"kubernetes.io/os\"] == \"linux\")'}",
              ""),
          new Case(
              "an answer in CEL",
              SIX,
              "{apply: [soft.yaml]}",
              "{cel: 'size(pods) == 5'}",
              "then[0].cel: size(pods) == 5 is false"),
          new Case(
              "a check about nothing",
              SIX,
              "{apply: [soft.yaml]}",
              "{nothingPending: {pods: {app: wbe}}}",
              "then[0].nothingPending: it is about nothing: no pod is app=wbe; if that is meant, say mayBeEmpty: true"),
          new Case(
              "a check that may be about nothing",
              SIX,
              "{apply: [soft.yaml]}, {delete: {kind: Deployment, name: web}}",
              "{nothingPending: {pods: {app: web}, mayBeEmpty: true}}",
              ""),
          new Case(
              "closed and opened",
              "{fleet: {count: 1}}",
              "{cordon: {node: node-1}}, {pod: {name: waits}}, {then: [{pending: {pod: waits, because: NodeUnschedulable, verdict: notNow}}]}, {uncordon: {labels: {kubernetes.io/os: linux}}}",
              "{placed: {pod: waits}}",
              ""),
          new Case(
              "labelled and tainted",
              "{fleet: {count: 2}}",
              "{label: {node: node-2, set: {disk: ssd}}}, {taint: {node: node-1, set: [{key: spot, effect: NoSchedule}]}}, {pod: {name: here}}",
              "{placed: {pod: here, on: {disk: ssd}}}",
              ""),
          new Case(
              "nobody is meant",
              SIX,
              "{lose: {zone: x}}",
              "{nothingPending: {mayBeEmpty: true}}",
              "when[0].lose: no node is meant by zone=x"),
          new Case(
              "a file that is not there",
              SIX,
              "{apply: [none.yaml]}",
              "{nothingPending: {mayBeEmpty: true}}",
              "none.yaml:1: there is no such file"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void runs(Case c) throws Exception {
    var failures = failures(c.given(), c.when(), c.then());

    if (c.wrong().isEmpty()) {
      assertThat(failures).isEmpty();
    } else {
      assertThat(failures).hasSize(1);
      assertThat(failures.getFirst()).contains(c.wrong());
    }
  }

  @Test
  void saysWhyAPodWaits() throws Exception {
    var failures =
        failures(
            "{fleet: {count: 2, capacity: {cpu: \"4\"}}}",
            "{pod: {name: big, cpu: \"8\"}}",
            "{nothingPending: {}}");

    assertThat(failures)
        .containsExactly(
            """
            then[0].nothingPending: 1 pod is pending: default/big
              default/big fits on none of 2 nodes. Never: no node takes it, whatever pods come or go.
                2 of the nodes: NodeResourcesFit: cpu: asks 8, most free is 4 on node-1\
            """
                .stripTrailing());
  }

  private List<String> failures(String given, String when, String then) throws Exception {
    Files.writeString(folder.resolve("soft.yaml"), WEB.formatted(6, "ScheduleAnyway"));
    Files.writeString(folder.resolve("hard.yaml"), WEB.formatted(6, "DoNotSchedule"));
    var file = folder.resolve("test.yaml");
    var text =
        """
        apiVersion: berth.io/v1alpha1
        kind: PlacementTest
        metadata: {name: it}
        given: [%s]
        when: [%s]
        then: [%s]
        """
            .formatted(given, when, then);
    var test = TestReader.read(file, text).getFirst();
    return TestRun.of(test, TestSources.MANIFESTS).failures().stream()
        .map(failure -> String.join("\n", failure.lines()))
        .toList();
  }
}
