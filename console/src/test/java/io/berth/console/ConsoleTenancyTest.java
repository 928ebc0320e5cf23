package io.berth.console;

import static io.berth.console.ConsoleOnServer.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.http.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Random roles, and every endpoint: a caller finds the names of exactly those objects that a few
/// lines of plain code say they may list, and no trace of the others.
///
/// `-Dtenancy.rounds=N` sets how many sets of roles, `-Dtenancy.seed=S` which.
class ConsoleTenancyTest {

  private static final int ROUNDS = Integer.getInteger("tenancy.rounds", 8);
  private static final long SEED = Long.getLong("tenancy.seed", 5);
  private static final List<String> NAMESPACES = List.of("one", "two", "three");
  private static final List<String> NODES = List.of("node-x", "node-y");

  private final Random random = new Random(SEED);
  private final List<String> wrong = new ArrayList<>();
  private int asked;

  /// What `alice` may list; `""` is everywhere.
  private record Roles(Map<String, List<String>> pods, boolean nodes) {

    boolean lists(String namespace) {
      return pods.getOrDefault("", List.of()).contains("list")
          || pods.getOrDefault(namespace, List.of()).contains("list");
    }

    boolean gets(String namespace) {
      return pods.getOrDefault("", List.of()).contains("get")
          || pods.getOrDefault(namespace, List.of()).contains("get");
    }
  }

  @Test
  void everybodySeesWhatTheyMayListAndNothingElse() {
    for (int round = 0; round < ROUNDS; round++) {
      try (var console = new ConsoleOnServer()) {
        fill(console);
        var roles = roles(console);
        check(console, roles);
      }
    }
    assertThat(asked).isGreaterThan(ROUNDS * 10);
    assertThat(wrong).as("seed %d", SEED).isEmpty();
  }

  private static void fill(ConsoleOnServer console) {
    NODES.forEach(node -> console.node(node, "zone-of-" + node));
    for (var namespace : NAMESPACES) {
      console.namespace(namespace);
      console.pod(namespace, "placed-" + namespace, "node-x");
      console.pod(namespace, "second-" + namespace, "node-y");
      console.pod(namespace, "waits-" + namespace, "");
    }
  }

  private Roles roles(ConsoleOnServer console) {
    var pods = new HashMap<String, List<String>>();
    for (var namespace : List.of("", "one", "two")) {
      var verbs =
          switch (random.nextInt(namespace.isEmpty() ? 8 : 4)) {
            case 0 -> List.of("get", "list");
            case 1 -> List.of("list");
            case 2 -> List.of("get");
            default -> List.<String>of();
          };
      if (!verbs.isEmpty()) {
        pods.put(namespace, verbs);
        console.grant("alice", namespace, verbs, List.of("pods"));
      }
    }
    boolean nodes = random.nextBoolean();
    if (nodes) {
      console.grant("alice", "", List.of("list"), List.of("nodes"));
    }
    return new Roles(pods, nodes);
  }

  private void check(ConsoleOnServer console, Roles roles) {
    for (var path : List.of("map", "pending")) {
      var answer = console.get("alice", path);
      expect(roles, path, answer.code() == 200, answer);
      for (var namespace : NAMESPACES) {
        boolean lists = roles.lists(namespace);
        expect(roles, path, text(answer).contains("waits-" + namespace) == lists, answer);
        boolean placed = text(answer).contains("placed-" + namespace);
        expect(roles, path, placed == (lists && path.equals("map")), answer);
      }
    }
    var map = console.get("alice", "map");
    expect(roles, "zones", text(map).contains("zone-of-") == roles.nodes, map);
    boolean all = roles.nodes && roles.lists("");
    expect(roles, "cut", Json.read(text(map)).flag("cut") == !all, map);
    expect(roles, "count", text(map).contains("podsTaken") == all, map);
    checkTotals(roles, Json.read(text(map)));
    for (var namespace : NAMESPACES) {
      checkPods(console, roles, namespace);
    }
  }

  /// One of the two sums that are told beyond lists: what is taken of a node, by all.
  private void checkTotals(Roles roles, Tree map) {
    var taken = map.list("nodes", "cpuTaken");
    boolean right = roles.nodes ? taken.equals(List.of(1500L, 1500L)) : taken.isEmpty();
    if (!right) {
      wrong.add("%s: taken %s".formatted(roles, taken));
    }
  }

  private void checkPods(ConsoleOnServer console, Roles roles, String namespace) {
    for (var name : List.of("waits-" + namespace, "missing")) {
      for (var kind : List.of("", "/explanation", "/scores")) {
        var path = "pods/%s/%s%s".formatted(namespace, name, kind);
        var answer = console.get("alice", path);
        boolean whole = roles.nodes && roles.lists("");
        boolean may = roles.gets(namespace) && (!kind.equals("/scores") || whole);
        int expected = !may ? 403 : name.equals("missing") ? 404 : 200;
        expect(roles, path, answer.code() == expected, answer);
        for (var other : NAMESPACES) {
          boolean told = text(answer).contains("-" + other);
          expect(roles, path, !told || other.equals(namespace) || roles.lists(other), answer);
        }
        expect(roles, path, !text(answer).contains("node-") || roles.nodes, answer);
      }
    }
  }

  private void expect(Roles roles, String what, boolean holds, Answer answer) {
    asked++;
    if (!holds) {
      wrong.add("%s: %s: %d %s".formatted(roles, what, answer.code(), text(answer)));
    }
  }
}
