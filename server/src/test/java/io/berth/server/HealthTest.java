package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.http.Answer;
import io.berth.server.request.Query;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HealthTest {

  private final Health health = new Health();

  @Test
  void checksHaveTheNamesOfKubeApiserver() {
    assertThat(ask("/readyz/poststarthook/rbac/bootstrap-roles", "")).isEqualTo("200 ok");
    assertThat(ask("/readyz", "verbose"))
        .contains("[+]etcd ok\n[+]etcd-readiness ok\n[+]informer-sync ok\n")
        .doesNotContain("loopback-serving-certificate")
        .endsWith("[+]shutdown ok\nreadyz check passed\n");
    assertThat(ask("/livez", "verbose")).contains("[+]loopback-serving-certificate ok\n");
    assertThat(ask("/livez/shutdown", "")).startsWith("404");
    assertThat(ask("/livezy", "")).startsWith("404");
  }

  @Test
  void whatFailsIsToldUnlessItIsLeftOut() {
    health.with("etcd", () -> false);
    assertThat(ask("/readyz", ""))
        .startsWith("500 [+]ping ok\n")
        .contains("[-]etcd failed: reason withheld\n")
        .endsWith("readyz check failed\n");
    assertThat(ask("/readyz", "exclude=etcd")).isEqualTo("200 ok");
    assertThat(ask("/readyz", "exclude=etcd&exclude=b&exclude=a&verbose"))
        .contains("[+]etcd excluded: ok\n")
        .endsWith(
            """
            warn: some health checks cannot be excluded: no matches for "a","b"
            readyz check passed
            """);
  }

  private String ask(String path, String query) {
    var answer = (Answer.Whole) health.answer(path, Query.parse(query));
    return answer.code() + " " + new String(answer.body(), StandardCharsets.UTF_8);
  }
}
