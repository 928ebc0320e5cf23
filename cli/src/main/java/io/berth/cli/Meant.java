package io.berth.cli;

import io.berth.answers.outline.Likely;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;

/// What somebody meant who typed a word that a command does not know.
final class Meant {

  private static final int MOST_MISTAKES = 2;

  private Meant() {}

  /// The flags and subcommands that are nearest to `word`; none when nothing is near. Dashes do not
  /// count: `--version` may well mean the command.
  static List<String> by(String word, CommandSpec command) {
    var typed = bare(word);
    int allowed = Math.min(MOST_MISTAKES, typed.length() / 2);
    var nearest = new ArrayList<String>();
    for (var name : names(command)) {
      int distance = Likely.distance(typed, bare(name));
      if (distance < allowed) {
        nearest.clear();
        allowed = distance;
      }
      if (distance == allowed) {
        nearest.add(name);
      }
    }
    return nearest;
  }

  private static List<String> names(CommandSpec command) {
    var names = new ArrayList<String>();
    for (var subcommand : command.subcommands().entrySet()) {
      if (!subcommand.getValue().getCommandSpec().usageMessage().hidden()) {
        names.add(subcommand.getKey());
      }
    }
    for (var option : command.options()) {
      names.add(option.longestName());
    }
    return names;
  }

  private static String bare(String word) {
    return word.replaceFirst("^-+", "").replaceFirst("=.*", "").toLowerCase(Locale.ROOT);
  }
}
