package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/// Only what runs beside the server is called healthy.
class ComponentStatusesTest {

  @Test
  void knowsWhatRunsInThisProcess() {
    var settings = ServerSettings.plain().withComponents(Set.of("scheduler"));
    try (var server = new TestServer(settings)) {
      var list = TestServer.json(server.get("admin", "/api/v1/componentstatuses"));
      var found =
          list.trees("items").stream()
              .map(item ->
                  item.textOrEmpty("metadata", "name")
                      + "="
                      + item.trees("conditions").getFirst().textOrEmpty("status"))
              .toList();
      assertThat(found)
          .containsExactlyInAnyOrder("controller-manager=False", "scheduler=True", "etcd-0=True");
    }
  }
}
