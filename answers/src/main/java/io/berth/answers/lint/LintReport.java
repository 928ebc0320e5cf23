package io.berth.answers.lint;

import io.berth.api.Tree;
import java.util.List;

/// What was found, by file and line.
public record LintReport(List<Finding> findings) {

  public LintReport {
    findings = List.copyOf(findings);
  }

  public boolean hasErrors() {
    return count(Severity.ERROR) > 0;
  }

  public long count(Severity severity) {
    return findings.stream().filter(each -> each.severity() == severity).count();
  }

  public Tree toTree() {
    return Tree.of("apiVersion", "berth.io/v1alpha1", "kind", "LintReport")
        .put("findings", findings.stream().map(Finding::toTree).toList());
  }

  /// In the Static Analysis Results Interchange Format, version 2.1.0, for code hosts.
  public Tree toSarif() {
    return Sarif.of(this);
  }
}
