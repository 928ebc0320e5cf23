package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

/// What REST refuses of departments, projects, node pools and policies is refused to kubectl too,
/// in the same words: before it is stored where Berth is the API server, and with a condition where
/// another one has stored it already.
class DoorTest {

  private final Api api;
  private final String project;

  DoorTest() throws InterruptedException {
    this.api = new Api();
    api.node("n", Map.of("pool", "a"));
    api.pool("pool-a", "pool", "a");
    this.project = api.project("team", "pool-a");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  record Case(Resource resource, String name, String spec, String message) {}

  private static Case project(String spec, String message) {
    return new Case(BerthKinds.PROJECTS, "other", spec, message);
  }

  private static Case department(String spec, String message) {
    return new Case(BerthKinds.DEPARTMENTS, "other", spec, message);
  }

  private static Case pool(String spec, String message) {
    return new Case(BerthKinds.NODE_POOLS, "other", spec, message);
  }

  private static Case policy(String spec, String message) {
    return new Case(BerthKinds.POLICIES, "workspaces-project-PROJECT", spec, message);
  }

  private static final String LONG = "a".repeat(57);
  private static final String META = "meta: {scope: project, projectId: PROJECT, name: p}";

  static final List<Case> REFUSED =
      List.of(
          project("{colour: red}", "unknown field \"colour\""),
          project("{description: 5}", "must be a string, not 5"),
          project("{parentId: '4711'}", "parentId: there is no department \"4711\""),
          project("{defaultNodePools: [nowhere]}", "there is no node pool \"nowhere\""),
          project("{requestedNamespace: Not_One}", "\"Not_One\" is no namespace name"),
          project("{requestedNamespace: runai-team}", "belongs to another project"),
          project("{resources: [{nodePool: {name: x}}]}", "there is no node pool with id"),
          project("{resources: [{gpu: {deserved: -1}}]}", "gpu.deserved: must be 0 or more"),
          project("{resources: [{gpu: {limit: -2}}]}", "gpu.limit: must be 0 or more, or -1"),
          project("{resources: [{gpu: {overQuotaWeight: -1}}]}", "overQuotaWeight: must be 0"),
          project("{resources: [{}, {}]}", "node pool \"default\" is listed twice"),
          project("{resources: [{priority: Huge}]}", "Huge"),
          project("{schedulingRules: {trainingJobTimeLimitSeconds: 0}}", "Seconds"),
          new Case(BerthKinds.PROJECTS, LONG, "{}", "name: \"" + LONG + "\" must be 1 to 56"),
          department("{colour: red}", "unknown field \"colour\""),
          department("{defaultNodePools: [nowhere]}", "there is no node pool \"nowhere\""),
          department("{resources: [{gpu: {deserved: -1}}]}", "gpu.deserved: must be 0 or more"),
          department("{resources: [{nodePool: {name: x}}]}", "there is no node pool with id"),
          new Case(BerthKinds.DEPARTMENTS, LONG, "{}", "name: \"" + LONG + "\" must be 1 to 56"),
          pool("{labelKey: pool}", "\"labelValue\" is required"),
          pool("{labelKey: pool, labelValue: b, colour: red}", "unknown field \"colour\""),
          pool("{labelKey: pool, labelValue: a}", "already belongs to node pool \"pool-a\""),
          pool("{labelKey: a b, labelValue: c}", "\"a b\" is no Kubernetes label key"),
          pool("{labelKey: a, labelValue: b c}", "\"b c\" is no Kubernetes label value"),
          pool(
              "{labelKey: a, labelValue: b, networkTopologyId: none}",
              "there is no network topology \"none\""),
          pool(
              "{labelKey: a, labelValue: b, schedulingConfiguration: {minGuaranteedRuntime: soon}}",
              "\"soon\" is no length of time"),
          pool("{labelKey: a, labelValue: b, overProvisioningRatio: 9}", "overProvisioningRatio"),
          policy("{type: workspace, " + META + ", policy: {colour: 1}}", "colour"),
          policy(
              "{type: workspace, " + META + ", policy: {rules: {colour: {canEdit: false}}}}",
              "json: unknown field \"colour\""),
          policy(
              "{type: workspace, "
                  + META
                  + ", policy: {rules: {security: {privileged: {canEdit: true}}}}}",
              "already has rules in system"),
          policy("{type: workspace, " + META + ", policy: 5}", "\"policy\" must be an object"),
          policy("{type: workspace, meta: {scope: project, projectId: PROJECT}}", "\"name\""),
          policy("{type: workspace, meta: {scope: galaxy, name: p}}", "galaxy"));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void refusesWhatRestRefuses(Case c) {
    var object = object(c);
    var words = refusedByRest(c, object.treeOrEmpty("spec"));

    assertThat(words).contains(filled(c.message()));
    assertThatThrownBy(() -> api.workloads.door().admit(c.resource(), object.copy(), null, false))
        .hasMessage(words);
    api.cluster.create(c.resource(), object);
    api.await(() -> accepted(c.resource(), filled(c.name())).textOrEmpty("status").equals("False"));
    assertThat(accepted(c.resource(), filled(c.name())).text("message")).isEqualTo(words);
    assertThat(fetched(c.resource(), filled(c.name())).at("spec", "id")).isNull();
  }

  private String refusedByRest(Case c, Tree spec) {
    var body = spec.copy();
    body.put("name", c.name()).put("clusterId", api.clusterId());
    body.putIfAbsent("resources", List.of());
    var reply =
        switch (c.resource().kind()) {
          case "Project" -> api.post("/api/v1/org-unit/projects", body);
          case "Department" -> api.post("/api/v1/org-unit/departments", body);
          case "NodePool" -> {
            body.remove("resources");
            yield api.post("/api/v1/node-pools", body);
          }
          default -> api.put("/api/v2/policy/workspaces", spec.copy());
        };
    assertThat(reply.code()).isEqualTo(400);
    return reply.message();
  }

  @Test
  void takesInWhatIsRight() {
    api.cluster.create(BerthKinds.NODE_POOLS, object(pool("{labelKey: pool, labelValue: b}", "")));
    api.await(() -> isAccepted(BerthKinds.NODE_POOLS, "other"));
    api.cluster.create(
        BerthKinds.PROJECTS,
        object(project("{resources: [{nodePool: {name: other}, gpu: {deserved: 3}}]}", "")));
    api.await(() -> isAccepted(BerthKinds.PROJECTS, "other"));

    var listed = api.get("/api/v1/org-unit/projects?filterBy=name==other").body();
    var shown = listed.trees("projects").getFirst();
    assertThat(shown.trees("resources").getFirst().at("nodePool", "name")).isEqualTo("other");
    assertThat(shown.at("totalResources", "gpuQuota")).isEqualTo(3L);
    assertThat(shown.text("createdBy")).isEqualTo("kubectl");
  }

  /// What waits for something else is taken in when that is there.
  @Test
  void looksAgainAtWhatWasRefused() {
    api.cluster.create(BerthKinds.PROJECTS, object(project("{defaultNodePools: [later]}", "")));
    api.await(() -> accepted(BerthKinds.PROJECTS, "other").textOrEmpty("status").equals("False"));
    assertThat(api.get("/api/v1/org-unit/projects?filterBy=name==other").body().list("projects"))
        .isEmpty();

    api.pool("later", "pool", "later");
    api.await(() -> isAccepted(BerthKinds.PROJECTS, "other"));
    assertThat(api.get("/api/v1/org-unit/projects?filterBy=name==other").body().list("projects"))
        .hasSize(1);
  }

  @Test
  void whatHasANumberKeepsIt() {
    var stored = fetched(BerthKinds.PROJECTS, "team");
    var door = api.workloads.door();

    assertThatThrownBy(() ->
            door.admit(BerthKinds.PROJECTS, stored.copy().putAt(99, "spec", "id"), stored, false))
        .hasMessage("Bad request - id: is given by Berth");
    assertThatThrownBy(() ->
            door.admit(
                BerthKinds.PROJECTS,
                stored.copy().putAt("elsewhere", "spec", "requestedNamespace"),
                stored.copy().putAt("here", "spec", "requestedNamespace"),
                false))
        .hasMessage("Bad request - requestedNamespace: cannot be changed");
    var replaced = stored.copy();
    replaced.child("spec").remove("id");
    replaced.child("spec").put("description", "new");
    door.admit(BerthKinds.PROJECTS, replaced, stored, false);
    assertThat(Long.toString(replaced.number(0, "spec", "id"))).isEqualTo(project);
  }

  @Test
  void keepsWhatIsNeeded() {
    var door = api.workloads.door();

    assertThatThrownBy(
            () -> door.release(BerthKinds.NODE_POOLS, fetched(BerthKinds.NODE_POOLS, "pool-a")))
        .hasMessageContaining("has quota in, or is a default of, project team");
    assertThatThrownBy(
            () -> door.release(BerthKinds.NODE_POOLS, fetched(BerthKinds.NODE_POOLS, "default")))
        .hasMessageContaining("the default node pool cannot be deleted");
    assertThatThrownBy(
            () -> door.release(BerthKinds.DEPARTMENTS, fetched(BerthKinds.DEPARTMENTS, "default")))
        .hasMessageContaining("the default department cannot be deleted");
  }

  @Test
  void aPolicyIsNamedAfterWhatItIsFor() {
    var object = object(policy("{type: workspace, " + META + "}", ""));
    object.child("metadata").put("name", "mine");

    assertThatThrownBy(() -> api.workloads.door().admit(BerthKinds.POLICIES, object, null, false))
        .hasMessage(
            filled(
                "Bad request - name: the workspace policy of this scope is named"
                    + " \"workspaces-project-PROJECT\""));
  }

  /// A policy that was spoilt where Berth could not refuse it does not let everything pass.
  @Test
  void submissionsWaitForASpoiltPolicyToBeMended() {
    var name = filled("workspaces-project-PROJECT");
    api.cluster.create(
        BerthKinds.POLICIES,
        object(policy("{type: workspace, " + META + ", policy: {defaults: {image: a}}}", "")));
    api.await(() -> isAccepted(BerthKinds.POLICIES, name));
    api.await(() -> submitted() == 202);

    var spoilt = fetched(BerthKinds.POLICIES, name).copy();
    spoilt.putAt(Yaml.read("{colour: 1}"), "spec", "policy");
    api.cluster.update(BerthKinds.POLICIES, null, spoilt);
    api.await(() -> accepted(BerthKinds.POLICIES, name).textOrEmpty("status").equals("False"));
    api.await(() -> submitted() == 400);
    assertThat(api.post("/api/v1/workloads/workspaces?dryRun=all", workspace()).message())
        .startsWith("policy \"" + name + "\" cannot be applied until an administrator mends it: ");
  }

  private int submitted() {
    return api.post("/api/v1/workloads/workspaces?dryRun=all", workspace()).code();
  }

  private Tree workspace() {
    return Tree.of("name", "w", "projectId", project, "clusterId", api.clusterId());
  }

  private Tree object(Case c) {
    return Tree.of(
        "apiVersion",
        "berth.io/v1alpha1",
        "kind",
        c.resource().kind(),
        "metadata",
        Tree.of("name", filled(c.name())),
        "spec",
        Yaml.read(filled(c.spec())));
  }

  private String filled(String text) {
    return text.replace("PROJECT", project);
  }

  private boolean isAccepted(Resource resource, String name) {
    return accepted(resource, name).textOrEmpty("status").equals("True");
  }

  private Tree accepted(Resource resource, String name) {
    return fetched(resource, name).trees("status", "conditions").stream()
        .filter(each -> each.textOrEmpty("type").equals("Accepted"))
        .findFirst()
        .orElseGet(Tree::new);
  }

  private Tree fetched(Resource resource, String name) {
    return api.cluster.fetch(resource, "", name);
  }
}
