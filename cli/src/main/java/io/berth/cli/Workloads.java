package io.berth.cli;

import static io.berth.cli.Options.path;
import static io.berth.cli.Options.text;

import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth workloads`: serves the workload API for a real cluster, and runs what is submitted there.
public final class Workloads implements Command {

  private static final int DEFAULT_PORT = 8443;

  private final ClusterWorkloads workloads;
  private final Map<String, String> environment;

  public Workloads(ClusterWorkloads workloads, Map<String, String> environment) {
    this.workloads = workloads;
    this.environment = Map.copyOf(environment);
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("workloads");
    spec.addOption(
        text(
            "--kubeconfig",
            "FILE",
            "The cluster (default: $KUBECONFIG, or the service account of this pod)."));
    spec.addOption(text("--context", "NAME", "The context (default: the current one)."));
    spec.addOption(
        text("--data", "DIR", "Where credentials are kept (default: ~/.berth/workloads)."));
    spec.addOption(text("--address", "ADDRESS", "Where to listen (default: 127.0.0.1)."));
    spec.addOption(
        text("--port", "PORT", "The port (default: 8443, or any free one when that is taken)."));
    spec.usageMessage()
        .description(
            "Serve the workload API for a real cluster.",
            "Installs its custom resources there; one instance for a cluster.")
        .footer(
            "",
            "Examples:",
            "  berth workloads --kubeconfig ~/.kube/config",
            "  berth credentials --data ~/.berth/workloads");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) throws Exception {
    var options = options(line);
    try (var running = workloads.start(options)) {
      terminal.line("Workload API on %s.".formatted(running.url()));
      terminal.line(
          "'berth credentials --data %s' prints how to log in.".formatted(options.folder()));
      running.awaitStop();
      return 0;
    }
  }

  private ClusterWorkloads.Options options(ParseResult line) {
    String kubeconfig = line.matchedOptionValue("--kubeconfig", "");
    var folder = path(line.matchedOptionValue("--data", ""));
    return new ClusterWorkloads.Options(
        path(kubeconfig.isEmpty() ? environment.getOrDefault("KUBECONFIG", "") : kubeconfig),
        line.matchedOptionValue("--context", ""),
        folder == null ? workloads.defaultFolder() : folder,
        line.matchedOptionValue("--address", "127.0.0.1"),
        Port.of("--port", line.matchedOptionValue("--port", ""), DEFAULT_PORT));
  }
}
