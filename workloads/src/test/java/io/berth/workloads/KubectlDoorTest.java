package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Yaml;
import io.berth.workloads.state.BerthKinds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Two doors, one set of rules: what REST refuses, kubectl gets refused in the status.
class KubectlDoorTest {

  private final Api api;
  private final String project;

  KubectlDoorTest() throws InterruptedException {
    this.api = new Api();
    api.node("n", Map.of("pool", "a"));
    api.pool("pool-a", "pool", "a");
    this.project = api.project("team", "pool-a");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  record Case(String spec, String message) {}

  static final List<Case> REFUSED =
      List.of(
          new Case("{}", "an image is required"),
          new Case("{image: a, colour: red}", "unknown field \"spec.colour\""),
          new Case("{image: 5}", "must be a string, not 5"),
          new Case("{image: a, compute: {gpuDevicesRequest: many}}", "must be an integer"),
          new Case("{image: a, nodePools: [nowhere]}", "there is no node pool \"nowhere\""),
          new Case("{image: a, priorityClass: urgent}", "\"urgent\" is none of"),
          new Case(
              "{image: a, nodeAffinityRequired: {nodeSelectorTerms: [{}]}}",
              "an empty term matches no node"),
          new Case(
              "{image: a, security: {privileged: true}}",
              "security.privileged: the administrator prohibited changing the value of this field"),
          new Case(
              "{image: a, terminationGracePeriodSeconds: 301}", "value must be no more than 300"));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void refusesWhatRestRefuses(Case c) {
    var asked =
        api.post(
            "/api/v1/workloads/workspaces?dryRun=all",
            Tree.of(
                "name",
                "w",
                "projectId",
                project,
                "clusterId",
                api.clusterId(),
                "spec",
                Yaml.read(c.spec())));
    assertThatThrownBy(() ->
            api.workloads
                .door()
                .admit(BerthKinds.WORKSPACES, object("w", Yaml.read(c.spec())), null, false))
        .hasMessageContaining(c.message());
    apply("w", Yaml.read(c.spec()));
    api.await(() -> phase("w").equals("Failed"));

    assertThat(asked.code()).isEqualTo(400);
    assertThat(message("w")).contains(c.message());
    assertThat(api.cluster.all(Resource.PODS)).isEmpty();
  }

  @Test
  void refusesWhatBelongsToNoProject() {
    var stray = object("w", Tree.of("image", "python"));
    stray.child("metadata").put("namespace", "elsewhere");

    assertThatThrownBy(() -> api.workloads.door().admit(BerthKinds.WORKSPACES, stray, null, false))
        .hasMessage("namespace belongs to no project");
  }

  /// Policy may have changed since: stopping what runs is always allowed.
  @Test
  void aWorkloadMayAlwaysBeSuspended() {
    var old = object("w", Tree.of("colour", "red"));

    api.workloads
        .door()
        .admit(BerthKinds.WORKSPACES, old.copy().putAt(true, "spec", "suspend"), old, false);
  }

  @Test
  void takesWhatIsMended() {
    apply("w", Tree.of("colour", "red"));
    api.await(() -> phase("w").equals("Failed"));
    change("w", Tree.of("image", "python"));
    api.await(() -> !api.cluster.all(Resource.PODS).isEmpty() && phase("w").equals("Pending"));

    assertThat(message("w")).doesNotContain("colour");
  }

  /// What was accepted once is looked at again when it changes.
  @Test
  void refusesAChangeThatWouldHaveBeenRefused() {
    apply("w", Tree.of("image", "python"));
    api.await(() -> !api.cluster.all(Resource.PODS).isEmpty());
    change("w", Tree.of("image", "python", "security", Tree.of("privileged", true)));
    api.await(() -> phase("w").equals("Failed"));

    assertThat(message("w")).contains("security.privileged");
  }

  @Test
  void aNameBelongsToOneWorkload() {
    api.post(
        "/api/v1/workloads/trainings",
        Tree.of(
            "name",
            "w",
            "projectId",
            project,
            "clusterId",
            api.clusterId(),
            "spec",
            Tree.of("image", "python")));
    assertThatThrownBy(() ->
            api.workloads
                .door()
                .admit(BerthKinds.WORKSPACES, object("w", Tree.of("image", "python")), null, false))
        .hasMessageContaining("already exists");
    apply("w", Tree.of("image", "python"));
    api.await(() -> phase("w").equals("Failed"));

    assertThat(message("w")).contains("already exists");
  }

  private void apply(String name, Tree spec) {
    api.cluster.create(BerthKinds.WORKSPACES, object(name, spec));
  }

  private static Tree object(String name, Tree spec) {
    return Tree.of(
        "apiVersion",
        "berth.io/v1alpha1",
        "kind",
        "Workspace",
        "metadata",
        Tree.of("name", name, "namespace", "runai-team"),
        "spec",
        spec);
  }

  /// The controllers write to the workload as well: what came between is read again.
  private void change(String name, Tree spec) {
    while (true) {
      var current = api.cluster.fetch(BerthKinds.WORKSPACES, "runai-team", name);
      try {
        api.cluster.update(BerthKinds.WORKSPACES, null, current.copy().put("spec", spec));
        return;
      } catch (ApiException e) {
        assertThat(e.code()).isEqualTo(409);
      }
    }
  }

  private String phase(String name) {
    return found(name).textOrEmpty("status", "phase");
  }

  private String message(String name) {
    return found(name).textOrEmpty("status", "phaseMessage");
  }

  private Tree found(String name) {
    return api.cluster.fetch(BerthKinds.WORKSPACES, "runai-team", name);
  }
}
