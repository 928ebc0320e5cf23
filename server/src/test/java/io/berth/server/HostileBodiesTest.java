package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.codec.Json;
import io.berth.server.http.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Small requests that want to cost much: each is refused, or answered, with little work.
class HostileBodiesTest {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String JSON_PATCH = "application/json-patch+json";

  // Generous for a slow machine whose code is cold; a bomb takes minutes or all memory.
  private static final long MOST_CPU_NANOS = Duration.ofSeconds(3).toNanos();

  private final TestServer server = new TestServer();

  @BeforeEach
  void aMapToPatch() {
    server.post(
        "admin", MAPS, "{'metadata':{'name':'m'},'data':{'a':'%s'}}".formatted("x".repeat(1000)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void bombsOfAliasesAreRefused() {
    var bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i <= 9; i++) {
      bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ",").repeat(9)));
    }
    assertThat(send("POST", MAPS, "application/yaml", bomb.toString()).code()).isEqualTo(400);
  }

  @Test
  void nestingWithoutEndIsRefused() {
    for (var open : List.of("[", "{\"a\":")) {
      assertThat(send("POST", MAPS, "application/json", open.repeat(500_000)).code())
          .isEqualTo(400);
      assertThat(send("POST", MAPS, "application/yaml", open.repeat(500_000)).code())
          .isEqualTo(400);
    }
  }

  @Test
  void numbersOfAnySizeAreText() {
    for (var number : List.of("1e999999999", "9".repeat(500_000), "-0." + "1".repeat(500_000))) {
      var body = "{\"metadata\":{\"name\":\"n\"},\"data\":{\"a\":%s}}".formatted(number);
      assertThat(send("POST", MAPS, "application/json", body).code()).isEqualTo(400);
    }
    for (var quantity : List.of("1e999999999", "9".repeat(100_000), "1e-999999999")) {
      var pod =
          "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"limits\":{\"cpu\":\"%s\"}}}]}}"
              .formatted(quantity);
      send("POST", "/api/v1/namespaces/default/pods?dryRun=All", "application/json", pod);
    }
  }

  @Test
  void compressedBodiesAreNotUnpacked() throws Exception {
    var headers = headers("application/json");
    headers.put("content-encoding", List.of("gzip"));
    var answer = ask(headers, "POST", MAPS, gzip(" ".repeat(50_000_000)));

    assertThat(answer.code()).isBetween(400, 499);
  }

  private static byte[] gzip(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.US_ASCII));
    }
    return bytes.toByteArray();
  }

  @Test
  void patchesWithTooManyOperationsAreRefused() {
    var step = "{\"op\":\"test\",\"path\":\"/kind\",\"value\":\"ConfigMap\"}";
    var patch = "[" + (step + ",").repeat(10_000) + step + "]";

    assertThat(send("PATCH", MAPS + "/m", JSON_PATCH, patch).code()).isEqualTo(413);
  }

  @Test
  void patchesThatCopyCopiesStayWithinBounds() {
    var steps = new ArrayList<String>();
    for (int i = 0; i < 100; i++) {
      steps.add("{\"op\":\"copy\",\"from\":\"/data\",\"path\":\"/data/x%d\"}".formatted(i));
    }
    var answer = send("PATCH", MAPS + "/m", JSON_PATCH, "[" + String.join(",", steps) + "]");

    assertThat(answer.code()).isBetween(400, 499);
  }

  @Test
  void longTextsAreReadInOnePass() {
    for (var text :
        List.of(
            "a".repeat(100_000) + "!",
            "a,".repeat(50_000),
            "a in (" + "b,".repeat(50_000) + ")",
            "(".repeat(100_000),
            "a=" + "\\,".repeat(50_000),
            "!".repeat(100_000))) {
      var selector = URLEncoder.encode(text, StandardCharsets.UTF_8);
      send("GET", MAPS + "?labelSelector=" + selector, "application/json", "");
      send("GET", MAPS + "?fieldSelector=" + selector, "application/json", "");
      var object =
          "{\"metadata\":{\"name\":%1$s,\"labels\":{%1$s:%1$s}},\"data\":{%1$s:\"\"}}"
              .formatted(Json.text(text));
      var answer = send("POST", MAPS, "application/json", object);
      assertThat(answer.code()).isIn(400, 422);
    }
  }

  @Test
  void schedulesAreReadInOnePass() {
    for (var schedule :
        List.of("* ".repeat(50_000), "1-".repeat(50_000), "1,".repeat(50_000) + "x * * * *")) {
      var job =
          "{\"metadata\":{\"name\":\"c\"},\"spec\":{\"schedule\":%s,\"jobTemplate\":{\"spec\":{\"template\":{\"spec\":{\"restartPolicy\":\"Never\",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}}}"
              .formatted(Json.text(schedule));
      var answer =
          send("POST", "/apis/batch/v1/namespaces/default/cronjobs", "application/json", job);
      assertThat(answer.code()).isEqualTo(422);
    }
  }

  private Answer send(String method, String path, String type, String body) {
    return ask(headers(type), method, path, body.getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, List<String>> headers(String type) {
    var headers = new HashMap<String, List<String>>();
    headers.put("authorization", List.of("Bearer admin"));
    headers.put("content-type", List.of(type));
    return headers;
  }

  private Answer ask(Map<String, List<String>> headers, String method, String path, byte[] body) {
    var threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();
    var answer = server.ask(headers, method, path, body);
    assertThat(threads.getCurrentThreadCpuTime() - before)
        .as("CPU time of %s %.60s", method, path)
        .isLessThan(MOST_CPU_NANOS);
    assertThat(answer.code()).isNotEqualTo(500);
    return answer;
  }
}
