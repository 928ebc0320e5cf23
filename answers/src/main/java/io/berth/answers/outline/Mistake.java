package io.berth.answers.outline;

import java.util.List;

/// What is wrong with a value: where, as field names and indexes, and what.
public record Mistake(List<Object> path, String problem) {

  public Mistake {
    path = List.copyOf(path);
  }

  Mistake within(Object step) {
    var longer = new java.util.ArrayList<Object>();
    longer.add(step);
    longer.addAll(path);
    return new Mistake(longer, problem);
  }

  public String where() {
    return text(path);
  }

  /// A path as people write it: `when[2].lose.zon`.
  public static String text(List<?> path) {
    var text = new StringBuilder();
    for (var step : path) {
      if (step instanceof Integer index) {
        text.append('[').append(index).append(']');
      } else {
        text.append(text.isEmpty() ? "" : ".").append(step);
      }
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return path.isEmpty() ? problem : where() + ": " + problem;
  }
}
