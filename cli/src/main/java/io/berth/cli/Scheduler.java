package io.berth.cli;

import static io.berth.cli.Options.flag;
import static io.berth.cli.Options.path;
import static io.berth.cli.Options.port;
import static io.berth.cli.Options.text;

import io.berth.api.SchedulerConfiguration;
import io.berth.cli.ClusterScheduler.Mode;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth scheduler`: schedules the pods of a real cluster, in place of kube-scheduler or beside
/// it.
public final class Scheduler implements Command {

  private static final String DEFAULT_PORT = "10259";

  private final ClusterScheduler schedulers;
  private final Map<String, String> environment;

  public Scheduler(ClusterScheduler schedulers, Map<String, String> environment) {
    this.schedulers = schedulers;
    this.environment = Map.copyOf(environment);
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("scheduler");
    spec.addOption(
        text(
            "--kubeconfig",
            "FILE",
            "The cluster (default: $KUBECONFIG, or the service account of this pod)."));
    spec.addOption(text("--context", "NAME", "The context (default: the current one)."));
    spec.addOption(text("--config", "FILE", "A KubeSchedulerConfiguration, as kube-scheduler's."));
    spec.addOption(RuleJars.option());
    spec.addOption(
        text("--scheduler-name", "NAME", "Schedule pods with this spec.schedulerName only."));
    spec.addOption(
        flag("--dry-run", "Decide and print, but bind nothing: the cluster is not changed."));
    spec.addOption(
        flag("--shadow", "Compare with what the scheduler at work decides; change nothing."));
    spec.addOption(
        text(
            "--leader-elect",
            "true|false",
            "Whether to work only while holding the lease (default: as configured, true)."));
    spec.addOption(
        text(
            "--bind-address",
            "ADDRESS",
            "Where to serve health and metrics (default: 127.0.0.1)."));
    spec.addOption(
        text("--secure-port", "PORT", "The port for it; 0 serves nothing (default: 10259)."));
    spec.addOption(
        text(
            "--journal",
            "DIR",
            "Record decisions and their inputs there, for berth replay; at most 8 files."));
    spec.usageMessage()
        .description(
            "Schedule the pods of a real cluster.",
            "Exit code 1 when another instance took over the lease.")
        .footer(
            "",
            "Examples:",
            "  berth scheduler --kubeconfig ~/.kube/config --scheduler-name berth",
            "  berth scheduler --kubeconfig ~/.kube/config --dry-run",
            "  berth scheduler --config scheduler.yaml");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) throws Exception {
    try (var running = schedulers.start(options(line))) {
      return running.awaitStop();
    }
  }

  private ClusterScheduler.Options options(ParseResult line) {
    return new ClusterScheduler.Options(
        kubeconfig(line),
        line.matchedOptionValue("--context", ""),
        settings(line),
        mode(line),
        line.matchedOptionValue("--bind-address", "127.0.0.1"),
        port(line.matchedOptionValue("--secure-port", DEFAULT_PORT)),
        path(line.matchedOptionValue("--journal", "")));
  }

  private static SchedulerSettings settings(ParseResult line) {
    String elect = line.matchedOptionValue("--leader-elect", "");
    if (!elect.isEmpty() && !elect.equals("true") && !elect.equals("false")) {
      throw UserError.usage(
          "'%s' is neither true nor false; --leader-elect takes one of them".formatted(elect));
    }
    String name = line.matchedOptionValue("--scheduler-name", "");
    return SchedulerSettings.of(
        path(line.matchedOptionValue("--config", "")),
        configuration -> elected(named(configuration, name), elect),
        RuleJars.of(line));
  }

  private static SchedulerConfiguration named(SchedulerConfiguration configuration, String name) {
    if (name.isEmpty()) {
      return configuration;
    }
    if (configuration.profiles().size() > 1) {
      throw UserError.usage(
          "--scheduler-name cannot choose among %d profiles; set schedulerName in the file"
              .formatted(configuration.profiles().size()));
    }
    return configuration.withSchedulerName(name);
  }

  private static SchedulerConfiguration elected(
      SchedulerConfiguration configuration, String elect) {
    return elect.isEmpty() ? configuration : configuration.withLeaderElection(elect.equals("true"));
  }

  private @Nullable Path kubeconfig(ParseResult line) {
    String given = line.matchedOptionValue("--kubeconfig", "");
    return path(given.isEmpty() ? environment.getOrDefault("KUBECONFIG", "") : given);
  }

  private static Mode mode(ParseResult line) {
    boolean dryRun = line.hasMatchedOption("--dry-run");
    boolean shadow = line.hasMatchedOption("--shadow");
    if (dryRun && shadow) {
      throw UserError.usage("--dry-run and --shadow exclude each other; give one of them");
    }
    return dryRun ? Mode.DRY_RUN : shadow ? Mode.SHADOW : Mode.BIND;
  }
}
