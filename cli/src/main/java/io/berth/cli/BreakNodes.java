package io.berth.cli;

import io.berth.api.Tree;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth node fail|recover|slow NODE...` and `berth zone fail|recover ZONE...`: failures on
/// demand.
public final class BreakNodes implements Command {

  private static final String DEFAULT_DELAY = "10s";

  private final LocalCluster clusters;
  private final Connections connections;
  private final boolean zones;

  private BreakNodes(LocalCluster clusters, Connections connections, boolean zones) {
    this.clusters = clusters;
    this.connections = connections;
    this.zones = zones;
  }

  public static BreakNodes node(LocalCluster clusters, Connections connections) {
    return new BreakNodes(clusters, connections, false);
  }

  public static BreakNodes zone(LocalCluster clusters, Connections connections) {
    return new BreakNodes(clusters, connections, true);
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name(zones ? "zone" : "node");
    spec.addSubcommand("fail", fail());
    spec.addSubcommand("recover", recover());
    if (!zones) {
      spec.addSubcommand("slow", slow());
    }
    spec.usageMessage()
        .description(
            zones
                ? "Let all simulated nodes of zones fail, and recover."
                : "Let simulated nodes fail, recover, or be slow.")
        .footer("", "Examples:", "  " + example("fail"), "  " + example("recover"));
    return spec;
  }

  private CommandSpec fail() {
    var spec = action("fail");
    spec.addOption(
        Options.flag(
            "--power-loss",
            "Switch off: containers are gone and start anew later. Without it the network is cut,"
                + " and pods run on unheard."));
    spec.usageMessage()
        .description("Let %s fail.".formatted(what()))
        .footer("", "Examples:", "  " + example("fail"), "  " + example("fail") + " --power-loss");
    return spec;
  }

  private CommandSpec recover() {
    var spec = action("recover");
    spec.usageMessage()
        .description("Let %s be well again.".formatted(what()))
        .footer("", "Examples:", "  " + example("recover"));
    return spec;
  }

  private CommandSpec slow() {
    var spec = action("slow");
    spec.addOption(
        Options.text(
            "--by",
            "DURATION",
            "How much later pods start, such as 500ms or 1m30s (default: 10s)."));
    spec.usageMessage()
        .description("Let pods on nodes start later.")
        .footer("", "Examples:", "  berth node slow node-2 --by 30s");
    return spec;
  }

  private CommandSpec action(String name) {
    var spec =
        CommandSpec.create()
            .name(name)
            .addPositional(
                zones
                    ? Options.operands("ZONE", String.class, "The zones.")
                    : Options.operands("NODE", String.class, "The nodes."));
    RunningCluster.addOptions(spec);
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    var change = change(line);
    List<String> names = line.matchedPositionalValue(0, List.of());
    try (var connection = connections.open(RunningCluster.kubeconfig(line, clusters))) {
      var breakage = new Breakage(connection.cluster());
      var nodes = zones ? breakage.inZones(names) : breakage.named(names);
      print(breakage.set(nodes, change.failure(), change.slow()), terminal);
    } catch (UncheckedIOException e) {
      throw new UserError("the cluster does not answer: " + e.getMessage());
    }
    if (change.failure() != null) {
      terminal.note(
          "Without heartbeats a node is NotReady after 50 seconds; its pods leave when they no"
              + " longer tolerate that, five minutes later unless they say otherwise.");
    }
    return 0;
  }

  private static Change change(ParseResult line) {
    return switch (line.commandSpec().name()) {
      case "fail" ->
          new Change(line.hasMatchedOption("--power-loss") ? "power-loss" : "partition", null);
      case "recover" -> new Change(null, null);
      default -> new Change(null, duration(line.matchedOptionValue("--by", DEFAULT_DELAY)));
    };
  }

  private static String duration(String text) {
    if (!text.matches("(\\d+(\\.\\d+)?(ms|s|m|h))+")) {
      throw UserError.usage("'%s' is no duration; use one like 500ms, 10s, 1m30s".formatted(text));
    }
    return text;
  }

  private static void print(List<Tree> nodes, Terminal terminal) {
    var rows = new ArrayList<List<String>>();
    var documents = new ArrayList<Tree>();
    for (var node : nodes) {
      var row = List.of(Breakage.name(node), Breakage.zone(node), Breakage.state(node));
      rows.add(row);
      documents.add(Tree.of("name", row.get(0), "zone", row.get(1), "state", row.get(2)));
    }
    if (!terminal.document(Tree.of("nodes", documents))) {
      terminal.table(List.of("NODE", "ZONE", "STATE"), rows);
    }
  }

  private String what() {
    return zones ? "all nodes of zones" : "nodes";
  }

  private String example(String verb) {
    return zones ? "berth zone " + verb + " zone-b" : "berth node " + verb + " node-2 node-5";
  }

  /// What a node is to be; both absent: well.
  private record Change(@Nullable String failure, @Nullable String slow) {}
}
