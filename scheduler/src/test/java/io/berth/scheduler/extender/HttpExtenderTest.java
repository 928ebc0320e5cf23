package io.berth.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.berth.api.Pod;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.PodReader;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.engine.Preemption.Candidate;
import io.berth.scheduler.Extender.Verb;
import io.berth.scheduler.ExtenderException;
import io.berth.testing.FakeCluster;
import io.berth.testing.Samples;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpExtenderTest {

  private final FakeCluster cluster = new FakeCluster(InstantSource.system());
  private final Map<String, Tree> asked = new ConcurrentHashMap<>();
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private HttpServer server;
  private Pod pod;

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          var verb = exchange.getRequestURI().getPath().substring(1);
          asked.put(verb, Json.read(exchange.getRequestBody().readAllBytes()));
          var answer = answers.getOrDefault(verb, "").getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(answer.length == 0 ? 500 : 200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    cluster.create(Resource.NODES, Samples.aNode("a"));
    cluster.create(Resource.NODES, Samples.aNode("b"));
    pod = PodReader.read(cluster.create(Resource.PODS, Samples.aPod("p")));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Tree asked(String verb) {
    return asked.getOrDefault(verb, new Tree());
  }

  private HttpExtender extender(String fields) {
    var configuration =
        SchedulerConfigurationReader.read(
            Json.read(
                "{\"extenders\":[{\"urlPrefix\":\"http://127.0.0.1:%d/\",\"httpTimeout\":\"10m\",%s}]}"
                    .formatted(server.getAddress().getPort(), fields)));
    return new HttpExtender(configuration.extenders().getFirst(), cluster);
  }

  @Test
  void sendsNodesAndKeepsWhatComesBack() {
    answers.put(
        "filter",
        "{\"Nodes\":{\"items\":[{\"metadata\":{\"name\":\"a\"}}]},\"FailedNodes\":{\"b\":\"no"
            + " licence\"}}");

    var filtered = extender("\"filterVerb\":\"filter\"").filter(pod, List.of("a", "b"));

    assertThat(filtered.nodes()).containsExactly("a");
    assertThat(filtered.failed()).containsEntry("b", "no licence");
    var sent = asked("filter");
    assertThat(sent.textOrEmpty("Pod", "metadata", "uid")).isEqualTo(pod.uid());
    assertThat(sent.trees("Nodes", "items")).hasSize(2);
  }

  @Test
  void sendsNamesToOneThatKeepsNodes() {
    answers.put("filter", "{\"NodeNames\":[\"b\"]}");

    var filtered =
        extender("\"filterVerb\":\"filter\",\"nodeCacheCapable\":true")
            .filter(pod, List.of("a", "b"));

    assertThat(filtered.nodes()).containsExactly("b");
    assertThat(asked("filter").list("NodeNames")).containsExactly("a", "b");
    assertThat(asked("filter").get("Nodes")).isNull();
  }

  @Test
  void aNodeThatWasNotAskedAboutIsAnError() {
    answers.put("filter", "{\"NodeNames\":[\"z\"]}");
    var extender = extender("\"filterVerb\":\"filter\",\"nodeCacheCapable\":true");

    assertThatThrownBy(() -> extender.filter(pod, List.of("a")))
        .isInstanceOf(ExtenderException.class)
        .hasMessageContaining(
            "claims a filtered node \"z\" which is not found in the input node list");
  }

  @Test
  void scoresByHost() {
    answers.put("score", "[{\"Host\":\"a\",\"Score\":7},{\"Host\":\"b\",\"Score\":3}]");
    var extender = extender("\"prioritizeVerb\":\"score\",\"weight\":2,\"nodeCacheCapable\":true");

    assertThat(extender.prioritize(pod, List.of("a", "b")))
        .containsExactlyInAnyOrderEntriesOf(Map.of("a", 7L, "b", 3L));
    assertThat(extender.weight()).isEqualTo(2);
  }

  @Test
  void bindsByName() {
    answers.put("bind", "{\"Error\":\"\"}");
    var extender = extender("\"bindVerb\":\"bind\"");

    extender.bind(pod, "a");

    assertThat(asked("bind"))
        .isEqualTo(
            Tree.of(
                "PodName", "p", "PodNamespace", pod.namespace(), "PodUID", pod.uid(), "Node", "a"));
    answers.put("bind", "{\"Error\":\"busy\"}");
    assertThatThrownBy(() -> extender.bind(pod, "a"))
        .isInstanceOf(ExtenderException.class)
        .hasMessage("busy");
  }

  @Test
  void preemptsByUidWhatItKnowsAlready() {
    var victim = PodReader.read(cluster.create(Resource.PODS, Samples.aPod("low")));
    answers.put(
        "preempt",
        "{\"NodeNameToMetaVictims\":{\"a\":{\"Pods\":[{\"UID\":\"%s\"}],\"NumPDBViolations\":1}}}"
            .formatted(victim.uid()));
    var candidates = Map.of("a", candidate(victim), "b", candidate(victim));

    var left =
        extender("\"preemptVerb\":\"preempt\",\"nodeCacheCapable\":true").preempt(pod, candidates);

    assertThat(left).containsExactlyEntriesOf(Map.of("a", new Candidate(List.of(victim.key()), 1)));
    var sent = asked("preempt");
    assertThat(sent.textOrEmpty("Pod", "metadata", "uid")).isEqualTo(pod.uid());
    assertThat(sent.tree("NodeNameToMetaVictims", "b"))
        .isEqualTo(Tree.of("Pods", List.of(Tree.of("UID", victim.uid())), "NumPDBViolations", 0L));
  }

  @Test
  void preemptsWithWholePodsWhatItDoesNotKnow() {
    var victim = PodReader.read(cluster.create(Resource.PODS, Samples.aPod("low")));
    answers.put("preempt", "{\"NodeNameToMetaVictims\":{}}");

    var left = extender("\"preemptVerb\":\"preempt\"").preempt(pod, Map.of("a", candidate(victim)));

    assertThat(left).isEmpty();
    var sent = asked("preempt").trees("NodeNameToVictims", "a", "Pods");
    assertThat(sent).hasSize(1);
    assertThat(sent.getFirst().textOrEmpty("metadata", "name")).isEqualTo("low");
    assertThat(asked("preempt").get("NodeNameToMetaVictims")).isNull();
  }

  @Test
  void aVictimThatIsNotOnTheNodeIsAnError() {
    answers.put("preempt", "{\"NodeNameToMetaVictims\":{\"a\":{\"Pods\":[{\"UID\":\"x\"}]}}}");
    var extender = extender("\"preemptVerb\":\"preempt\",\"nodeCacheCapable\":true");

    assertThatThrownBy(() -> extender.preempt(pod, Map.of("a", candidate(pod))))
        .isInstanceOf(ExtenderException.class)
        .hasMessageEndingWith(
            "claims to preempt pod (UID: x) on node: a, but the pod is not found on that node");
  }

  private static Candidate candidate(Pod victim) {
    return new Candidate(List.of(victim.key()), 0);
  }

  @Test
  void aFailureNamesVerbUrlAndCode() {
    var extender = extender("\"filterVerb\":\"filter\",\"nodeCacheCapable\":true");

    assertThatThrownBy(() -> extender.filter(pod, List.of("a")))
        .isInstanceOf(ExtenderException.class)
        .hasMessage(
            "failed filter with extender at URL http://127.0.0.1:%d/filter, code 500"
                .formatted(server.getAddress().getPort()));
  }

  @Test
  void isAskedOnlyAboutWhatItManages() {
    var extender = extender("\"managedResources\":[{\"name\":\"example.com/fpga\"}]");

    assertThat(extender.isInterestedIn(pod)).isFalse();
    assertThat(extender("\"filterVerb\":\"f\"").isInterestedIn(pod)).isTrue();
    assertThat(extender.has(Verb.FILTER)).isFalse();
  }
}
