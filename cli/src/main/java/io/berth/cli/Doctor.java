package io.berth.cli;

import io.berth.api.Tree;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth doctor --data DIR [--restore-to DIR]`: what of a data folder is whole, and a new one of
/// that.
public final class Doctor implements Command {

  private final LocalCluster clusters;
  private final Examinations examinations;

  public Doctor(LocalCluster clusters, Examinations examinations) {
    this.clusters = clusters;
    this.examinations = examinations;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("doctor");
    spec.addOption(Options.text("--data", "DIR", "The data folder (default: ~/.berth/data)."));
    spec.addOption(
        Options.text("--restore-to", "DIR", "A new folder to write the last good revision into."));
    spec.usageMessage()
        .description(
            "Say what of a data folder is whole, and change nothing, also while a cluster runs.",
            "Exit code 1 when something is damaged.")
        .footer(
            "",
            "Examples:",
            "  berth doctor",
            "  berth doctor --data ./cluster -o json",
            "  berth doctor --data ./cluster --restore-to ./rescued");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    var folder = Up.folder(line, clusters);
    var target = Options.path(line.matchedOptionValue("--restore-to", ""));
    if (!Files.isDirectory(folder)) {
      throw new UserError("there is no data folder %s".formatted(folder));
    }
    var result = examinations.examine(folder);
    var facts = facts(folder, result);
    if (target != null) {
      var restored = result.restoreTo(target);
      facts.put("restoredTo", target.toString());
      facts.put("restoredRevision", restored.revision());
    }
    if (!terminal.document(facts)) {
      print(folder, result, target != null, terminal);
      if (target != null) {
        terminal.line("Restored %d objects into %s.".formatted(result.objects(), target));
        terminal.line(terminal.strong("  berth up --data %s".formatted(target)));
      }
    }
    return result.isWhole() ? 0 : 1;
  }

  private static Tree facts(Path folder, Examinations.Result result) {
    var files =
        result.rows().stream()
            .map(row -> Tree.of("file", row.file(), "state", row.state(), "message", row.words()))
            .toList();
    return Tree.of(
        "data",
        folder.toString(),
        "whole",
        result.isWhole(),
        "inUseBy",
        result.user(),
        "notedRevision",
        result.notedRevision(),
        "lastGoodRevision",
        result.goodRevision(),
        "objects",
        (long) result.objects(),
        "files",
        files);
  }

  private static void print(
      Path folder, Examinations.Result result, boolean restored, Terminal terminal) {
    for (var row : result.rows()) {
      var state = row.state();
      var mark = state.equals("damaged") ? terminal.bad(state) : terminal.good(state);
      terminal.line("%-8s %s%s".formatted(mark, row.file(), after(": ", row.words())));
    }
    if (!result.user().isEmpty()) {
      terminal.line("In use by process %s: this is what is on disk now.".formatted(result.user()));
    }
    terminal.line(summary(result));
    if (!result.isWhole() && result.goodRevision() > 0 && !restored) {
      terminal.line(
          terminal.strong("  berth doctor --data %s --restore-to NEWDIR".formatted(folder)));
    }
  }

  private static String summary(Examinations.Result result) {
    if (result.goodRevision() == 0) {
      return "No revision is whole: restore a snapshot, with 'berth snapshot restore'.";
    }
    var good = "%d objects as of revision %d".formatted(result.objects(), result.goodRevision());
    if (result.isWhole()) {
      return "All is whole: %s.".formatted(good);
    }
    return result.notedRevision() > result.goodRevision()
        ? "Whole are %s; what was written up to revision %d is lost."
            .formatted(good, result.notedRevision())
        : "Whole are %s.".formatted(good);
  }

  private static String after(String separator, String words) {
    return words.isEmpty() ? "" : separator + words;
  }
}
