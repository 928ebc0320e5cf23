package io.berth.cli;

import io.berth.answers.source.Aliases;
import io.berth.answers.source.Essence;
import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth snapshot save|restore FILE`: a whole cluster in one file.
public final class Snapshot implements Command {

  private final LocalCluster clusters;
  private final Snapshots snapshots;
  private final Sources sources;

  public Snapshot(LocalCluster clusters, Snapshots snapshots, Sources sources) {
    this.sources = sources;
    this.clusters = clusters;
    this.snapshots = snapshots;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("snapshot");
    spec.addSubcommand("save", save());
    spec.addSubcommand("restore", restore());
    spec.addSubcommand("placement", placement());
    spec.usageMessage()
        .description("Save a whole cluster in one file, and make a cluster of such a file.")
        .footer(
            "",
            "Examples:",
            "  berth snapshot save before-upgrade.berth",
            "  berth snapshot restore before-upgrade.berth --data ./copy",
            "  berth up --data ./copy");
    return spec;
  }

  private static CommandSpec save() {
    var spec = withFile("save", "The file to write; it must not exist yet.");
    RunningCluster.addOptions(spec);
    spec.usageMessage()
        .description(
            "Write all objects into a file, secrets included, while the cluster goes on or while"
                + " it is stopped.")
        .footer(
            "",
            "Examples:",
            "  berth snapshot save cluster.berth",
            "  berth snapshot save cluster.berth --data ./cluster");
    return spec;
  }

  private static CommandSpec restore() {
    var spec = withFile("restore", "The file that 'berth snapshot save' wrote.");
    spec.addOption(Options.text("--data", "DIR", "The folder to make (default: ~/.berth/data)."));
    spec.usageMessage()
        .description(
            "Make a new data folder of a file. Keys and certificates are made anew at the next"
                + " start.")
        .footer("", "Examples:", "  berth snapshot restore cluster.berth --data ./copy");
    return spec;
  }

  private static CommandSpec placement() {
    var spec = withFile("placement", "The file to write; it must not exist yet.");
    spec.addOption(
        Options.flag("--anonymise", "Give everything that somebody named another name."));
    Sources.addOptions(spec);
    spec.usageMessage()
        .description(
            "Write what placement reads of a cluster into a JSON file that -f takes: no secrets, no"
                + " environment, no commands.")
        .footer(
            "",
            "Examples:",
            "  berth snapshot placement cluster.json --kubeconfig ~/.kube/config",
            "  berth snapshot placement cluster.json --anonymise",
            "  berth explain pod web-7 -n shop -f cluster.json");
    return spec;
  }

  private static CommandSpec withFile(String name, String description) {
    return CommandSpec.create().name(name).addPositional(Options.operand("FILE", description));
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    String operand = line.matchedPositionalValue(0, "");
    var file = Path.of(operand).toAbsolutePath().normalize();
    switch (line.commandSpec().name()) {
      case "save" -> save(line, file, terminal);
      case "placement" -> placement(line, file, terminal);
      default -> restore(line, file, terminal);
    }
    return 0;
  }

  private void placement(ParseResult line, Path file, Terminal terminal) {
    var survey = sources.survey(line);
    var items = survey.manifests().stream().map(each -> Essence.of(each.tree())).toList();
    if (line.hasMatchedOption("--anonymise")) {
      items = items.stream().map(new Aliases(items)::of).toList();
    }
    var list = Tree.of("apiVersion", "v1", "kind", "List", "items", items);
    try {
      Files.write(file, Json.write(list), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException e) {
      throw new UserError("%s exists already; choose another name".formatted(file));
    } catch (IOException e) {
      throw new UserError("%s cannot be written: %s".formatted(file, e.getMessage()));
    }
    survey.unread().forEach(each -> terminal.note("Not read: " + each));
    var facts = Tree.of("file", file.toString(), "objects", items.size());
    if (!terminal.document(facts)) {
      terminal.line("Wrote %d objects into %s.".formatted(items.size(), file));
    }
  }

  private void save(ParseResult line, Path file, Terminal terminal) {
    if (Files.exists(file)) {
      throw new UserError("%s exists already; choose another name".formatted(file));
    }
    var folder = Up.folder(line, clusters);
    boolean stopped =
        line.hasMatchedOption("--data")
            && !line.hasMatchedOption("--kubeconfig")
            && clusters.find(folder) == null;
    var saved =
        stopped
            ? snapshots.saveStopped(folder, file)
            : snapshots.save(RunningCluster.kubeconfig(line, clusters), file);
    var facts =
        Tree.of("file", file.toString(), "objects", saved.objects(), "revision", saved.revision());
    if (!terminal.document(facts)) {
      terminal.line(
          "Saved %d objects as of revision %d in %s."
              .formatted(saved.objects(), saved.revision(), file));
    }
  }

  private void restore(ParseResult line, Path file, Terminal terminal) {
    if (!Files.isRegularFile(file)) {
      throw new UserError("%s does not exist".formatted(file));
    }
    var folder = Up.folder(line, clusters);
    var restored = snapshots.restore(file, folder);
    var facts =
        Tree.of(
            "data",
            folder.toString(),
            "objects",
            restored.objects(),
            "revision",
            restored.revision());
    if (!terminal.document(facts)) {
      terminal.line("Restored %d objects into %s.".formatted(restored.objects(), folder));
      terminal.line(terminal.strong("  berth up --data %s".formatted(folder)));
    }
  }
}
