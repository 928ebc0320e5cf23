package io.berth.cli;

import io.berth.answers.explain.ExplanationText;
import io.berth.answers.plan.Capacity;
import io.berth.answers.plan.CapacityCount;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/// `berth capacity -f POD`: how many more of a pod fit.
public final class CapacityOf implements Command {

  private static final int MOST_ROWS = 20;

  private final Sources sources;

  public CapacityOf(Sources sources) {
    this.sources = sources;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("capacity");
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0")
            .arity("0..1")
            .paramLabel("NAME")
            .type(String.class)
            .description("Which pod, or owner of a template, where the files hold several.")
            .build());
    Sources.addOptions(spec);
    spec.usageMessage()
        .description(
            "Say how many more of a pod fit, by domain, and what stops the next: it is placed on"
                + " the engine that schedules until it is refused.",
            "Exit code 0 if one more fits, 1 if none does, 2 if the input cannot be read.")
        .footer(
            "",
            "Examples:",
            "  berth capacity -f pod.yaml",
            "  berth capacity -f deployment.yaml --fleet nodes.yaml -o json",
            "  berth capacity web -n shop -f manifests/ --kubeconfig ~/.kube/config");
    return spec;
  }

  @Override
  public List<String> formats() {
    return List.of("table", "json", "yaml", "markdown");
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    var survey = sources.survey(line);
    var capacity = CapacityCount.of(survey, asked(line, survey));
    print(capacity, terminal);
    return capacity.count() > 0 ? 0 : 1;
  }

  private static SurveyedPod asked(ParseResult line, Survey survey) {
    var name = line.matchedPositionalValue(0, "");
    var namespace = Sources.namespace(line);
    if (!name.isEmpty()) {
      return survey
          .findPod(namespace, name)
          .filter(SurveyedPod::isWaiting)
          .orElseThrow(() ->
              UserError.usage(
                  "there is no pod %s/%s that waits for a node".formatted(namespace, name)));
    }
    var waiting = survey.waiting().stream().filter(pod -> Sources.isOfFile(pod.source())).toList();
    if (waiting.size() != 1) {
      throw UserError.usage(
          waiting.isEmpty()
              ? "the files hold no pod without a node; give one with -f"
              : "the files hold %d pods without a node; name one of %s"
                  .formatted(
                      waiting.size(),
                      String.join(
                          ", ", waiting.stream().limit(5).map(pod -> pod.pod().name()).toList())));
    }
    return waiting.getFirst();
  }

  private static void print(Capacity capacity, Terminal terminal) {
    if (terminal.document(capacity.toTree())) {
      return;
    }
    boolean markdown = terminal.format() == Terminal.Format.MARKDOWN;
    var headline = "%d more of %s fit.".formatted(capacity.count(), capacity.pod());
    terminal.line(
        markdown
            ? "## " + headline
            : capacity.count() > 0 ? terminal.good(headline) : terminal.bad(headline));
    new TreeMap<>(capacity.by())
        .forEach((key, counts) -> {
          var rows = rows(counts);
          if (!rows.isEmpty()) {
            var header = List.of(key, "PODS");
            if (markdown) {
              terminal.markdown(header, rows);
            } else {
              terminal.table(header, rows);
            }
          }
        });
    if (capacity.next() != null) {
      var text = new ExplanationText(capacity.next());
      if (markdown) {
        terminal.out().print(text.markdown());
      } else {
        terminal.line("The next: " + text.headline());
        if (!capacity.next().causes().isEmpty()) {
          terminal.table(List.of("NODES", "FIRST", "RULE", "WHY"), text.rows());
        }
      }
    }
  }

  private static List<List<String>> rows(java.util.Map<String, Long> counts) {
    var rows = new ArrayList<List<String>>();
    new TreeMap<>(counts).forEach((domain, count) -> rows.add(List.of(domain, "" + count)));
    return rows.size() <= MOST_ROWS ? rows : List.of();
  }
}
