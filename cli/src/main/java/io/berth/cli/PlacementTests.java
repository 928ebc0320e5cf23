package io.berth.cli;

import io.berth.answers.source.Survey;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.placement.document.PlacementTest;
import io.berth.placement.document.TestDocumentException;
import io.berth.placement.document.TestOutline;
import io.berth.placement.document.TestReader;
import io.berth.placement.run.FirstTest;
import io.berth.placement.run.JunitReport;
import io.berth.placement.run.TestResult;
import io.berth.placement.run.TestRuns;
import io.berth.placement.run.TestSarif;
import io.berth.placement.run.TestSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/// `berth test FILES|DIR`: what shall hold of where pods run, tried in virtual time.
public final class PlacementTests implements Command {

  private final Sources clusters;
  private final TestSources sources;
  private final Map<String, String> environment;

  /// `clusters` are for the first test of one.
  public PlacementTests(Sources clusters, TestSources sources, Map<String, String> environment) {
    this.clusters = clusters;
    this.sources = sources;
    this.environment = Map.copyOf(environment);
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("test");
    spec.addPositional(
        PositionalParamSpec.builder()
            .paramLabel("FILE|DIR")
            .type(List.class)
            .auxiliaryTypes(Path.class)
            .arity("0..*")
            .description("Files with placement tests, and folders to look for them.")
            .build());
    spec.addOption(Options.flag("--watch", "Run again whenever a file changes."));
    spec.addOption(Options.text("--junit", "FILE", "Write the results as JUnit XML, too."));
    spec.addOption(Options.text("--sarif", "FILE", "Write the failures as SARIF, too."));
    spec.addOption(
        OptionSpec.builder("--threads")
            .paramLabel("N")
            .type(Integer.class)
            .description("How many tests run side by side (default: one per processor).")
            .build());
    spec.addOption(
        Options.text("--init", "FILE", "Write a first test of the cluster, and its objects."));
    Sources.addOptions(spec);
    spec.addOption(
        Options.flag("--schema", "Print the JSON schema of placement tests, for editors."));
    spec.usageMessage()
        .description(
            "Run placement tests: each on a cluster of its own, in virtual time, with the engine"
                + " that schedules.",
            "Exit code 0 if all hold, 1 if a check does not, 2 if a document cannot be read as a"
                + " test, or there is none.")
        .footer(
            "",
            "Examples:",
            "  berth test tests/",
            "  berth test web.yaml --watch",
            "  berth test --init first.yaml --kubeconfig ~/.kube/config",
            "  berth test . --junit results.xml --sarif results.sarif");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) throws Exception {
    if (line.hasMatchedOption("--schema")) {
      terminal.line(Json.pretty(TestOutline.schema()));
      return 0;
    }
    var first = Options.path(line.matchedOptionValue("--init", ""));
    if (first != null) {
      return begin(first, clusters.survey(line), terminal);
    }
    List<Path> paths = line.matchedPositionalValue(0, List.of());
    if (paths.isEmpty()) {
      throw UserError.usage("name the files or folders with placement tests");
    }
    if (line.hasMatchedOption("--watch")) {
      new FileChanges(paths).eachTime(() -> onceOrSay(line, paths, terminal));
    }
    return once(line, paths, terminal);
  }

  private static int begin(Path file, Survey survey, Terminal terminal) {
    var name = String.valueOf(file.getFileName()).replaceFirst("\\.[a-z]+$", "");
    var objects = name + "-cluster.yaml";
    write(file.resolveSibling(objects), FirstTest.objects(survey));
    write(file, FirstTest.document(survey, name.toLowerCase(Locale.ROOT), objects));
    terminal.note("Wrote %s and %s; try: berth test %s".formatted(file, objects, file));
    return 0;
  }

  private int onceOrSay(ParseResult line, List<Path> paths, Terminal terminal)
      throws InterruptedException {
    try {
      return once(line, paths, terminal);
    } catch (UserError e) {
      terminal.err().println("berth: " + e.getMessage());
      return e.exitCode();
    }
  }

  private int once(ParseResult line, List<Path> paths, Terminal terminal)
      throws InterruptedException {
    var results = TestRuns.run(read(paths), sources, threads(line));
    write(line, "--junit", JunitReport.of(results));
    write(line, "--sarif", Json.pretty(TestSarif.of(results)) + "\n");
    print(results, terminal);
    return results.stream().allMatch(TestResult::passed) ? 0 : 1;
  }

  private List<PlacementTest> read(List<Path> paths) {
    var tests = new ArrayList<PlacementTest>();
    try {
      TestReader.files(paths).forEach(file -> tests.addAll(TestReader.read(file)));
    } catch (TestDocumentException e) {
      var shown = isOnGithub() ? "\n" + annotation(e.file(), e.line(), e.problem()) : "";
      throw UserError.usage(e.getMessage() + shown);
    }
    if (tests.isEmpty()) {
      throw UserError.usage(
          "there is no placement test; one begins with apiVersion: %s and kind: %s"
              .formatted(TestOutline.API_VERSION, TestOutline.KIND));
    }
    return tests;
  }

  private static int threads(ParseResult line) {
    int threads = line.matchedOptionValue("--threads", Runtime.getRuntime().availableProcessors());
    if (threads < 1) {
      throw UserError.usage("--threads: at least one thread is needed");
    }
    return threads;
  }

  private static void write(ParseResult line, String option, String content) {
    var file = Options.path(line.matchedOptionValue(option, ""));
    if (file != null) {
      write(file, content);
    }
  }

  private static void write(Path file, String content) {
    try {
      Files.writeString(file, content);
    } catch (IOException e) {
      throw new UserError("%s: cannot be written: %s".formatted(file, e.getMessage()));
    }
  }

  private void print(List<TestResult> results, Terminal terminal) {
    long failed = results.stream().filter(result -> !result.passed()).count();
    var document =
        Tree.of("apiVersion", TestOutline.API_VERSION, "kind", "PlacementTestReport")
            .put("tests", results.size())
            .put("failed", failed)
            .put("results", results.stream().map(TestResult::toTree).toList());
    if (terminal.document(document)) {
      return;
    }
    for (var result : results) {
      print(result, terminal);
    }
    terminal.line(
        "%d test%s, %d failed".formatted(results.size(), results.size() == 1 ? "" : "s", failed));
  }

  private void print(TestResult result, Terminal terminal) {
    terminal.line(
        "%s %s (%s:%d)"
            .formatted(
                result.passed() ? terminal.good("PASS") : terminal.bad("FAIL"),
                result.name(),
                result.file(),
                result.line()));
    for (var failure : result.failures()) {
      var lines = failure.lines();
      terminal.line("  %s:%d: %s".formatted(result.file(), failure.line(), lines.getFirst()));
      lines.stream().skip(1).forEach(line -> terminal.line("  " + line));
      if (isOnGithub()) {
        terminal.line(
            annotation(
                Path.of(result.file()),
                failure.line(),
                result.name() + ": " + String.join("\n", lines)));
      }
    }
  }

  private boolean isOnGithub() {
    return environment.getOrDefault("GITHUB_ACTIONS", "").equals("true");
  }

  /// A line that GitHub shows beside the code.
  private static String annotation(Path file, int line, String message) {
    return "::error file=%s,line=%d,title=berth test::%s"
        .formatted(
            property(file.toString().replace('\\', '/')),
            line,
            message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"));
  }

  private static String property(String text) {
    return text.replace("%", "%25")
        .replace("\r", "%0D")
        .replace("\n", "%0A")
        .replace(":", "%3A")
        .replace(",", "%2C");
  }
}
