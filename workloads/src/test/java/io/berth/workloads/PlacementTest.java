package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The vectors of merged affinity, pools, quota and policy, through the API.
class PlacementTest {

  private static final String USER =
      "{matchExpressions: [{key: kubernetes.io/hostname, operator: NotIn, values: [sys-0,"
          + " sys-1]}]}";

  private Api api;
  private String project;

  @BeforeEach
  void start() throws InterruptedException {
    api = new Api();
    for (int i = 0; i < 3; i++) {
      api.node("b-" + i, Map.of("pool", "b", "run.ai/type", "dgx", "cores", "many"));
    }
    for (int i = 0; i < 4; i++) {
      api.node("a-" + i, Map.of("pool", "a", "cores", "64"));
    }
    api.pool("pool-b", "pool", "b");
    api.pool("pool-a", "pool", "a");
    project = api.project("team", "pool-b", "pool-a");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  // ---- vectors 1 to 6: the cross product -------------------------------------------------------

  @Test
  void userTermsAreCrossedWithPoolsInOrder() {
    assertThat(terms("w", "nodeAffinityRequired: {nodeSelectorTerms: [" + USER + "]}"))
        .isEqualTo(
            terms(
                """
                - matchExpressions:
                  - {key: kubernetes.io/hostname, operator: NotIn, values: [sys-0, sys-1]}
                  - {key: pool, operator: In, values: [b]}
                - matchExpressions:
                  - {key: kubernetes.io/hostname, operator: NotIn, values: [sys-0, sys-1]}
                  - {key: pool, operator: In, values: [a]}
                """));
  }

  @Test
  void withoutUserTermsEachPoolIsATerm() {
    assertThat(terms("w", "{}"))
        .isEqualTo(
            terms(
                """
                - matchExpressions: [{key: pool, operator: In, values: [b]}]
                - matchExpressions: [{key: pool, operator: In, values: [a]}]
                """));
  }

  @Test
  void twoTermsAndTwoPoolsAreFour() {
    var found =
        terms(
            "w",
            """
            nodeAffinityRequired:
              nodeSelectorTerms:
              - matchExpressions: [{key: t, operator: In, values: ["1"]}]
              - matchExpressions: [{key: t, operator: In, values: ["2"]}]
            """);
    assertThat(found).extracting(PlacementTest::values).containsExactly("1b", "2b", "1a", "2a");
  }

  private static String values(Tree term) {
    var text = new StringBuilder();
    for (var expression : term.trees("matchExpressions")) {
      text.append(expression.list("values").getFirst());
    }
    return text.toString();
  }

  @Test
  void theDefaultPoolIsWhereThePoolLabelIsNot() {
    assertThat(terms("w", "nodePools: [default, pool-a]"))
        .isEqualTo(
            terms(
                """
                - matchExpressions: [{key: pool, operator: DoesNotExist}]
                - matchExpressions: [{key: pool, operator: In, values: [a]}]
                """));
  }

  @Test
  void aStrayValueOfThePoolLabelIsInTheDefaultPoolToo() {
    api.node("stray", Map.of("pool", "nobody"));

    assertThat(terms("w", "nodePools: [default]"))
        .isEqualTo(terms("[{matchExpressions: [{key: pool, operator: NotIn, values: [b, a]}]}]"));
  }

  @Test
  void thePoolsOwnLabelIsNotForUsers() {
    var reply =
        submit(
            "w",
            "nodeAffinityRequired: {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator:"
                + " NotIn, values: [b]}]}]}");

    assertThat(reply.code()).isEqualTo(400);
    assertThat(reply.message())
        .contains("\"pool\" is the label of node pools; choose pools with nodePools instead");
  }

  @Test
  void theLabelOfAPoolThatIsNotAskedForIsALabelLikeOthers() {
    api.pool("typed", "kind", "x");

    assertThat(
            terms(
                "w",
                "{nodePools: [pool-a], nodeAffinityRequired: {nodeSelectorTerms:"
                    + " [{matchExpressions: [{key: kind, operator: DoesNotExist}]}]}}"))
        .isEqualTo(
            terms(
                """
                - matchExpressions:
                  - {key: kind, operator: DoesNotExist}
                  - {key: pool, operator: In, values: [a]}
                """));
  }

  @Test
  void aNodeWithTheLabelsOfTwoPoolsIsTheOldersAlone() {
    api.node("other", Map.of("run.ai/type", "dgx"));
    var id = api.pool("dgx", "run.ai/type", "dgx");

    assertThat(terms("w", "nodePools: [dgx]"))
        .isEqualTo(
            terms(
                """
                - matchExpressions:
                  - {key: pool, operator: NotIn, values: [b]}
                  - {key: run.ai/type, operator: In, values: [dgx]}
                """));
    var status = api.get("/api/v1/node-pools/" + id).body().treeOrEmpty("status");
    assertThat(status.list("nodes")).containsExactly("other");
    var conflict = status.trees("conditions").getFirst();
    assertThat(conflict.text("type")).isEqualTo("LabelConflict");
    assertThat(conflict.list("nodes")).containsExactlyInAnyOrder("b-0", "b-1", "b-2");
  }

  @Test
  void anEmptyTermIsRefused() {
    var reply = submit("w", "nodeAffinityRequired: {nodeSelectorTerms: [{}]}");

    assertThat(reply.code()).isEqualTo(400);
    assertThat(reply.message()).contains("nodeSelectorTerms[0]: an empty term matches no node");
  }

  // ---- vectors 7 to 9, 15: policies ------------------------------------------------------------

  private static final String LOCKED =
      "{defaults: {image: x, nodeAffinityRequired: {nodeSelectorTerms: [{matchExpressions: [{key:"
          + " k, operator: Exists}]}]}}, rules: {nodeAffinityRequired: {canEdit: false}}}";

  @Test
  void aLockedAffinityCannotBeReplaced() {
    policy("project", LOCKED);
    var reply = submit("w", "nodeAffinityRequired: {nodeSelectorTerms: [" + USER + "]}");

    assertThat(reply.code()).isEqualTo(400);
    assertThat(reply.message())
        .isEqualTo("The workload request does not comply with the policy set by the administrator");
    assertThat(reply.body().trees("complianceIssues"))
        .containsExactly(
            Tree.of(
                "field", "nodeAffinityRequired",
                "details", "the administrator prohibited changing the value of this field",
                "rule", "canEdit"));
  }

  @Test
  void theDefaultAffinityIsCrossedWithPools() {
    policy("project", LOCKED);

    assertThat(terms("w", "{}"))
        .isEqualTo(
            terms(
                """
                - matchExpressions: [{key: k, operator: Exists}, {key: pool, operator: In, values: [b]}]
                - matchExpressions: [{key: k, operator: Exists}, {key: pool, operator: In, values: [a]}]
                """));
  }

  @Test
  void theNarrowestScopeDecidesOutsideOfCompute() {
    policy("tenant", LOCKED);
    policy("project", "rules: {nodeAffinityRequired: {canEdit: true}}");

    assertThat(submit("w", "nodeAffinityRequired: {nodeSelectorTerms: [" + USER + "]}").code())
        .isEqualTo(202);
  }

  @Test
  void theBroadestScopeDecidesInCompute() {
    policy(
        "tenant",
        "{defaults: {compute: {cpuCoreRequest: 1}}, rules: {compute: {cpuCoreRequest: {canEdit:"
            + " false}}}}");
    var reply =
        api.put(
            "/api/v2/policy/workspaces",
            policyBody("project", "rules: {compute: {cpuCoreRequest: {canEdit: true}}}"));

    assertThat(reply.code()).isEqualTo(400);
    assertThat(reply.message())
        .startsWith("Field \"compute.cpuCoreRequest\" already has rules in tenant");
    assertThat(submit("w", "compute: {cpuCoreRequest: 2}").code()).isEqualTo(400);
  }

  @Test
  void aLockedTolerationCannotBeExcluded() {
    policy(
        "project",
        "{defaults: {tolerations: {instances: [{name: gpu, key: gpu, operator: Exists}]}}, rules:"
            + " {tolerations: {instances: {locked: [gpu]}}}}");
    var reply = submit("w", "tolerations: [{name: gpu, exclude: true}]");

    assertThat(reply.body().trees("complianceIssues"))
        .extracting(issue -> issue.text("rule"))
        .containsExactly("locked");
  }

  private void policy(String scope, String policy) {
    assertThat(api.put("/api/v2/policy/workspaces", policyBody(scope, policy)).code())
        .isEqualTo(200);
  }

  private Tree policyBody(String scope, String policy) {
    var meta = Tree.of("scope", scope, "name", "p");
    if (scope.equals("project")) {
      meta.put("projectId", Long.parseLong(project));
    }
    return Tree.of("meta", meta, "policy", Yaml.read(policy));
  }

  // ---- vectors 10, 12: pools and quota ---------------------------------------------------------

  @Test
  void aGangGoesWholeIntoTheFirstPoolWithRoomForIt() {
    var id =
        api.post(
                "/api/v1/workloads/distributed",
                body(
                    "gang",
                    "{image: x, distributedFramework: JAX, numWorkers: 4, compute:"
                        + " {gpuDevicesRequest: 8}}"))
            .body()
            .textOrEmpty("workloadId");
    api.await(() ->
        pods(id).size() == 4
            && pods(id).stream().allMatch(pod -> "pool-a".equals(chosen(pod.textOrEmpty("name")))));

    assertThat(pods(id))
        .extracting(pod -> pod.list("requestedNodePools"))
        .containsOnly(new ArrayList<>(List.of("pool-b", "pool-a")));
  }

  private Object chosen(String pod) {
    return String.valueOf(
        api.cluster
            .fetch(Resource.PODS, "runai-team", pod)
            .at("metadata", "annotations", "berth.io/node-pool"));
  }

  @Test
  void nonPreemptibleWorkloadsStayWithinTheQuota() {
    var id =
        api.post(
                "/api/v1/workloads/workspaces",
                body("big", "{image: x, nodePools: [pool-a], compute: {gpuDevicesRequest: 8}}"))
            .body()
            .textOrEmpty("workloadId");
    api.await(() -> chosenOrNull("big-0-0"));
    var second =
        api.post(
                "/api/v1/workloads/workspaces",
                body("more", "{image: x, nodePools: [pool-a], compute: {gpuDevicesRequest: 1}}"))
            .body()
            .textOrEmpty("workloadId");
    api.await(() -> workload(second).text("phaseReason") != null);

    assertThat(workload(second).text("phase")).isEqualTo("Pending");
    assertThat(workload(second).text("phaseReason")).isEqualTo("NonPreemptibleOverQuota");
    assertThat(workload(second).text("phaseMessage"))
        .isEqualTo(
            "Non-preemptible workload is over quota. Workload requested 1 GPUs, but team quota is 8"
                + " GPUs, while 8 GPUs are already allocated for non-preemptible pods. Use a"
                + " preemptible workload to go over quota.");
    assertThat(workload(second).trees("pendingSchedulingMessages").getFirst().text("nodePool"))
        .isEqualTo("pool-a");
    assertThat(workload(id).text("phaseReason")).isNull();
  }

  private boolean chosenOrNull(String pod) {
    return api.cluster
        .find(Resource.PODS, "runai-team", pod)
        .map(each -> each.at("metadata", "annotations", "berth.io/node-pool") != null)
        .orElse(false);
  }

  private Tree workload(String id) {
    return api.get("/api/v1/workloads/" + id).body();
  }

  // ---- vectors 13, 14, 16 ----------------------------------------------------------------------

  @Test
  void anIntegerComparisonNeedsAnInteger() {
    var warned =
        submit(
            "w",
            "{nodePools: [pool-b], nodeAffinityRequired: {nodeSelectorTerms: [{matchExpressions:"
                + " [{key: cores, operator: Gt, values: [\"8\"]}]}]}}");
    var fine =
        submit(
            "v",
            "{nodePools: [pool-a], nodeAffinityRequired: {nodeSelectorTerms: [{matchExpressions:"
                + " [{key: cores, operator: Gt, values: [\"8\"]}]}]}}");

    assertThat(warned.answer().headers().get("Warning"))
        .isEqualTo("299 - \"no node of node pool pool-b matches spec.nodeAffinityRequired now\"");
    assertThat(fine.answer().headers()).doesNotContainKey("Warning");
  }

  @Test
  void multiNodeNvlinkNeedsPoolsThatHaveIt() {
    var reply =
        api.post(
            "/api/v1/workloads/distributed",
            body(
                "nvl",
                "{image: x, compute: {gpuDevicesRequest: 1}, labels: [{name: run.ai/MNNVL, value:"
                    + " Required}]}"));

    assertThat(reply.code()).isEqualTo(400);
    assertThat(reply.message())
        .contains("run.ai/MNNVL is Required, and node pool \"pool-b\" has no multi-node NVLink");
  }

  @Test
  void aPodStaysWhenItsNodeIsRelabelled() {
    var id = submit("w", "nodePools: [pool-a]").body().textOrEmpty("workloadId");
    api.await(() -> chosenOrNull("w-0-0"));
    api.cluster.post(
        Resource.PODS, "runai-team", "w-0-0", "binding", Tree.of("target", Tree.of("name", "a-0")));
    api.cluster.edit(
        Resource.NODES, "", "a-0", node -> node.child("metadata").child("labels").put("pool", "b"));
    api.await(() -> "a-0".equals(pods(id).getFirst().text("nodeName")));

    assertThat(pods(id).getFirst().text("currentNodePool")).isEqualTo("pool-a");
  }

  // ---- below -----------------------------------------------------------------------------------

  private List<Tree> terms(String name, String spec) {
    var id = submit(name, spec).body().textOrEmpty("workloadId");
    api.await(() -> !pods(id).isEmpty());
    return pods(id).getFirst().trees("nodeAffinity", "required", "nodeSelectorTerms");
  }

  private static List<Tree> terms(String yaml) {
    return Json.read(Json.text(Yaml.read("terms:\n  " + yaml.strip().replace("\n", "\n  "))))
        .trees("terms");
  }

  private List<Tree> pods(String id) {
    return api.get("/api/v1/workloads/%s/pods".formatted(id)).body().trees("pods");
  }

  private Api.Reply submit(String name, String spec) {
    var whole = Yaml.read(spec);
    whole.putIfAbsent("image", "python");
    return api.post("/api/v1/workloads/workspaces", body(name, whole));
  }

  private Tree body(String name, String spec) {
    return body(name, Yaml.read(spec));
  }

  private Tree body(String name, Tree spec) {
    return Tree.of("name", name, "projectId", project, "clusterId", api.clusterId(), "spec", spec);
  }
}
