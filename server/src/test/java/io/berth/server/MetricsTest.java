package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
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

  @Test
  void theReferenceListsThemAll() throws Exception {
    try (var server = new TestServer()) {
      server.get("admin", "/api/v1/namespaces/default/configmaps");
      var served = new TreeSet<String>();
      for (var line : TestServer.text(server.get("admin", "/metrics")).split("\n", -1)) {
        if (line.startsWith("# TYPE ")) {
          served.add(line.substring("# TYPE ".length()));
        }
      }
      var listed = new TreeSet<String>();
      var row =
          Pattern.compile("^\\| `(\\S+)` \\| (counter|gauge|histogram) \\|", Pattern.MULTILINE)
              .matcher(Files.readString(Path.of("../docs/reference/server-metrics.md")));
      while (row.find()) {
        listed.add(row.group(1) + " " + row.group(2));
      }
      assertThat(listed).isEqualTo(served);
    }
  }
}
