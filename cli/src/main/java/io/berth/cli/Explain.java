package io.berth.cli;

import io.berth.answers.explain.ClusterPicture;
import io.berth.answers.explain.ExplanationText;
import io.berth.answers.explain.Explanations;
import io.berth.answers.explain.Outlook;
import io.berth.answers.explain.PodExplanation;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.Tree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/// `berth explain pod [NAME]`: why a pod waits or is where it is, and what helps; and
/// [ExplainWorkload].
public final class Explain implements Command {

  private final Sources sources;
  private final ExplainWorkload workloads;
  private final Duration pause;

  public Explain(Sources sources, ExplainWorkload workloads) {
    this(sources, workloads, Duration.ofSeconds(2));
  }

  /// `pause` is how long `--watch` waits before it looks again.
  Explain(Sources sources, ExplainWorkload workloads, Duration pause) {
    this.sources = sources;
    this.workloads = workloads;
    this.pause = pause;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("explain");
    spec.addSubcommand("pod", pod());
    spec.addSubcommand("workload", ExplainWorkload.spec());
    spec.usageMessage()
        .description("Say why a pod or a workload waits, or is where it is, and what would help.")
        .footer(
            "",
            "Examples:",
            "  berth explain pod web-7 -n shop",
            "  berth explain pod -f web.yaml",
            "  berth explain workload 7d0cb81e-55f3-4d1b-8d3c-2f0f0a1e9f52");
    return spec;
  }

  private static CommandSpec pod() {
    var spec = CommandSpec.create().name("pod");
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0")
            .arity("0..1")
            .paramLabel("NAME")
            .type(String.class)
            .description(
                "The pod; none: every pod of the files that has no node, a template counting as"
                    + " one pod.")
            .build());
    Sources.addOptions(spec);
    spec.addOption(Options.text("--node", "NODE", "Only what is in the way on this node."));
    spec.addOption(Options.flag("--scores", "Show how the nodes that take the pod were scored."));
    spec.addOption(
        Options.flag("--watch", "Look again until it has a node, and print what changes."));
    spec.usageMessage()
        .description(
            "Say why a pod waits, or is where it is, and what would help: each change was tried on"
                + " the engine that schedules.",
            "Exit code 0 if it fits or has a node, 1 if not, 2 if the input cannot be read.")
        .footer(
            "",
            "Examples:",
            "  berth explain pod web-7 -n shop",
            "  kubectl get nodes,pods -A -o yaml | berth explain pod web-7 -n shop -f -",
            "  berth explain pod -f deployment.yaml --kubeconfig ~/.kube/config",
            "  berth explain pod web-7 -n shop -o json");
    return spec;
  }

  @Override
  public List<String> formats() {
    return List.of("table", "json", "yaml", "markdown");
  }

  @Override
  public int run(ParseResult line, Terminal terminal) throws InterruptedException {
    if (line.commandSpec().name().equals("workload")) {
      return workloads.run(line, terminal);
    }
    var survey = sources.survey(line);
    var answers = answers(line, survey);
    print(answers, survey, terminal);
    if (line.hasMatchedOption("--watch")) {
      answers = watch(line, answers, terminal);
    }
    return answers.stream().allMatch(PodExplanation::isGood) ? 0 : 1;
  }

  /// Looks again until every pod has a node, and prints what has changed.
  private List<PodExplanation> watch(
      ParseResult line, List<PodExplanation> first, Terminal terminal) throws InterruptedException {
    var last = first;
    while (last.stream().anyMatch(each -> each.verdict() != Outlook.BOUND)) {
      Thread.sleep(pause);
      var survey = sources.survey(line);
      var next = answers(line, survey);
      if (!shown(next).equals(shown(last))) {
        print(next, survey, terminal);
      }
      last = next;
    }
    return last;
  }

  // A new revision alone is no news.
  private static List<Tree> shown(List<PodExplanation> answers) {
    return answers.stream().map(each -> each.toTree().put("revision", "")).toList();
  }

  private static List<PodExplanation> answers(ParseResult line, Survey survey) {
    var explanations = new Explanations(survey);
    boolean scores = line.hasMatchedOption("--scores");
    boolean elsewhere = line.hasMatchedOption("--node");
    var wish = new Explanations.Wish(true, scores, elsewhere);
    var answers = new ArrayList<PodExplanation>();
    for (var pod : asked(line, survey)) {
      answers.add(explanations.explain(pod, wish).on(line.matchedOptionValue("--node", "")));
    }
    return answers;
  }

  private static List<SurveyedPod> asked(ParseResult line, Survey survey) {
    var name = line.matchedPositionalValue(0, "");
    var namespace = Sources.namespace(line);
    if (!name.isEmpty()) {
      return List.of(
          survey.findPod(namespace, name).orElseThrow(() -> unknown(survey, namespace, name)));
    }
    var waiting = survey.waiting().stream().filter(pod -> Sources.isOfFile(pod.source())).toList();
    if (waiting.isEmpty()) {
      throw UserError.usage(
          line.hasMatchedOption("--filename")
              ? "the files hold no pod without a node"
              : "name a pod, or give files with -f");
    }
    return waiting;
  }

  private static UserError unknown(Survey survey, String namespace, String name) {
    var elsewhere =
        survey.pods().stream()
            .filter(pod -> pod.pod().name().equals(name))
            .map(pod -> pod.pod().namespace())
            .toList();
    return UserError.usage(
        elsewhere.isEmpty()
            ? "there is no pod %s/%s; %d pods were read"
                .formatted(namespace, name, survey.pods().size())
            : "there is no pod %s/%s; one of that name is in namespace %s: use -n %s"
                .formatted(namespace, name, elsewhere.getFirst(), elsewhere.getFirst()));
  }

  private static void print(List<PodExplanation> answers, Survey survey, Terminal terminal) {
    var documents = answers.stream().map(PodExplanation::toTree).toList();
    var document =
        answers.size() == 1
            ? documents.getFirst()
            : Tree.of("apiVersion", PodExplanation.API_VERSION, "kind", "ExplanationList")
                .put("items", documents);
    if (terminal.document(document)) {
      return;
    }
    for (var answer : answers) {
      var text = new ExplanationText(answer);
      if (terminal.format() == Terminal.Format.MARKDOWN) {
        terminal.out().print(text.markdown());
      } else {
        print(answer, text, survey, terminal);
      }
    }
  }

  private static void print(
      PodExplanation answer, ExplanationText text, Survey survey, Terminal terminal) {
    var headline = text.headline();
    terminal.line(answer.isGood() ? terminal.good(headline) : terminal.bad(headline));
    for (var line : ClusterPicture.of(answer, survey)) {
      var drawn = new StringBuilder();
      line.forEach(part -> drawn.append(terminal.tinted(part.text(), part.colour())));
      terminal.line(drawn.toString());
    }
    text.lines().forEach(terminal::line);
  }
}
