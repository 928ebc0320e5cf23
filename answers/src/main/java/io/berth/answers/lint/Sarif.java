package io.berth.answers.lint;

import io.berth.api.Tree;
import java.util.List;

/// A report as code hosts show it beside the lines: SARIF 2.1.0.
final class Sarif {

  private Sarif() {}

  static Tree of(LintReport report) {
    var driver =
        Tree.of("name", "berth lint")
            .put("rules", LintRules.ALL.stream().map(Sarif::rule).toList());
    var run =
        Tree.of("tool", Tree.of("driver", driver))
            .put("columnKind", "utf16CodeUnits")
            .put("results", report.findings().stream().map(Sarif::result).toList());
    return Tree.of("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        .put("version", "2.1.0")
        .put("runs", List.of(run));
  }

  private static Tree rule(LintRule rule) {
    return Tree.of("id", rule.id(), "shortDescription", Tree.of("text", rule.summary()));
  }

  private static Tree result(Finding finding) {
    var place =
        Tree.of("artifactLocation", Tree.of("uri", finding.file().replace('\\', '/')))
            .put("region", Tree.of("startLine", finding.line()));
    return Tree.of("ruleId", finding.rule(), "level", finding.severity().toString())
        .put("message", Tree.of("text", finding.message() + ". Fix: " + finding.fix()))
        .put("locations", List.of(Tree.of("physicalLocation", place)));
  }
}
