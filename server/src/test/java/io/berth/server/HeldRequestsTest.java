package io.berth.server;

import static java.lang.Thread.State.TIMED_WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.request.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One account that has as many requests under way as it can, and others who want to work.
class HeldRequestsTest {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private final TestServer server = new TestServer();
  private final CountDownLatch bodies = new CountDownLatch(1);
  private final AtomicInteger waiting = new AtomicInteger();
  private final List<Thread> held = new ArrayList<>();

  @BeforeEach
  void letAliceWrite() {
    var group = "'apiGroup':'rbac.authorization.k8s.io'";
    create("clusterroles", "'rules':[{'apiGroups':[''],'resources':['*'],'verbs':['*']}]");
    create(
        "clusterrolebindings",
        "'roleRef':{%s,'kind':'ClusterRole','name':'alice'},'subjects':[{%s,'kind':'User','name':'alice'}]"
            .formatted(group, group));
  }

  private void create(String resource, String content) {
    var answer =
        server.post(
            "admin",
            "/apis/rbac.authorization.k8s.io/v1/" + resource,
            "{'metadata':{'name':'alice'},%s}".formatted(content));
    assertThat(answer.code()).isEqualTo(201);
  }

  @AfterEach
  void stop() throws Exception {
    bodies.countDown();
    for (var thread : held) {
      thread.join();
    }
    server.close();
  }

  @Test
  void bodiesThatDoNotComeKeepNobodyFromWriting() {
    for (int i = 0; i < 2 * Limits.WRITES; i++) {
      hold("POST", "");
    }
    while (waiting.get() < Limits.WRITES) {
      Thread.onSpinWait();
    }

    assertThat(server.post("admin", MAPS, "{'metadata':{'name':'m'}}").code()).isEqualTo(201);
  }

  @Test
  void revisionsFromTheFutureKeepNobodyFromReading() {
    for (int i = 0; i < 2 * Limits.READS; i++) {
      hold("GET", "resourceVersion=999999999");
    }
    while (held.stream().filter(each -> each.getState() == TIMED_WAITING).count() < Limits.READS) {
      Thread.onSpinWait();
    }

    assertThat(server.get("admin", MAPS).code()).isEqualTo(200);
  }

  private void hold(String method, String query) {
    held.add(
        Thread.startVirtualThread(() -> {
          Answer _ =
              server
                  .server()
                  .endpoint()
                  .answer(
                      new Call(
                          method,
                          MAPS,
                          Query.parse(query),
                          Map.of("authorization", List.of("Bearer alice")),
                          List.of(),
                          "127.0.0.1",
                          this::arrived));
        }));
  }

  private byte[] arrived() {
    waiting.incrementAndGet();
    try {
      bodies.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new byte[0];
  }
}
