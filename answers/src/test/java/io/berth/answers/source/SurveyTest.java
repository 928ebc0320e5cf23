package io.berth.answers.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.ObjectReference;
import io.berth.engine.Decision;
import java.util.List;
import org.junit.jupiter.api.Test;

class SurveyTest {

  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: node-1}
      status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
      """;

  private static final String DEPLOYMENT =
      """
      # Source: web/templates/deployment.yaml
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, namespace: shop}
      spec:
        replicas: 3
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
            - {name: app, image: web, resources: {requests: {cpu: "1"}}}
      """;

  @Test
  void aTemplateCountsAsOnePodThatTheEngineCanPlace() {
    var survey = read(NODE + "---\n" + DEPLOYMENT);

    var waiting = survey.waiting();
    assertThat(waiting).hasSize(1);
    var pod = waiting.getFirst();
    assertThat(pod.pod().key()).isEqualTo("shop/web");
    assertThat(pod.isOfTemplate()).isTrue();
    assertThat(pod.source().origin()).isEqualTo(new Origin("test.yaml", 7));
    assertThat(survey.topOwner(pod)).isEqualTo(new ObjectReference("Deployment", "shop", "web"));
    assertThat(survey.engine().decide(pod.pod())).isEqualTo(new Decision.Placed("node-1", 1));
  }

  @Test
  void aPodOfTheTemplateStandsForIt() {
    var survey = read(DEPLOYMENT + "---\n" + replicaSet() + "---\n" + pod("web-1-a", "web-1"));

    var waiting = survey.waiting();
    assertThat(waiting).extracting(each -> each.pod().key()).containsExactly("shop/web-1-a");
    assertThat(survey.topOwner(waiting.getFirst()))
        .isEqualTo(new ObjectReference("Deployment", "shop", "web"));
  }

  @Test
  void itemsOfAListMayShareParts() {
    var manifests =
        ManifestReader.read(
            "list.yaml",
            """
            apiVersion: v1
            items:
            - apiVersion: v1
              kind: Pod
              metadata: {name: a}
              spec: &spec {nodeName: n}
            - apiVersion: v1
              kind: Pod
              metadata: {name: b}
              spec: *spec
            kind: List
            """);

    assertThat(manifests)
        .extracting(each -> each.tree().textOrEmpty("spec", "nodeName"))
        .containsExactly("n", "n");
  }

  @Test
  void itemsOfAListKnowTheirLines() {
    var list =
        """
        apiVersion: v1
        items:
        - apiVersion: v1
          kind: Namespace
          metadata:
            annotations:
              text: |
                - not an item
            name: a

        - apiVersion: v1
          kind: Namespace
          metadata: {name: b}
        kind: List
        metadata: {resourceVersion: ""}
        ---
        kind: NamespaceList
        apiVersion: v1
        items: [{metadata: {name: c}}]
        """;

    assertThat(ManifestReader.read("list.yaml", list))
        .extracting(each -> each.kind() + " " + each.name() + " " + each.origin())
        .containsExactly(
            "Namespace a list.yaml:3", "Namespace b list.yaml:11", "Namespace c list.yaml:17");
  }

  @Test
  void ownersInACircleEnd() {
    var survey = read(pod("a", "a").replace("ReplicaSet", "Pod"));

    assertThat(survey.topOwner(survey.waiting().getFirst()).name()).isEqualTo("a");
  }

  @Test
  void laterObjectsLieOverEarlierOnes() {
    var survey = read(NODE).with(ManifestReader.read("-", NODE.replace("\"4\"", "\"500m\"")));

    var pod = read(DEPLOYMENT).waiting().getFirst().pod();
    assertThat(survey.engine().decide(pod)).isInstanceOf(Decision.Unschedulable.class);
  }

  @Test
  void aFieldThatHoldsWhatItCannotIsNamedWithItsPlace() {
    assertThatThrownBy(() -> read(NODE + "---\n" + DEPLOYMENT.replace("\"1\"", "1 core")))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining(
            "test.yaml:7: Deployment shop/web: spec.template.spec.containers[0].resources.requests[cpu]: \"1 core\"");
  }

  private static String replicaSet() {
    return """
    apiVersion: apps/v1
    kind: ReplicaSet
    metadata:
      name: web-1
      namespace: shop
      ownerReferences: [{kind: Deployment, name: web, controller: true}]
    spec: {selector: {matchLabels: {app: web}}}
    """;
  }

  private static String pod(String name, String owner) {
    return """
    apiVersion: v1
    kind: Pod
    metadata:
      name: %s
      namespace: shop
      ownerReferences: [{kind: ReplicaSet, name: %s, controller: true}]
    spec: {containers: [{name: app, image: web}]}
    """
        .formatted(name, owner);
  }

  private static Survey read(String yaml) {
    return Survey.of(ManifestReader.read("test.yaml", yaml), Survey.Settings.DEFAULT, List.of());
  }
}
