package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Writes after which everything is as before, but for the time of the write.
class UnchangedTest {

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String LONG_AGO = "2020-01-01T00:00:00Z";
  private static final String TOLERATIONS =
      "'tolerations':[{'key':'k','operator':'Exists','effect':'NoExecute'}]";

  private final TestServer server = new TestServer();

  @AfterEach
  void stop() {
    server.close();
  }

  /// The patch leaves out the tolerations that admission adds to every pod, and it adds them again.
  @Test
  void aPatchThatAdmissionUndoesIsNoWrite() {
    var pod = createdLongAgo();
    var patched = patch("{'spec':{%s}}".formatted(TOLERATIONS), "");

    assertThat(patched.text("metadata", "resourceVersion"))
        .isEqualTo(pod.text("metadata", "resourceVersion"));
    assertThat(patched).isEqualTo(pod);
  }

  @Test
  void aDryRunShowsTheTimesThatStay() {
    var pod = createdLongAgo();

    assertThat(patch("{'spec':{%s}}".formatted(TOLERATIONS), "&dryRun=All")).isEqualTo(pod);
  }

  @Test
  void aChangeIsAWriteWithANewTime() {
    var pod = createdLongAgo();
    var patched = patch("{'metadata':{'labels':{'a':'2'}}}", "");

    assertThat(patched.text("metadata", "resourceVersion"))
        .isNotEqualTo(pod.text("metadata", "resourceVersion"));
    assertThat(patched.trees("metadata", "managedFields").getFirst().text("time"))
        .isNotEqualTo(LONG_AGO);
  }

  /// A pod whose creator, `first`, wrote it years ago; somebody else has labelled it since.
  private Tree createdLongAgo() {
    var body =
        """
        {'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','labels':{'a':'1'}},
         'spec':{%s,'containers':[{'name':'c','image':'i:1'}]}}\
        """
            .formatted(TOLERATIONS);
    ok(server.post("admin", PODS + "?fieldManager=first", body));
    var pod = ok(server.get("admin", PODS + "/p"));
    pod.trees("metadata", "managedFields").getFirst().put("time", LONG_AGO);
    pod.child("metadata").child("labels").put("b", "1");
    ok(server.ask("admin", "PUT", PODS + "/p?fieldManager=second", Json.text(pod)));
    var stored = ok(server.get("admin", PODS + "/p"));
    assertThat(stored.trees("metadata", "managedFields").getFirst().text("time"))
        .isEqualTo(LONG_AGO);
    return stored;
  }

  private Tree patch(String body, String more) {
    var headers = new HashMap<String, List<String>>();
    headers.put("authorization", List.of("Bearer admin"));
    headers.put("content-type", List.of("application/merge-patch+json"));
    return ok(
        server.ask(
            headers,
            "PATCH",
            PODS + "/p?fieldManager=first" + more,
            body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  private static Tree ok(io.berth.server.http.Answer answer) {
    assertThat(answer.code()).as(TestServer.text(answer)).isBetween(200, 201);
    return TestServer.json(answer);
  }
}
