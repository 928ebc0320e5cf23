package io.berth.app;

import io.berth.cli.BreakNodes;
import io.berth.cli.CapacityOf;
import io.berth.cli.Cli;
import io.berth.cli.Command;
import io.berth.cli.Completion;
import io.berth.cli.Credentials;
import io.berth.cli.Doctor;
import io.berth.cli.Down;
import io.berth.cli.Explain;
import io.berth.cli.ExplainWorkload;
import io.berth.cli.Help;
import io.berth.cli.Linting;
import io.berth.cli.OpenConsole;
import io.berth.cli.PlacementTests;
import io.berth.cli.Planning;
import io.berth.cli.Rebalancer;
import io.berth.cli.Replay;
import io.berth.cli.Scheduler;
import io.berth.cli.Snapshot;
import io.berth.cli.Sources;
import io.berth.cli.Status;
import io.berth.cli.Up;
import io.berth.cli.Version;
import io.berth.cli.Workloads;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// The entry point of every `berth` command: lists the commands, hands the line to [Cli].
public final class Main {

  private Main() {}

  public static void main(String[] arguments) {
    var line = List.of(arguments);
    Logging.configure(line);
    if (line.indexOf("up") == 0 && !line.contains("--detach")) {
      EmbeddedCluster.prepare(line.contains("--in-memory"));
    }
    int exitCode = cli().run(line, System.out, System.err);
    System.out.flush();
    if (!Interruption.isUnderWay()) {
      System.exit(exitCode);
    }
  }

  /// Every command there is, in the order of `berth help`.
  ///
  /// The launcher knows whether a person is watching: asking Java for its console costs more than
  /// the rest of a short command.
  static Cli cli() {
    var commands = new ArrayList<Command>();
    var cli = new Cli[1];
    var clusters = new MachineClusters();
    commands.add(new Up(clusters));
    commands.add(new Down(clusters));
    commands.add(new Status(clusters));
    commands.add(new Credentials(clusters));
    var sources = new Sources(new MachineSurveys(), clusters, System.getenv(), System.in);
    commands.add(new Snapshot(clusters, new MachineSnapshots(), sources));
    commands.add(new Doctor(clusters, new MachineExaminations()));
    var connections = new KubeconfigConnections();
    commands.add(BreakNodes.node(clusters, connections));
    commands.add(BreakNodes.zone(clusters, connections));
    commands.add(new OpenConsole(clusters, new MachineConsoles()));
    commands.add(
        new Explain(
            sources, new ExplainWorkload(clusters, new HttpWorkloadAnswers(), System.getenv())));
    commands.add(new Planning(sources));
    commands.add(new CapacityOf(sources));
    commands.add(new Rebalancer(sources, connections));
    commands.add(new Linting(sources));
    commands.add(new PlacementTests(sources, MachineSurveys.forTests(), System.getenv()));
    commands.add(new Scheduler(new RealClusterScheduler(InstantSource.system()), System.getenv()));
    commands.add(new Workloads(new RealClusterWorkloads(), System.getenv()));
    commands.add(new Help(() -> cli[0].commandLine()));
    commands.add(new Completion(() -> cli[0].commandLine()));
    commands.add(new Version());
    commands.add(new Replay());
    commands.add(new Modernize());
    commands.add(new Rehearsal(clusters));
    commands.add(new StandIn());
    cli[0] = new Cli(commands, System.getenv(), Boolean.getBoolean("berth.interactive"));
    return cli[0];
  }
}
