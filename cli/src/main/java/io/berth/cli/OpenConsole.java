package io.berth.cli;

import io.berth.api.Tree;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth console [--kubeconfig FILE] [--open] [--read-only]`: the console of a cluster, signed in.
public final class OpenConsole implements Command {

  private final LocalCluster clusters;
  private final Consoles consoles;

  public OpenConsole(LocalCluster clusters, Consoles consoles) {
    this.clusters = clusters;
    this.consoles = consoles;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("console");
    Options.addFolder(spec);
    spec.addOption(
        Options.text(
            "--kubeconfig",
            "FILE",
            "Serve a console over this cluster, on loopback, as its user."));
    spec.addOption(Options.flag("--open", "Show it in the browser."));
    spec.addOption(Options.flag("--read-only", "Serve one that changes nothing, on loopback."));
    spec.usageMessage()
        .description(
            "Print the address of a console, with a code in it that signs in as who the kubeconfig"
                + " says: once, within a minute. A cluster of 'berth up' has a console of its own;"
                + " for others one is served on loopback until it is stopped.")
        .footer(
            "",
            "Examples:",
            "  berth console --open",
            "  berth console --kubeconfig ~/.kube/config --open");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) throws InterruptedException {
    var kubeconfig = RunningCluster.kubeconfig(line, clusters);
    boolean readOnly = line.hasMatchedOption("--read-only");
    if (!readOnly && !line.hasMatchedOption("--kubeconfig")) {
      announce(consoles.invitation(kubeconfig), line, terminal);
      return 0;
    }
    try (var running = consoles.serve(kubeconfig, readOnly)) {
      announce(running.invitation(), line, terminal);
      running.awaitStop();
    }
    return 0;
  }

  private void announce(String address, ParseResult line, Terminal terminal) {
    if (!terminal.document(Tree.of("address", address))) {
      terminal.line(address);
    }
    terminal.out().flush();
    if (line.hasMatchedOption("--open") && !consoles.show(address)) {
      throw new UserError("no browser was found; open the address by hand");
    }
  }
}
