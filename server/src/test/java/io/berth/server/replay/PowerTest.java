package io.berth.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.TestServer;
import io.berth.server.http.Answer;
import io.berth.server.registry.RoleAggregation;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The table of power: who may do what, as kube-apiserver answered.
///
/// `power.txt.gz` has a row for every request of [PowerRequests], with a letter for each of the
/// identities of `power-setup.json`: `+` let in, `-` refused with 403. `power-known.txt` lists rows
/// that differ, each with its reason. `conformance/api/README.md` says how to record it;
/// `-Dpower.requests=FILE` writes what is to be asked.
class PowerTest {

  private static final PowerSetup SETUP = PowerSetup.read();
  private static final List<Tree> IDENTITIES = SETUP.identities();
  private static final String ADMIN = "admin";

  private final TestServer server = new TestServer();

  @BeforeEach
  void setUp() {
    new RoleAggregation(server.server().registry(), InstantSource.system()).start();
    SETUP.steps().forEach(this::create);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void everyRouteHasARow() throws Exception {
    var requests = PowerRequests.of(server);
    var file = System.getProperty("power.requests");
    if (file != null) {
      var lines = new ArrayList<>(List.of(SETUP.line()));
      lines.addAll(requests);
      Files.write(Path.of(file), lines);
      return;
    }
    assertThat(table().keySet()).as("recorded rows").containsAll(requests);
  }

  @Test
  void everyoneMayWhatKubernetesLetsThem() throws Exception {
    var wrong = new ArrayList<String>();
    var known = known();
    int cells = 0;
    for (var row : table().entrySet()) {
      var got = new StringBuilder();
      for (var identity : IDENTITIES) {
        got.append(isLetIn(row.getKey(), identity) ? '+' : '-');
      }
      cells += IDENTITIES.size();
      boolean same = got.toString().equals(row.getValue());
      if (same == known.contains(row.getKey())) {
        wrong.add(same ? row.getKey() + " does not differ" : difference(row, got.toString()));
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(cells).isGreaterThan(20_000);
  }

  private static String difference(Map.Entry<String, String> row, String got) {
    var letIn = new ArrayList<String>();
    var refused = new ArrayList<String>();
    for (int i = 0; i < got.length(); i++) {
      if (got.charAt(i) != row.getValue().charAt(i)) {
        (got.charAt(i) == '+' ? letIn : refused).add(IDENTITIES.get(i).textOrEmpty("name"));
      }
    }
    return "%s: lets in %s, refuses %s".formatted(row.getKey(), letIn, refused);
  }

  private boolean isLetIn(String request, Tree identity) {
    return request.contains(" ? ")
        ? isAllowed(request, identity)
        : ask(request, identity).code() != 403;
  }

  /// A body that is none: whoever is let in gets no further.
  private Answer ask(String request, Tree identity) {
    var headers = new HashMap<String, List<String>>();
    headers.put("authorization", List.of("Bearer " + ADMIN));
    headers.put("impersonate-user", List.of(identity.textOrEmpty("user")));
    var groups = texts(identity, "groups");
    if (!groups.isEmpty()) {
      headers.put("impersonate-group", groups);
    }
    int space = request.indexOf(' ');
    var method = request.substring(0, space);
    headers.put(
        "content-type",
        List.of(method.equals("PATCH") ? "application/merge-patch+json" : "application/json"));
    boolean body = Set.of("POST", "PUT", "PATCH", "DELETE").contains(method);
    return server.ask(
        headers,
        method,
        request.substring(space + 1),
        body ? "!".getBytes(StandardCharsets.UTF_8) : new byte[0]);
  }

  private boolean isAllowed(String question, Tree identity) {
    var words = question.split(" ", -1);
    var resource = words[2].split("/", -1);
    var attributes =
        Tree.of(
            "verb", words[0],
            "group", resource[0],
            "resource", resource[1],
            "subresource", resource[2],
            "namespace", words[3],
            "name", words[4]);
    var spec =
        Tree.of(
            "user",
            identity.textOrEmpty("user"),
            "groups",
            reviewed(identity),
            "resourceAttributes",
            attributes);
    var answer =
        server.post(
            ADMIN,
            "/apis/authorization.k8s.io/v1/subjectaccessreviews",
            Json.text(Tree.of("spec", spec)));
    return TestServer.json(answer).treeOrEmpty("status").flag("allowed");
  }

  /// A review adds no groups by itself.
  private static List<String> reviewed(Tree identity) {
    var groups = new ArrayList<>(texts(identity, "groups"));
    if (!groups.contains("system:unauthenticated")) {
      groups.add("system:authenticated");
    }
    return groups;
  }

  private static List<String> texts(Tree tree, String field) {
    return tree.list(field).stream().map(String::valueOf).toList();
  }

  private void create(Tree step) {
    var answer = server.post(ADMIN, step.textOrEmpty("path"), Json.text(step.get("body")));
    assertThat(answer.code()).as(TestServer.text(answer)).isEqualTo(201);
  }

  private static Map<String, String> table() throws Exception {
    var table = new LinkedHashMap<String, String>();
    try (var in = PowerTest.class.getResourceAsStream("power.txt.gz");
        var lines =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        int space = line.indexOf(' ');
        table.put(line.substring(space + 1), line.substring(0, space));
      }
    }
    return table;
  }

  private static Set<String> known() throws Exception {
    try (var in = PowerTest.class.getResourceAsStream("power-known.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .collect(Collectors.toSet());
    }
  }
}
