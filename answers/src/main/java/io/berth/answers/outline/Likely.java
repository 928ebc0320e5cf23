package io.berth.answers.outline;

import java.util.Collection;
import java.util.Locale;

/// What somebody meant who wrote a word that nobody knows.
public final class Likely {

  private static final int MOST_MISTAKES = 3;

  private Likely() {}

  /// The word that is nearest, `""` when none is near.
  public static String word(String written, Collection<String> known) {
    var typed = written.toLowerCase(Locale.ROOT);
    int least = Math.min(MOST_MISTAKES, typed.length() / 2 + 1);
    var nearest = "";
    for (var word : known) {
      int distance = distance(typed, word.toLowerCase(Locale.ROOT));
      if (distance < least) {
        least = distance;
        nearest = word;
      }
    }
    return nearest;
  }

  /// How many letters must be changed, left out, put in or swapped with their neighbour.
  public static int distance(String a, String b) {
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
