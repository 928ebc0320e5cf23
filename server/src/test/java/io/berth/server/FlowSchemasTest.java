package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.http.Answer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Every answer says which FlowSchema its request belongs to.
class FlowSchemasTest {

  private static final String FLOWS = "/apis/flowcontrol.apiserver.k8s.io/v1/";

  @Test
  void theFirstSchemaByPrecedenceThatMatchesIsNamed() {
    try (var server = new TestServer()) {
      assertThat(schema(server.get("admin", "/api/v1/pods"))).isEqualTo(uid(server, "exempt"));
      assertThat(schema(server.get("", "/healthz"))).isEqualTo(uid(server, "probes"));
      assertThat(schema(server.get("", "/api/v1/pods"))).isEqualTo(uid(server, "global-default"));

      server.post(
          "admin",
          FLOWS + "flowschemas",
          """
          {'metadata': {'name': 'strangers'},
           'spec': {
             'matchingPrecedence': 50,
             'priorityLevelConfiguration': {'name': 'workload-low'},
             'rules': [{
               'subjects': [{'kind': 'Group', 'group': {'name': 'system:unauthenticated'}}],
               'resourceRules': [{
                 'verbs': ['list'], 'apiGroups': [''], 'resources': ['pods'],
                 'clusterScope': true}]}]}}
          """);

      assertThat(schema(server.get("", "/api/v1/pods"))).isEqualTo(uid(server, "strangers"));
      assertThat(schema(server.get("", "/api/v1/namespaces/default/pods")))
          .as("without its namespaces")
          .isEqualTo(uid(server, "global-default"));
      assertThat(schema(server.get("", "/api/v1/nodes"))).isEqualTo(uid(server, "global-default"));
    }
  }

  @Test
  void metricsSayHowManySeatsEachPriorityLevelHas() {
    try (var server = new TestServer()) {
      var page = TestServer.text(server.get("admin", "/metrics"));

      // 600 requests by 245 shares.
      assertThat(page)
          .contains("apiserver_flowcontrol_nominal_limit_seats{priority_level=\"exempt\"} 0\n")
          .contains("apiserver_flowcontrol_nominal_limit_seats{priority_level=\"catch-all\"} 13\n")
          .contains(
              "apiserver_flowcontrol_nominal_limit_seats{priority_level=\"workload-low\"} 245\n");
    }
  }

  private static String uid(TestServer server, String name) {
    return TestServer.json(server.get("admin", FLOWS + "flowschemas/" + name))
        .textOrEmpty("metadata", "uid");
  }

  private static String schema(Answer answer) {
    return answer.headers().stream()
        .filter(header -> header.getKey().equals("X-Kubernetes-Pf-Flowschema-Uid"))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("none");
  }
}
