package io.berth.server.replay;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/// A recorded sequence of requests and answers.
record Scenario(String id, List<String> requires, List<Tree> steps) {

  static List<Scenario> read(String theme) {
    var scenarios = new ArrayList<Scenario>();
    try (var in = Scenario.class.getResourceAsStream(theme + ".jsonl.gz");
        var lines =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var tree = Json.read(line);
        var requires = new ArrayList<String>();
        tree.list("requires").forEach(each -> requires.add(String.valueOf(each)));
        scenarios.add(new Scenario(tree.textOrEmpty("id"), requires, tree.trees("steps")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return scenarios;
  }

  boolean needsNamespace() {
    return steps.toString().contains("/namespaces/{ns}");
  }
}
