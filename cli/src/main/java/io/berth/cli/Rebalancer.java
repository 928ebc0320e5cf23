package io.berth.cli;

import io.berth.answers.plan.Rebalance;
import io.berth.answers.plan.Rebalancing;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth rebalance`: moves that restore spread and preferences.
public final class Rebalancer implements Command {

  private static final int USUAL = 10;

  private final Sources sources;

  public Rebalancer(Sources sources) {
    this.sources = sources;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("rebalance");
    spec.addOption(Options.text("--max-moves", "N", "At most so many moves (default: 10)."));
    Sources.addOptions(spec);
    spec.usageMessage()
        .description(
            "Say which pods to evict, one after the other, so that spread and preferences are"
                + " restored where the scheduler puts them: within disruption budgets, no required"
                + " rule broken on the way, no skew ever larger. Nothing is changed.",
            "Exit code 0, also if there is nothing to gain; 2 if the input cannot be read.")
        .footer(
            "",
            "Examples:",
            "  berth rebalance",
            "  berth rebalance --max-moves 3 --kubeconfig ~/.kube/config",
            "  kubectl get nodes,pods,deployments,replicasets,pdb -A -o yaml"
                + " | berth rebalance -f - -o json");
    return spec;
  }

  @Override
  public List<String> formats() {
    return List.of("table", "json", "yaml", "markdown");
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    int most = most(line.matchedOptionValue("--max-moves", Integer.toString(USUAL)));
    var survey = sources.survey(line);
    print(new Rebalancing(survey, survey.engine()).find(most), terminal);
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
