package io.berth.cli;

import io.berth.api.Tree;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth down`: stops the cluster of a data folder.
public final class Down implements Command {

  private final LocalCluster clusters;

  public Down(LocalCluster clusters) {
    this.clusters = clusters;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("down");
    Options.addFolder(spec);
    spec.usageMessage()
        .description("Stop the cluster of a data folder.")
        .footer("", "Examples:", "  berth down", "  berth down --data ./cluster");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    var folder = RunningCluster.folder(line, clusters);
    if (!clusters.stop(folder)) {
      throw new UserError("nothing runs in %s".formatted(folder));
    }
    if (!terminal.document(Tree.of("stopped", true, "folder", folder.toString()))) {
      terminal.line("Stopped the cluster in %s.".formatted(folder));
    }
    return 0;
  }
}
