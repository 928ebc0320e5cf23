package io.berth.conformance.kai;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// One situation that KAI was put into, and what came of it.
record Recording(Tree tree) {

  static List<Recording> situations() throws IOException {
    return lines("cases.jsonl.gz").stream().map(Recording::new).toList();
  }

  static List<Tree> lines(String name) throws IOException {
    return names(name).stream().map(Json::read).toList();
  }

  static List<String> names(String resource) throws IOException {
    try (var in = Objects.requireNonNull(Recording.class.getResourceAsStream(resource), resource)) {
      var plain = resource.endsWith(".gz") ? new GZIPInputStream(in) : in;
      var reader = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8));
      return reader.lines().toList();
    }
  }

  /// File, test and number: unique.
  String name() {
    return "%s %s %d"
        .formatted(tree.textOrEmpty("File"), tree.textOrEmpty("Test"), tree.number(-1, "Number"));
  }

  /// How a pod ended. `node` is `null` where it does not matter.
  record End(String status, @Nullable String node) {

    boolean runs() {
      return status.equals("Running");
    }
  }

  /// By pod, where the recording says what became of it. What it says of whole scheduling rounds
  /// must hold as it is written; of a single action the cluster at rest is asked, and a node counts
  /// if both name it.
  Map<String, End> ends() {
    boolean wholeRounds = tree.textOrEmpty("File").startsWith("integration_tests");
    var rest = tree.trees("Rest");
    var atRest = rest.isEmpty() ? new Tree() : rest.getFirst().treeOrEmpty("Tasks");
    var ends = new LinkedHashMap<String, End>();
    for (var job : tree.trees("Jobs")) {
      for (var pod : job.trees("Tasks")) {
        var name = pod.textOrEmpty("Id");
        var expected = expected(job.textOrEmpty("Name"), name);
        var end = atRest.treeOrEmpty(name);
        if (wholeRounds && expected != null) {
          ends.put(name, new End(expected.textOrEmpty("Status"), expected.text("Node")));
        } else if (!end.names().isEmpty()) {
          var pinned = expected == null ? null : expected.text("Node");
          boolean both = pinned != null && pinned.equals(end.text("Node"));
          ends.put(name, new End(end.textOrEmpty("Status"), both ? pinned : null));
        }
      }
    }
    return ends;
  }

  private @Nullable Tree expected(String job, String pod) {
    var own = tree.treeOrEmpty("TaskExpected").tree(pod);
    return own == null ? tree.treeOrEmpty("JobExpected").tree(job) : own;
  }

  /// The pods that had to leave their place at any time.
  List<String> evicted() {
    var evicted = new ArrayList<String>();
    for (var rest : tree.trees("Rest")) {
      rest.list("Left").forEach(pod -> evicted.add(String.valueOf(pod)));
    }
    return evicted;
  }
}
