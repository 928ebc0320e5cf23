package io.berth.cli;

import io.berth.answers.plan.Rebalance;
import io.berth.answers.plan.Rebalancing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth rebalance`: moves that restore spread and preferences.
public final class Rebalancer implements Command {

  private static final int USUAL = 10;

  private final Sources sources;
  private final Connections connections;

  public Rebalancer(Sources sources, Connections connections) {
    this.sources = sources;
    this.connections = connections;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("rebalance");
    spec.addOption(Options.text("--max-moves", "N", "At most so many moves (default: 10)."));
    spec.addOption(
        Options.flag("--apply", "Make the moves, one after the other, in a running cluster."));
    Sources.addOptions(spec);
    spec.usageMessage()
        .description(
            "Say which pods to evict, one after the other, so that spread and preferences are"
                + " restored where the scheduler puts them: within disruption budgets, no required"
                + " rule broken on the way, no skew ever larger. Without --apply nothing is changed.",
            "Exit code 0, also if there is nothing to gain; 1 if a pod did not land where it was to;"
                + " 2 if the input cannot be read.")
        .footer(
            "",
            "Examples:",
            "  berth rebalance",
            "  berth rebalance --max-moves 3 --kubeconfig ~/.kube/config",
            "  berth rebalance --max-moves 1 --apply",
            "  kubectl get nodes,pods,deployments,replicasets,pdb -A -o yaml"
                + " | berth rebalance -f - -o json");
    return spec;
  }

  @Override
  public List<String> formats() {
    return List.of("table", "json", "yaml", "markdown");
  }

  @Override
  public int run(ParseResult line, Terminal terminal) throws InterruptedException {
    boolean apply = line.hasMatchedOption("--apply");
    var kubeconfig = apply ? sources.runningCluster(line) : null;
    int most = most(line.matchedOptionValue("--max-moves", Integer.toString(USUAL)));
    var survey = sources.survey(line);
    var rebalance = new Rebalancing(survey, survey.engine()).find(most);
    print(rebalance, terminal);
    return kubeconfig == null ? 0 : apply(rebalance, kubeconfig, terminal);
  }

  private int apply(Rebalance rebalance, Path kubeconfig, Terminal terminal)
      throws InterruptedException {
    try (var connection = connections.open(kubeconfig)) {
      var moves = new MovesInCluster(connection.cluster());
      for (var move : rebalance.moves()) {
        var landed = moves.make(move);
        terminal.note("Evicted %s; in its place one is on %s.".formatted(move.pod(), landed));
        if (!landed.equals(move.to())) {
          terminal.note(
              "It was to be %s: the cluster has changed. Ask again.".formatted(move.to()));
          return 1;
        }
      }
    }
    return 0;
  }

  private static int most(String text) {
    try {
      int most = Integer.parseInt(text);
      if (most >= 0) {
        return most;
      }
    } catch (NumberFormatException e) {
      // Falls through to the refusal.
    }
    throw UserError.usage("--max-moves '%s': expected a number, such as 3".formatted(text));
  }

  private static void print(Rebalance rebalance, Terminal terminal) {
    if (terminal.document(rebalance.toTree())) {
      return;
    }
    boolean markdown = terminal.format() == Terminal.Format.MARKDOWN;
    var headline =
        rebalance.moves().isEmpty()
            ? "Nothing to gain: no move makes spread or preferences better."
            : "%d moves; skew %d → %d."
                .formatted(rebalance.moves().size(), rebalance.skewBefore(), rebalance.skewAfter());
    terminal.line(markdown ? "## " + headline : headline);
    var rows = new ArrayList<List<String>>();
    for (var move : rebalance.moves()) {
      rows.add(
          List.of(
              move.pod(),
              move.owner(),
              move.from(),
              move.to(),
              "%d".formatted(-move.evener()),
              "+%d".formatted(move.gain())));
    }
    var header = List.of("EVICT", "OWNER", "FROM", "TO", "SKEW", "PREFERENCE");
    if (rows.isEmpty()) {
      return;
    }
    if (markdown) {
      terminal.markdown(header, rows);
    } else {
      terminal.table(header, rows);
    }
  }
}
