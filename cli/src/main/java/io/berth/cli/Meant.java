package io.berth.cli;

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
      int distance = distance(typed, bare(name));
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

  /// How many letters must be changed, left out, put in or swapped with their neighbour.
  private static int distance(String a, String b) {
    var costs = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        costs[i][j] = i == 0 || j == 0 ? i + j : cost(a, b, i, j, costs);
      }
    }
    return costs[a.length()][b.length()];
  }

  private static int cost(String a, String b, int i, int j, int[][] costs) {
    int changed = costs[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int least = Math.min(changed, 1 + Math.min(costs[i - 1][j], costs[i][j - 1]));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(least, 1 + costs[i - 2][j - 2]) : least;
  }
}
