package io.berth.server;

import static io.berth.server.TestServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many write to one object at once, on disk, and nobody who gave no revision is turned away.
class WriteRacesTest {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir private Path folder;
  private TestServer server;

  @BeforeEach
  void start() {
    var settings = Settings.of(new Codec(Json::write, Json::readLenient));
    server = new TestServer(Store.open(folder, settings).store(), ServerSettings.plain());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void everyPatchGetsItsTurn() throws Exception {
    server.post("admin", MAPS, "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'m'}}");
    var answers = new ArrayList<Future<Tree>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 100; i++) {
        var body = "{\"data\":{\"k%d\":\"v\"}}".formatted(i);
        answers.add(threads.submit(() -> patch(MAPS + "/m", "merge-patch+json", body)));
      }
    }
    for (int i = 0; i < 100; i++) {
      var answer = answers.get(i).get();
      assertThat(answer.text("data", "k" + i)).as(answer.toString()).isEqualTo("v");
    }
    assertThat(json(server.get("admin", MAPS + "/m")).texts("data")).hasSize(100);
  }

  @Test
  void whatIsAppliedComesToBeHoweverOftenItIsDeleted() throws Exception {
    var path = MAPS + "/m";
    var done = new AtomicBoolean();
    var deleter =
        Thread.ofVirtual()
            .start(() -> {
              while (!done.get()) {
                server.ask("admin", "DELETE", path, "");
              }
            });
    try {
      for (int i = 0; i < 200; i++) {
        var body =
            "kind: ConfigMap\napiVersion: v1\nmetadata: {name: m}\ndata: {i: '%d'}".formatted(i);
        var answer = patch(path + "?fieldManager=me", "apply-patch+yaml", body);
        assertThat(answer.text("data", "i")).as(answer.toString()).isEqualTo(String.valueOf(i));
      }
    } finally {
      done.set(true);
      deleter.join();
    }
  }

  @Test
  void whatIsAppliedByManyAtOnceIsMadeByOne() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 20; i++) {
        var path = MAPS + "/m%d?fieldManager=f".formatted(i);
        var answers = new ArrayList<Future<Tree>>();
        for (int n = 0; n < 8; n++) {
          int manager = n;
          var own =
              "kind: ConfigMap\napiVersion: v1\nmetadata: {name: m%d}\ndata: {k%d: v}"
                  .formatted(i, n);
          answers.add(threads.submit(() -> patch(path + manager, "apply-patch+yaml", own)));
        }
        for (int n = 0; n < 8; n++) {
          var answer = answers.get(n).get();
          assertThat(answer.text("data", "k" + n)).as(answer.toString()).isEqualTo("v");
        }
      }
    }
  }

  private Tree patch(String path, String type, String body) {
    var headers =
        Map.of(
            "authorization", List.of("Bearer admin"),
            "content-type", List.of("application/" + type));
    return json(server.ask(headers, "PATCH", path, body.getBytes(StandardCharsets.UTF_8)));
  }
}
