package io.berth.app;

import static io.berth.app.Stage.pod;
import static io.berth.app.Stage.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What Kubernetes' end-to-end tests ask about groups of pods: quorum, policies, and who goes when
/// somebody more important comes. A real API server serves them with the gate `GenericWorkload`.
class GangTest {

  private static final String ROOM = "{cpu: \"4\", memory: 8Gi, pods: \"20\"}";
  private static final String NO_TAINTS = "[]";

  private static Stage stage;

  @BeforeAll
  static void start() throws Exception {
    stage = new Stage();
    stage.create(
        """
        kind: PriorityClass
        metadata: {name: gang-low}
        value: 1
        ---
        kind: PriorityClass
        metadata: {name: gang-high}
        value: 1000
        """);
  }

  @AfterAll
  static void stop() throws Exception {
    stage.close();
  }

  @Test
  void aGangComesWholeOrNotAtAll() {
    stage.set("gang", 1, ROOM, NO_TAINTS);
    stage.create(group("gang", "crew", "schedulingPolicy: {gang: {minCount: 2}}"));
    var member = member("crew", "2", "");
    stage.create(pod("gang", "one", member));
    stage.create(pod("gang", "witness", requests("cpu: 1")));
    running("gang", "witness");
    stage.create(pod("gang", "two", member));
    stage.awaitUnschedulable("gang", "two");
    assertThat(stage.fetch(Resource.PODS, "gang", "one").textOrEmpty("spec", "nodeName")).isEmpty();

    stage.delete("gang", "witness");

    running("gang", "one");
    running("gang", "two");
  }

  @Test
  void podsOfABasicGroupComeOneByOne() {
    stage.set("basic", 1, ROOM, NO_TAINTS);
    stage.create(group("basic", "crew", "schedulingPolicy: {basic: {}}"));
    stage.create(pod("basic", "one", member("crew", "1", "")));
    running("basic", "one");

    stage.create(pod("basic", "two", member("crew", "1", "")));

    running("basic", "two");
  }

  @Test
  void aGroupThatIsDisruptedWholeGoesWholeForAnotherGroup() {
    victims("whole", "all");
    stage.create(
        group(
            "whole",
            "winners",
            "priorityClassName: gang-high\nschedulingPolicy: {gang: {minCount: 1}}"));

    stage.create(pod("whole", "vip", member("winners", "2", "gang-high")));

    running("whole", "vip");
    stage.await(
        "both victims are gone",
        () -> !stage.exists("whole", "victim-1") && !stage.exists("whole", "victim-2"));
  }

  @Test
  void aGroupThatIsDisruptedPodByPodKeepsTheOthers() {
    victims("partly", "single");
    stage.create(
        group(
            "partly",
            "winners",
            "priorityClassName: gang-high\nschedulingPolicy: {gang: {minCount: 1}}"));

    stage.create(pod("partly", "vip", member("winners", "2", "gang-high")));

    running("partly", "vip");
    assertThat(remaining("partly")).hasSize(1);
  }

  @Test
  void aSinglePodTakesNoMoreOfAGroupThanItNeeds() {
    victims("alone", "single");

    stage.create(pod("alone", "vip", "priorityClassName: gang-high\n" + requests("cpu: 2")));

    running("alone", "vip");
    assertThat(remaining("alone")).hasSize(1);
  }

  /// Two pods of a group that fill the node of the namespace.
  private static void victims(String namespace, String disruption) {
    stage.set(namespace, 1, ROOM, NO_TAINTS);
    stage.create(
        group(
            namespace,
            "victims",
            """
            priorityClassName: gang-low
            disruptionMode: {%s: {}}
            schedulingPolicy: {gang: {minCount: 2}}
            """
                .formatted(disruption)));
    for (var name : List.of("victim-1", "victim-2")) {
      stage.create(pod(namespace, name, member("victims", "2", "gang-low")));
    }
    running(namespace, "victim-1");
    running(namespace, "victim-2");
  }

  /// The victims nobody has asked to go.
  private static List<String> remaining(String namespace) {
    return stage.pods(namespace).stream()
        .filter(pod -> pod.textOrEmpty("metadata", "deletionTimestamp").isEmpty())
        .map(pod -> pod.textOrEmpty("metadata", "name"))
        .filter(name -> name.startsWith("victim"))
        .toList();
  }

  private static String group(String namespace, String name, String spec) {
    return """
    apiVersion: scheduling.k8s.io/v1beta1
    kind: PodGroup
    metadata: {namespace: %s, name: %s}
    spec:
    """
            .formatted(namespace, name)
        + spec.indent(2);
  }

  private static String member(String group, String cpus, String priority) {
    var important = priority.isEmpty() ? "" : "priorityClassName: %s\n".formatted(priority);
    return "schedulingGroup: {podGroupName: %s}\n".formatted(group)
        + important
        + requests("cpu: " + cpus);
  }

  private static String running(String namespace, String pod) {
    return stage.awaitRunning(namespace, pod);
  }
}
