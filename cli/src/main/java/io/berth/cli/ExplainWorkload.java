package io.berth.cli;

import io.berth.api.Tree;
import io.berth.cli.WorkloadAnswers.Login;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth explain workload ID`: how far a workload has come on its way from policy to placement,
/// and what would help.
public final class ExplainWorkload {

  private final LocalCluster clusters;
  private final WorkloadAnswers answers;
  private final Map<String, String> environment;

  public ExplainWorkload(
      LocalCluster clusters, WorkloadAnswers answers, Map<String, String> environment) {
    this.clusters = clusters;
    this.answers = answers;
    this.environment = Map.copyOf(environment);
  }

  static CommandSpec spec() {
    var spec = CommandSpec.create().name("workload");
    spec.addPositional(Options.operand("ID", "The workload, by the id that the API gave it."));
    Options.addFolder(spec);
    spec.usageMessage()
        .description(
            "Say why a workload waits, or is where it is: policy, quota, queue and placement, in"
                + " this order. Only what the caller may see is named.",
            "The caller is that of $BERTH_URL, $BERTH_CLIENT_ID, $BERTH_CLIENT_SECRET and"
                + " $BERTH_CA, else the administrator of what runs here.",
            "Exit code 0 if it has passed them all, 1 if not.")
        .footer(
            "",
            "Examples:",
            "  berth explain workload 7d0cb81e-55f3-4d1b-8d3c-2f0f0a1e9f52",
            "  berth explain workload 7d0cb81e-55f3-4d1b-8d3c-2f0f0a1e9f52 -o json");
    return spec;
  }

  int run(ParseResult line, Terminal terminal) {
    var id = URLEncoder.encode(line.matchedPositionalValue(0, ""), StandardCharsets.UTF_8);
    var answer = answers.get(login(line), "/api/v1/workloads/" + id + "/explain");
    boolean passed = answer.trees("stages").stream().allMatch(stage -> stage.flag("passed"));
    if (!terminal.document(answer)) {
      print(answer, passed, terminal);
    }
    return passed ? 0 : 1;
  }

  private Login login(ParseResult line) {
    var url = environment.getOrDefault("BERTH_URL", "");
    boolean named = line.hasMatchedOption("--data") || line.hasMatchedOption("--in-memory");
    if (!url.isEmpty() && !named) {
      return new Login(
          url, variable("CLIENT_ID"), variable("CLIENT_SECRET"), Path.of(variable("CA")));
    }
    var own = Credentials.of(RunningCluster.folder(line, clusters), clusters);
    return new Login(
        own.textOrEmpty("url"),
        own.textOrEmpty("clientId"),
        own.textOrEmpty("clientSecret"),
        Path.of(own.textOrEmpty("caFile")));
  }

  private String variable(String name) {
    var value = environment.getOrDefault("BERTH_" + name, "");
    if (value.isEmpty()) {
      throw UserError.usage(
          "$BERTH_URL is set, and $BERTH_%s is not; 'berth credentials' prints them all"
              .formatted(name));
    }
    return value;
  }

  private static void print(Tree answer, boolean passed, Terminal terminal) {
    var summary = answer.textOrEmpty("summary");
    terminal.line(passed ? terminal.good(summary) : terminal.bad(summary));
    var stages = new ArrayList<List<String>>();
    for (var stage : answer.trees("stages")) {
      var state = stage.flag("passed") ? "passed" : "waits";
      stages.add(List.of(stage.textOrEmpty("stage"), state, stage.textOrEmpty("reason")));
    }
    rows(List.of("STAGE", "STATE", "WHY"), stages, terminal);
    for (var role : answer.trees("roles")) {
      print(role, terminal);
    }
    var advice = answer.list("suggestions");
    if (!advice.isEmpty()) {
      terminal.line("What would let it start, each one tried:");
      advice.forEach(each -> terminal.line("  " + each));
    }
  }

  private static void print(Tree role, Terminal terminal) {
    var placement = role.treeOrEmpty("placement");
    var causes = new ArrayList<List<String>>();
    for (var cause : placement.trees("causes")) {
      causes.add(
          List.of(
              String.valueOf(cause.list("nodes").size()),
              String.valueOf(cause.number(0, "first")),
              cause.textOrEmpty("rule"),
              cause.textOrEmpty("why")));
    }
    if (!causes.isEmpty()) {
      terminal.line("Nodes that do not take its %s:".formatted(role.textOrEmpty("role")));
      rows(List.of("NODES", "FIRST", "RULE", "WHY"), causes, terminal);
    }
    for (var each : placement.trees("suggestions")) {
      terminal.line(
          "  %s: %s → %s"
              .formatted(each.text("target"), each.text("what"), each.textOrEmpty("lands")));
    }
  }

  private static void rows(List<String> header, List<List<String>> rows, Terminal terminal) {
    if (terminal.format() == Terminal.Format.MARKDOWN) {
      terminal.markdown(header, rows);
    } else {
      terminal.table(header, rows);
    }
  }
}
