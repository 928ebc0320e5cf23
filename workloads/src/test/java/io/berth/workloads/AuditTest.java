package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What people did stays on record, whatever strangers try.
class AuditTest {

  private static final String ALL =
      "/api/v1/audit/log?numberOfSamples=1000&start=2020-01-01T00:00:00Z&end=2100-01-01T00:00:00Z";

  private Api api;

  @BeforeEach
  void start() throws InterruptedException {
    api = new Api();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void strangersPushNobodyOut() {
    api.post("/api/v1/service-accounts", Tree.of("name", "robot"));
    for (int i = 0; i < 10_100; i++) {
      var token = Map.of("authorization", "Bearer " + i);
      api.send("DELETE", "/api/v1/service-accounts/1", null, i % 2 == 0 ? Map.of() : token);
    }

    assertThat(entries("admin"))
        .extracting(entry -> entry.textOrEmpty("entity_name"))
        .contains("robot");
    assertThat(entries("anonymous")).hasSize(1_000);
  }

  @Test
  void whatACallerMakesUpIsCut() {
    var made = "x".repeat(60_000);
    api.delete("/api/v1/service-accounts/" + made);
    api.send("DELETE", "/api/v1/service-accounts/" + made, null, Map.of());

    for (var who : List.of("admin", "anonymous")) {
      assertThat(entries(who))
          .allSatisfy(entry -> assertThat(entry.toString().length()).isLessThan(3_000))
          .anySatisfy(entry -> assertThat(entry.textOrEmpty("url")).endsWith("x…"));
    }
  }

  private List<Tree> entries(String subject) {
    return api.get(ALL + "&filterBy=subject==" + subject).body().trees("audit_logs");
  }
}
