package io.berth.cli;

import io.berth.answers.lint.Finding;
import io.berth.answers.lint.Lint;
import io.berth.answers.lint.LintReport;
import io.berth.answers.lint.Severity;
import io.berth.codec.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth lint -f FILE`: placement rules that cannot do what they say.
public final class Linting implements Command {

  private final Sources sources;

  public Linting(Sources sources) {
    this.sources = sources;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("lint");
    Sources.addOptions(spec);
    spec.addOption(Options.text("--sarif", "FILE", "Write the findings as SARIF, too."));
    spec.usageMessage()
        .description(
            "Find placement rules that match never, contradict each other, select nothing, lack"
                + " topology labels or wait for each other.",
            "An error is proven on the engine that schedules; what depends on nodes is found only"
                + " where nodes are known.",
            "Exit code 0 if there is no error, 1 if there is, 2 if the input cannot be read.")
        .footer(
            "",
            "Examples:",
            "  berth lint -f deployment.yaml",
            "  helm template ./chart | berth lint -f - --fleet nodes.yaml",
            "  berth lint -f manifests/ --kubeconfig ~/.kube/config --sarif lint.sarif");
    return spec;
  }

  @Override
  public List<String> formats() {
    return List.of("table", "json", "yaml", "markdown");
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    if (!line.hasMatchedOption("--filename")) {
      throw UserError.usage("name the files to look through with -f");
    }
    var survey = sources.survey(line);
    var report = new Lint(sources::textOf).check(survey);
    var sarif = Options.path(line.matchedOptionValue("--sarif", ""));
    if (sarif != null) {
      write(report, sarif);
    }
    print(report, terminal);
    return report.hasErrors() ? 1 : 0;
  }

  private static void write(LintReport report, Path file) {
    try {
      Files.writeString(file, Json.pretty(report.toSarif()) + "\n");
    } catch (IOException e) {
      throw new UserError("%s: cannot be written: %s".formatted(file, e.getMessage()));
    }
  }

  private static void print(LintReport report, Terminal terminal) {
    if (terminal.document(report.toTree())) {
      return;
    }
    if (terminal.format() == Terminal.Format.MARKDOWN) {
      markdown(report, terminal);
      return;
    }
    for (var finding : report.findings()) {
      var severity = finding.severity().toString();
      terminal.line(
          "%s:%d: %s: %s [%s]"
              .formatted(
                  finding.file(),
                  finding.line(),
                  finding.severity() == Severity.ERROR ? terminal.bad(severity) : severity,
                  finding.message(),
                  finding.rule()));
      terminal.line("  fix: " + finding.fix());
    }
    terminal.line(summary(report));
  }

  private static String summary(LintReport report) {
    long errors = report.count(Severity.ERROR);
    long warnings = report.count(Severity.WARNING);
    return "%d error%s, %d warning%s"
        .formatted(errors, errors == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s");
  }

  private static void markdown(LintReport report, Terminal terminal) {
    terminal.line("## " + summary(report));
    if (!report.findings().isEmpty()) {
      terminal.markdown(
          List.of("Where", "Severity", "Rule", "What", "Fix"),
          report.findings().stream().map(Linting::row).toList());
    }
  }

  private static List<String> row(Finding finding) {
    return List.of(
        finding.file() + ":" + finding.line(),
        finding.severity().toString(),
        finding.rule(),
        finding.message(),
        finding.fix());
  }
}
