package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricsTest {

  @Test
  void countsAndTimesRequestsAsKubernetesNamesThem() {
    try (var server = new TestServer()) {
      server.get("admin", "/api/v1/namespaces/default/configmaps");
      server.get("admin", "/api/v1/namespaces/default/made-up-by-a-caller");

      var page = TestServer.text(server.get("admin", "/metrics"));

      var labels =
          "component=\"apiserver\",group=\"\",resource=\"configmaps\",scope=\"namespace\","
              + "subresource=\"\",verb=\"LIST\",version=\"v1\"";
      assertThat(page)
          .contains("# TYPE apiserver_request_duration_seconds histogram\n")
          .contains("apiserver_request_total{" + labels + ",code=\"200\"} 1\n")
          .contains("apiserver_request_duration_seconds_bucket{" + labels + ",le=\"+Inf\"} 1\n")
          .contains("apiserver_request_duration_seconds_count{" + labels + "} 1\n")
          .doesNotContain("made-up");
    }
  }
}
