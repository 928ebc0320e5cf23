package io.berth.cluster.kubernetes;

import static io.berth.cluster.kubernetes.ScriptedServer.HANG_UP;
import static io.berth.cluster.kubernetes.ScriptedServer.chunks;
import static io.berth.cluster.kubernetes.ScriptedServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.Selection;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What servers, proxies and networks do to requests, and what becomes of them.
class HttpTest {

  private static final String POD = "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"}}";
  private static final String GET = "GET /api/v1/namespaces/d/pods/p";

  private ScriptedServer server;
  private KubernetesCluster cluster;

  @BeforeEach
  void start() throws Exception {
    server = new ScriptedServer();
    cluster = new KubernetesCluster(server.access(Credentials.NONE), "test", Set.of("env"));
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
    server.close();
  }

  private Tree fetch() {
    return cluster.fetch(Resource.PODS, "d", "p");
  }

  @Test
  void aReadOnAConnectionThatDiedIsRepeated() {
    server.then(json(200, POD)).then(HANG_UP).then(json(200, POD));

    fetch();
    assertThat(fetch().textOrEmpty("metadata", "name")).isEqualTo("p");

    assertThat(server.requests()).containsExactly(GET, GET, GET);
  }

  @Test
  void aWriteWithoutAnAnswerIsNotRepeated() {
    server.then(json(200, POD)).then(HANG_UP);
    fetch();

    assertThatThrownBy(() -> cluster.post(Resource.PODS, "d", "p", "binding", new Tree()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("POST http://127.0.0.1");

    assertThat(server.requests()).hasSize(2);
  }

  @Test
  void whoMustNotWaitLongHasConnectionsAndALimitOfItsOwn() {
    server.then(json(200, POD));
    fetch();

    try (var impatient = cluster.apart(Duration.ofMillis(100))) {
      // Nobody answers this one.
      assertThatThrownBy(() -> impatient.fetch(Resource.PODS, "d", "p"))
          .isInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void aServerThatIsBusyIsAskedAgainWhenItSays() {
    server
        .then("HTTP/1.1 429 X\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")
        .then(json(200, POD));

    fetch();

    assertThat(server.requests()).hasSize(2);
  }

  @Test
  void aTokenThatExpiredIsReadAgain(@TempDir Path folder) throws Exception {
    var file = Files.writeString(folder.resolve("token"), "old\n");
    try (var other =
        new KubernetesCluster(server.access(Credentials.tokenFile(file)), "test", Set.of())) {
      Files.writeString(file, "new\n");
      server.then(json(401, "{}")).then(json(200, POD));

      other.fetch(Resource.PODS, "d", "p");
    }

    assertThat(server.requests()).containsExactly(GET + " Bearer old", GET + " Bearer new");
  }

  @Test
  void aTokenThatExpiredIsReadAgainForListsAndWatches(@TempDir Path folder) throws Exception {
    var file = Files.writeString(folder.resolve("token"), "old\n");
    try (var other =
        new KubernetesCluster(server.access(Credentials.tokenFile(file)), "test", Set.of())) {
      Files.writeString(file, "new\n");
      server.then(json(401, "{}")).then(json(200, "{\"metadata\":{},\"items\":[]}"));
      other.list(Resource.PODS, "", Selection.ALL);

      Files.writeString(file, "newer\n");
      server.then(json(401, "{}")).then(json(503, "{}"));
      var seen = new ClusterContract.Recorder();
      other.watch(Resource.PODS, "", Selection.ALL, "1", seen);
      assertThat(seen.next()).isEqualTo("ENDED");
    }

    var path = "GET /api/v1/pods Bearer ";
    assertThat(server.requests())
        .containsExactly(path + "old", path + "new", path + "new", path + "newer");
  }

  @Test
  void aTokenFileThatIsAwayForAMomentLeavesTheTokenAsItWas(@TempDir Path folder) throws Exception {
    var file = Files.writeString(folder.resolve("token"), "known\n");
    var credentials = Credentials.tokenFile(file);
    Files.delete(file);

    credentials.refused("Bearer known");

    assertThat(credentials.header()).isEqualTo("Bearer known");
  }

  @Test
  void whatAProxySaysIsShown() {
    server.then("HTTP/1.1 502 X\r\nContent-Length: 11\r\n\r\nBad gateway");

    assertThatThrownBy(this::fetch)
        .asInstanceOf(type(ApiException.class))
        .satisfies(e -> {
          assertThat(e.code()).isEqualTo(502);
          assertThat(e).hasMessage("the server answered 502: Bad gateway");
        });
  }

  @Test
  void listsComeInChunksAndWithoutWhatNobodyReads() {
    server.then(
        chunks(
            "{\"metadata\":{\"resourceVersion\":\"7\"},\"it",
            "ems\":[{\"metadata\":{\"name\":\"a\",\"labels\":{\"env\":\"prod\"}},\"env\":[1]},",
            "{\"metadata\":{\"name\":\"b\"}}]}\n",
            ""));

    var page = cluster.list(Resource.PODS, "", Selection.ALL);

    assertThat(page.revision()).isEqualTo("7");
    assertThat(page.items()).hasSize(2);
    var first = page.items().getFirst();
    assertThat(first.has("env")).isFalse();
    assertThat(first.text("metadata", "labels", "env")).isEqualTo("prod");
    assertThat(first.text("kind")).isEqualTo("Pod");
  }

  @Test
  void aWatchIsReadAsItComesAndGoesOnAfterACut() throws Exception {
    server.then(
        chunks(
                "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"1\"}}}\n"
                    + "{\"ty",
                "pe\":\"DELETED\",\"object\":{\"metadata\":{\"name\":\"a\"}}}\n")
            + "CLOSE");
    var seen = new ClusterContract.Recorder();

    cluster.watch(Resource.PODS, "", Selection.ALL, "1", seen);

    assertThat(seen.next()).isEqualTo("ADDED a 1");
    assertThat(seen.next()).isEqualTo("DELETED a ");
    assertThat(seen.next()).isEqualTo("ENDED");
  }

  @Test
  void aRevisionThatIsTooOldNeedsAList() throws Exception {
    server
        .then(
            chunks(
                "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}}\n"))
        .then(json(410, "{\"kind\":\"Status\",\"code\":410}"));
    var within = new ClusterContract.Recorder();
    cluster.watch(Resource.PODS, "", Selection.ALL, "1", within);
    assertThat(within.next()).isEqualTo("EXPIRED");

    var atOnce = new ClusterContract.Recorder();
    cluster.watch(Resource.PODS, "", Selection.ALL, "1", atOnce);
    assertThat(atOnce.next()).isEqualTo("EXPIRED");
  }

  @Test
  void aWatchOfABusyServerGoesOnWhereItWas() throws Exception {
    server.then(json(503, "{}"));
    var seen = new ClusterContract.Recorder();

    cluster.watch(Resource.PODS, "", Selection.ALL, "1", seen);

    assertThat(seen.next()).isEqualTo("ENDED");
  }
}
