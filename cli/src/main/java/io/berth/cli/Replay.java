package io.berth.cli;

import io.berth.api.Tree;
import io.berth.conformance.Case;
import io.berth.conformance.CaseFile;
import io.berth.conformance.Difference;
import io.berth.conformance.EngineRespondent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth replay FILE... [-o json] [--record]`: recorded clusters, decisions and a scheduler's
/// journals on this engine.
public final class Replay implements Command {

  @Override
  public CommandSpec spec() {
    var spec =
        CommandSpec.create()
            .name("replay")
            .addPositional(
                Options.operands(
                    "FILE", Path.class, "Recorded cases or journals, .jsonl or .jsonl.gz."))
            .addOption(
                Options.flag("--record", "Write the cases with this engine's answers instead."))
            .addOption(RuleJars.option());
    spec.usageMessage()
        .description(
            "Decide recorded cases again, and print where the decisions differ. With --verbose every"
                + " decision of a journal is printed with its number and its scores.",
            "Exit code 1 if any decision differs, 2 if a file cannot be read.")
        .footer(
            "",
            "Examples:",
            "  berth replay decisions.jsonl.gz",
            "  berth replay journal/journal-000001.jsonl --verbose",
            "  berth replay --record cluster.jsonl > pinned.jsonl");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    List<Path> files = line.matchedPositionalValue(0, List.of());
    var rules = RuleJars.of(line);
    if (!files.isEmpty() && JournalFile.isJournal(files.getFirst())) {
      return new JournalFile(rules, line.hasMatchedOption("--verbose")).replay(files, terminal);
    }
    var replay = new io.berth.conformance.Replay(new EngineRespondent(rules));
    return line.hasMatchedOption("--record")
        ? record(replay, files, terminal)
        : compare(replay, files, terminal);
  }

  private static int compare(
      io.berth.conformance.Replay replay, List<Path> files, Terminal terminal) {
    var table = terminal.format() == Terminal.Format.TABLE;
    var found = new ArrayList<Object>();
    var counts = new int[2];
    eachCase(
        files,
        recorded -> {
          var outcome = replay.run(recorded);
          counts[0] += outcome.decisions();
          counts[1] += outcome.differing();
          for (Difference difference : outcome.differences()) {
            if (table) {
              terminal.line(difference.line());
            } else {
              found.add(difference.toTree());
            }
          }
        });
    var result = Tree.of("decisions", counts[0], "differ", counts[1], "differences", found);
    if (!terminal.document(result)) {
      var verdict = "%d decisions, %d differ".formatted(counts[0], counts[1]);
      terminal.line(counts[1] == 0 ? terminal.good(verdict) : terminal.bad(verdict));
    }
    return counts[1] == 0 ? 0 : 1;
  }

  private static int record(
      io.berth.conformance.Replay replay, List<Path> files, Terminal terminal) {
    eachCase(
        files,
        asked -> {
          try {
            CaseFile.write(replay.record(asked), terminal.out());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    return 0;
  }

  private static void eachCase(List<Path> files, Consumer<Case> each) {
    for (var file : files) {
      try {
        CaseFile.read(file, recorded -> located(recorded, each));
      } catch (NoSuchFileException e) {
        throw UserError.usage(file + ": no such file");
      } catch (IOException e) {
        throw UserError.usage("%s: cannot be read: %s".formatted(file, e.getMessage()));
      } catch (CaseFile.FormatException e) {
        throw UserError.usage(String.valueOf(e.getMessage()));
      }
    }
  }

  /// An object that cannot be read is reported with the file and line that hold it.
  private static void located(Case recorded, Consumer<Case> each) {
    try {
      each.accept(recorded);
    } catch (IllegalArgumentException e) {
      throw UserError.usage(
          "%s: case %s: %s".formatted(recorded.source(), recorded.id(), e.getMessage()));
    }
  }
}
