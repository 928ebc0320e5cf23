package io.berth.placement.run;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Failures as code hosts show them beside the lines: SARIF 2.1.0.
public final class TestSarif {

  private TestSarif() {}

  public static Tree of(List<TestResult> results) {
    var findings = new ArrayList<Tree>();
    for (var test : results) {
      test.failures().forEach(failure -> findings.add(finding(test, failure)));
    }
    var run =
        Tree.of("tool", Tree.of("driver", Tree.of("name", "berth test")))
            .put("columnKind", "utf16CodeUnits")
            .put("results", findings);
    return Tree.of("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        .put("version", "2.1.0")
        .put("runs", List.of(run));
  }

  private static Tree finding(TestResult test, TestFailure failure) {
    var place =
        Tree.of("artifactLocation", Tree.of("uri", test.file().replace('\\', '/')))
            .put("region", Tree.of("startLine", failure.line()));
    var text = test.name() + ": " + String.join("\n", failure.lines());
    return Tree.of("ruleId", failure.what().replaceFirst(".*\\.", ""), "level", "error")
        .put("message", Tree.of("text", text))
        .put("locations", List.of(Tree.of("physicalLocation", place)));
  }
}
