package io.berth.answers.lint;

import io.berth.answers.source.Survey;
import io.berth.codec.FieldLines;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Looks through the placement rules of files for those that cannot do what they say.
public final class Lint {

  private static final Comparator<Finding> BY_PLACE =
      Comparator.comparing(Finding::file)
          .thenComparingInt(Finding::line)
          .thenComparing(Finding::rule)
          .thenComparing(Finding::message);

  private final UnaryOperator<String> texts;
  private final Map<String, FieldLines> lines = new HashMap<>();

  /// `texts` gives the text of a file by its name, for the lines of what is found.
  public Lint(UnaryOperator<String> texts) {
    this.texts = texts;
  }

  public LintReport check(Survey survey) {
    var input = new LintInput(survey);
    var findings = new ArrayList<Finding>();
    for (var pod : input.linted()) {
      for (var rule : LintRules.ALL) {
        rule.check(pod, input).forEach(complaint -> findings.add(finding(rule, complaint)));
      }
    }
    findings.sort(BY_PLACE);
    return new LintReport(findings.stream().distinct().toList());
  }

  private Finding finding(LintRule rule, Complaint complaint) {
    var pod = complaint.pod();
    var origin = pod.manifest().origin();
    var path = origin.within() + pod.path() + complaint.field();
    return new Finding(
        rule.id(),
        complaint.severity(),
        origin.file(),
        lines
            .computeIfAbsent(origin.file(), file -> FieldLines.of(texts.apply(file)))
            .lineOf(origin.line(), path),
        pod.title() + ": " + complaint.message(),
        complaint.fix());
  }
}
