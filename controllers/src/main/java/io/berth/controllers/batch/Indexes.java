package io.berth.controllers.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Completion indexes as Jobs write them: `0,2-4,7`.
final class Indexes {

  private Indexes() {}

  static SortedSet<Integer> parse(String text) {
    var indexes = new TreeSet<Integer>();
    if (text.isBlank()) {
      return indexes;
    }
    for (var part : text.split(",", -1)) {
      var ends = part.split("-", 2);
      int first = Integer.parseInt(ends[0]);
      int last = ends.length == 1 ? first : Integer.parseInt(ends[1]);
      for (int index = first; index <= last; index++) {
        indexes.add(index);
      }
    }
    return indexes;
  }

  static String text(SortedSet<Integer> indexes) {
    var parts = new ArrayList<String>();
    var run = new ArrayList<Integer>();
    for (var index : indexes) {
      if (!run.isEmpty() && index != run.getLast() + 1) {
        parts.add(part(run));
        run.clear();
      }
      run.add(index);
    }
    if (!run.isEmpty()) {
      parts.add(part(run));
    }
    return String.join(",", parts);
  }

  private static String part(List<Integer> run) {
    return switch (run.size()) {
      case 1 -> run.getFirst().toString();
      case 2 -> run.getFirst() + "," + run.getLast();
      default -> run.getFirst() + "-" + run.getLast();
    };
  }
}
