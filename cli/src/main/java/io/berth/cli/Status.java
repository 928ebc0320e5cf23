package io.berth.cli;

import io.berth.api.Tree;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth status [-o json]`: what runs in a data folder. Exit code 1 when nothing does.
public final class Status implements Command {

  private final LocalCluster clusters;

  public Status(LocalCluster clusters) {
    this.clusters = clusters;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("status");
    Options.addFolder(spec);
    spec.usageMessage()
        .description("Print what runs in a data folder.")
        .footer("", "Examples:", "  berth status", "  berth status -o json");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    var folder = RunningCluster.folder(line, clusters);
    var facts = clusters.find(folder);
    if (facts == null) {
      if (!terminal.document(Tree.of("running", false, "folder", folder.toString()))) {
        terminal.line("Nothing runs in %s.".formatted(folder));
      }
      return 1;
    }
    if (!terminal.document(Tree.of("running", true).put("cluster", facts))) {
      terminal.line(
          "%s on %s (process %d, since %s)."
              .formatted(
                  terminal.good("Running"),
                  facts.textOrEmpty("server"),
                  facts.number(0, "pid"),
                  facts.textOrEmpty("started")));
      terminal.line("Data: %s".formatted(facts.textOrEmpty("data")));
      terminal.line("Runs: %s".formatted(facts.textOrEmpty("components")));
      terminal.line(
          terminal.strong("  export KUBECONFIG=%s".formatted(facts.textOrEmpty("kubeconfig"))));
    }
    return 0;
  }
}
