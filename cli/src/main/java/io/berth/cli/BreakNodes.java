package io.berth.cli;

import io.berth.api.Tree;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/// `berth node fail|recover|slow NAME...` and `berth zone fail|recover NAME`: failures on demand.
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
                ? "Let all simulated nodes of a zone fail, and recover."
                : "Let simulated nodes fail, recover, or be slow.")
        .footer("", "Examples:", "  " + example("fail"), "  " + example("recover"));
    return spec;
  }

  private CommandSpec fail() {
    var spec = action("fail");
    spec.addOption(
        OptionSpec.builder("--power-loss")
            .description(
                "Switch off: containers are gone and start anew later. Without it the network is"
                    + " cut, and pods run on unheard.")
            .build());
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
        OptionSpec.builder("--by")
            .paramLabel("DURATION")
            .type(String.class)
            .description("How much later pods start, such as 500ms or 1m30s (default: 10s).")
            .build());
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
                PositionalParamSpec.builder()
                    .paramLabel("NAME")
                    .arity(zones ? "1" : "1..*")
                    .type(List.class)
                    .auxiliaryTypes(String.class)
                    .description(zones ? "The zone." : "The nodes.")
                    .build());
    RunningCluster.addOptions(spec);
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    var change = change(line);
    List<String> names = line.matchedPositionalValue(0, List.of());
    try (var connection = connections.open(RunningCluster.kubeconfig(line, clusters))) {
      var breakage = new Breakage(connection.cluster());
      var nodes = zones ? breakage.inZone(names.getFirst()) : breakage.named(names);
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
    return zones ? "all nodes of a zone" : "nodes";
  }

  private String example(String verb) {
    return zones ? "berth zone " + verb + " zone-b" : "berth node " + verb + " node-2 node-5";
  }

  /// What a node is to be; both absent: well.
  private record Change(@Nullable String failure, @Nullable String slow) {}
}
