package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `pods/log` over containers that wrote three lines.
class PodLogsTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String POD = "/api/v1/namespaces/default/pods/p";
  private static final List<ContainerLogs.Line> LINES =
      List.of(
          new ContainerLogs.Line(START, "one"),
          new ContainerLogs.Line(START.plusMillis(1500), "two"),
          new ContainerLogs.Line(START.plusSeconds(3), "three"));

  private final TestServer server =
      new TestServer(ServerSettings.plain().withLogs((_, _, _) -> LINES));

  @BeforeEach
  void aPodOnANode() {
    server.post("admin", "/api/v1/namespaces/default/serviceaccounts", named("default"));
    server.post(
        "admin",
        "/api/v1/namespaces/default/pods",
        "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'p'},"
            + "'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void showsWhatAContainerWrote() {
    assertThat(log("")).isEqualTo("one\ntwo\nthree\n");
    assertThat(log("?tailLines=1")).isEqualTo("three\n");
    assertThat(log("?tailLines=0")).isEmpty();
    assertThat(log("?limitBytes=5")).isEqualTo("one\nt");
    assertThat(log("?sinceTime=2026-01-01T00:00:01Z")).isEqualTo("two\nthree\n");
    assertThat(log("?timestamps=true&tailLines=2"))
        .isEqualTo("2026-01-01T00:00:01.500000000Z two\n2026-01-01T00:00:03.000000000Z three\n");
  }

  @Test
  void saysWhatIsNotToBeHad() {
    assertThat(log("?previous=true"))
        .contains("previous terminated container \\\"c\\\" in pod \\\"p\\\" not found");
    status("{'state':{'waiting':{'reason':'ContainerCreating'}},'name':'c'}");
    assertThat(log(""))
        .contains("container \\\"c\\\" in pod \\\"p\\\" is waiting to start: ContainerCreating");
  }

  @Test
  void followsUntilTheContainerEnds() throws Exception {
    status("{'state':{'terminated':{'exitCode':0}},'name':'c'}");

    assertThat(TestServer.frames(server.get("admin", POD + "/log?follow=true&tailLines=2")))
        .containsExactly("two\nthree\n");
  }

  private String log(String options) {
    return TestServer.text(server.get("admin", POD + "/log" + options));
  }

  private void status(String container) {
    var pod = TestServer.json(server.get("admin", POD));
    pod.child("status")
        .put(
            "containerStatuses",
            List.of(
                io.berth.codec.Json.read(container.replace('\'', '"'))
                    .put("image", "i")
                    .put("imageID", "")
                    .put("ready", false)
                    .put("restartCount", 0)));
    assertThat(server.ask("admin", "PUT", POD + "/status", io.berth.codec.Json.text(pod)).code())
        .isEqualTo(200);
  }

  private static String named(String name) {
    return "{'kind':'ServiceAccount','apiVersion':'v1','metadata':{'name':'%s'}}".formatted(name);
  }
}
