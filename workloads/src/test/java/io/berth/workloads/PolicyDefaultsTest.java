package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Yaml;
import io.berth.workloads.state.BerthKinds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A default that no request may have is refused where it is set: those who submit cannot help it.
class PolicyDefaultsTest {

  private final Api api;
  private final String project;

  PolicyDefaultsTest() throws InterruptedException {
    this.api = new Api();
    api.node("n", Map.of());
    this.project = api.project("team", "default");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void aDefaultIsOfTheTypeOfItsField() {
    for (var defaults :
        List.of(
            "nodeAffinityRequired: {nodeSelectorTerms: x}",
            "nodeAffinityRequired: {nodeSelectorTerms: [x]}",
            "nodeAffinityRequired: {nodeSelectorTerms: [{matchExpressions: [{key: 1}]}]}",
            "environmentVariables: {instances: [{name: A, value: 1}]}",
            "environmentVariables: {instances: x}",
            "labels: {instances: [{name: a, value: 5}]}",
            "tolerations: {instances: [{name: a, operator: Foo}]}",
            "tolerations: {instances: [{name: a, operator: Exists, seconds: x}]}",
            "ports: {instances: [{container: x}]}",
            "storage: {pvc: {instances: [{name: a, claimName: 5}]}}",
            "compute: {gpuDevicesRequest: -1}",
            "compute: {cpuCoreRequest: -1}",
            "compute: {gpuRequestType: foo}",
            "compute: {extendedResources: {instances: [{resource: a/b, quantity: 5}]}}",
            "security: {runAsUid: -1}",
            "security: {capabilities: [FOO]}",
            "podAffinity: {type: Foo, key: a}",
            "nodePools: [5]",
            "nodeType: ''",
            "image: ''",
            "preemptibility: foo",
            "restartPolicy: foo",
            "parallelism: 0",
            "backoffLimit: -5",
            "terminationGracePeriodSeconds: -5")) {
      var reply = set("trainings", defaults);
      assertThat(reply.code()).as(defaults).isEqualTo(400);
      assertThat(reply.message()).startsWith("The default of field \"" + defaults.split(":", 2)[0]);
    }
    assertThat(api.cluster.all(BerthKinds.POLICIES)).isEmpty();
  }

  @Test
  void aDefaultOfARoleIsToo() {
    assertThat(set("distributed", "master: {labels: {instances: [{name: a, value: 5}]}}").message())
        .isEqualTo(
            "The default of field \"master.labels.instances[0].value\" must be a string, not 5");
    assertThat(set("distributed-inferences", "workers: -1").message())
        .isEqualTo("The default of field \"workers\" is -1; allowed are 0 to 1000");
    assertThat(set("workspaces", "nodeAffinityRequired: {}").code()).isEqualTo(200);
  }

  private Api.Reply set(String type, String defaults) {
    return api.put(
        "/api/v2/policy/" + type,
        Tree.of(
            "meta", Tree.of("name", "p", "scope", "tenant"),
            "policy", Tree.of("defaults", Yaml.read(defaults))));
  }

  @Test
  void numbersAndKeysThatKubernetesRefusesAreRefusedHere() {
    for (var spec :
        List.of(
            "backoffLimit: -1",
            "parallelism: 0",
            "completions: 0",
            "autoDeletionTimeAfterCompletionSeconds: -1",
            "security: {runAsUid: -1}",
            "podAffinity: {type: Required, key: not a key}",
            "podAntiAffinity: {type: Preferred, key: not a key}",
            "topologySpreadConstraints: [{topologyKey: not a key}]")) {
      var reply = api.submit("trainings", "w", project, "{image: x, " + spec + "}");
      assertThat(reply.code()).as(spec).isEqualTo(400);
      assertThat(reply.message()).contains("spec." + spec.split("[:{]", 2)[0]);
    }
  }
}
