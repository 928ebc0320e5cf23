package io.berth.cli;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.conformance.JournalReplay;
import io.berth.engine.rule.RuleCatalog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// Journals that `berth scheduler --journal` wrote, decided again.
final class JournalFile {

  private final RuleCatalog rules;
  private final boolean verbose;

  /// `verbose` prints every decision with its number and its scores.
  JournalFile(RuleCatalog rules, boolean verbose) {
    this.rules = rules;
    this.verbose = verbose;
  }

  static boolean isJournal(Path file) {
    try (var lines = open(file)) {
      var first = lines.readLine();
      return first != null && first.startsWith("{\"journal\":");
    } catch (IOException e) {
      // Whoever reads it in earnest says what is wrong with it.
      return false;
    }
  }

  int replay(List<Path> files, Terminal terminal) {
    int decisions = 0;
    int ties = 0;
    var differences = new ArrayList<Object>();
    for (var file : files) {
      var outcome = replay(file, isShown(terminal) ? new DecisionLines(decisions, terminal) : null);
      decisions += outcome.decisions();
      ties += outcome.ties();
      differences.addAll(outcome.differences());
    }
    var result =
        Tree.of("decisions", decisions, "differ", differences.size(), "ties", ties)
            .put("differences", differences);
    if (!terminal.document(result)) {
      differences.forEach(difference -> terminal.line(String.valueOf(difference)));
      terminal.line(
          "%d decisions, %d differ, %d ties fell otherwise"
              .formatted(decisions, differences.size(), ties));
    }
    return differences.isEmpty() ? 0 : 1;
  }

  private boolean isShown(Terminal terminal) {
    return verbose && terminal.format() == Terminal.Format.TABLE;
  }

  private JournalReplay.Outcome replay(Path file, @Nullable DecisionLines decisions) {
    int number = 0;
    try (var lines = open(file)) {
      JournalReplay replay = null;
      for (var text = lines.readLine(); text != null; text = lines.readLine()) {
        number++;
        var line = Json.read(text);
        if (replay != null) {
          replay.take(line);
        } else if (JournalReplay.isHead(line)) {
          replay = new JournalReplay(line, rules, decisions);
        } else {
          throw UserError.usage(file + ": no journal of a scheduler");
        }
      }
      if (replay == null) {
        throw UserError.usage(file + ": no journal of a scheduler");
      }
      return replay.outcome();
    } catch (IOException e) {
      throw UserError.usage("%s: cannot be read: %s".formatted(file, e.getMessage()));
    } catch (SyntaxException | IllegalArgumentException e) {
      throw UserError.usage("%s:%d: %s".formatted(file, number, e.getMessage()));
    }
  }

  static BufferedReader open(Path file) throws IOException {
    var in = Files.newInputStream(file);
    var plain = file.toString().endsWith(".gz") ? new GZIPInputStream(in, 1 << 16) : in;
    return new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8), 1 << 16);
  }
}
