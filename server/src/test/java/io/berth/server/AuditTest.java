package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What people did stays on record, whatever strangers try.
class AuditTest {

  @TempDir Path folder;

  @Test
  void strangersHaveAFileOfTheirOwn() throws Exception {
    try (var audit = Audit.in(folder.resolve("audit.log"));
        var server = new TestServer(ServerSettings.plain().withAudit(audit))) {
      server.get("admin", "/api/v1/namespaces/default");
      server.get("bob", "/api/v1/secrets");
      for (int i = 0; i < 3_000; i++) {
        server.get(i % 2 == 0 ? TestServer.NOBODY : "wrong", "/api/v1/secrets");
      }
    }

    assertThat(events("audit.log"))
        .extracting(event -> event.textOrEmpty("user", "username"))
        .containsExactly("root", "bob");
    assertThat(events("audit-strangers.log"))
        .hasSizeBetween(100, 2_000)
        .allSatisfy(event -> {
          if (!event.has("omitted")) {
            assertThat(event.number(0, "responseStatus", "code")).isIn(401L, 403L);
          }
        });
    assertThat(told("audit-strangers.log")).isEqualTo(3_000);
    assertThat(Files.getPosixFilePermissions(folder.resolve("audit-strangers.log")))
        .hasToString("[OWNER_READ, OWNER_WRITE]");
  }

  @Test
  void whatACallerMakesUpIsCut() throws Exception {
    var made = "x".repeat(60_000);
    Map<String, List<String>> headers = new HashMap<>();
    headers.put("authorization", List.of("Bearer admin"));
    headers.put("user-agent", List.of(made));
    headers.put("audit-id", List.of(made));
    headers.put("impersonate-user", List.of(made));
    try (var audit = Audit.in(folder.resolve("audit.log"));
        var server = new TestServer(ServerSettings.plain().withAudit(audit))) {
      server.ask(headers, "GET", "/api/v1/namespaces/" + made + "/pods/" + made, new byte[0]);
    }

    assertThat(Files.size(folder.resolve("audit.log"))).isLessThan(8_000);
    var event = events("audit.log").getFirst();
    assertThat(event.textOrEmpty("auditID")).hasSize(64);
    assertThat(event.textOrEmpty("requestURI")).startsWith("/api/v1/namespaces/xxx").endsWith("…");
    assertThat(event.textOrEmpty("user", "username")).isEqualTo("root");
  }

  @Test
  void strangersFillNoDisk() throws Exception {
    var now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    var line = Tree.of("text", "x".repeat(2_000));
    int asked = 0;
    try (var file = StrangersFile.beside(folder.resolve("audit.log"), now::get)) {
      for (int second = 0; second < 3_000; second++, now.updateAndGet(at -> at.plusSeconds(1))) {
        for (int i = 0; i < 30; i++, asked++) {
          file.append(() -> line);
        }
      }
    }

    var files = List.of("audit-strangers.log", "audit-strangers.log.1");
    for (var name : files) {
      assertThat(Files.size(folder.resolve(name))).isLessThan(Limits.STRANGERS_BYTES + 5_000);
    }
    assertThat(asked).isEqualTo(90_000);
    assertThat(events(files.getFirst()))
        .filteredOn(each -> each.has("omitted"))
        .isNotEmpty()
        .allSatisfy(each -> {
          long seconds =
              Duration.between(
                      Instant.parse(each.textOrEmpty("since")),
                      Instant.parse(each.textOrEmpty("until")))
                  .toSeconds();
          assertThat(each.number(0, "omitted")).isEqualTo(20 * Math.max(1, seconds));
        });
  }

  /// Requests that a file tells of: one a line, and those that it left out.
  private long told(String file) throws Exception {
    long told = 0;
    for (var event : events(file)) {
      told += event.has("omitted") ? event.number(0, "omitted") : 1;
    }
    return told;
  }

  private List<Tree> events(String file) throws Exception {
    return Files.readAllLines(folder.resolve(file)).stream().map(Json::read).toList();
  }
}
