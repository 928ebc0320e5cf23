package io.berth.api;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Completion indexes as Jobs write them: `0,2-4,7`.
///
/// Mirrors: batch/validation.validateIndexesFormat, controller/job.parseIndexesFromString
public final class JobIndexes {

  private JobIndexes() {}

  /// One interval, both ends included.
  private record Interval(long first, long last) {}

  /// How many indexes there are; throws an [IllegalArgumentException] in Kubernetes' words when the
  /// text is not in form, or names an index that a Job of `completions` has not.
  public static long count(String text, long completions) {
    return intervals(text, completions).stream()
        .mapToLong(interval -> interval.last() - interval.first() + 1)
        .sum();
  }

  /// The indexes of a text in form that are below `completions`.
  public static SortedSet<Integer> parse(String text, int completions) {
    var indexes = new TreeSet<Integer>();
    for (var interval : intervals(text, Long.MAX_VALUE)) {
      long last = Math.min(interval.last(), completions - 1L);
      for (long index = interval.first(); index <= last; index++) {
        indexes.add((int) index);
      }
    }
    return indexes;
  }

  private static List<Interval> intervals(String text, long completions) {
    var intervals = new ArrayList<Interval>();
    if (text.isEmpty()) {
      return intervals;
    }
    long last = -1;
    for (var part : text.split(",", -1)) {
      var ends = part.split("-", -1);
      if (ends.length > 2) {
        throw new IllegalArgumentException(
            "the fragment \"%s\" violates the requirement that an index interval can have at most two parts separated by '-'"
                .formatted(part));
      }
      long from = index(ends[0], completions);
      long to = ends.length > 1 ? index(ends[1], completions) : from;
      if (ends.length > 1 && from >= to) {
        throw outOfOrder(from, to);
      }
      if (last >= from) {
        throw outOfOrder(last, from);
      }
      intervals.add(new Interval(from, to));
      last = to;
    }
    return intervals;
  }

  private static long index(String text, long completions) {
    long index;
    try {
      index = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "cannot convert string to integer for index: \"%s\"".formatted(text), e);
    }
    if (index >= completions) {
      throw new IllegalArgumentException("too large index: \"%s\"".formatted(text));
    }
    return index;
  }

  private static IllegalArgumentException outOfOrder(long previous, long current) {
    return new IllegalArgumentException(
        "non-increasing order, previous: %d, current: %d".formatted(previous, current));
  }

  /// Two in a row are written one by one, more as an interval.
  public static String text(SortedSet<Integer> indexes) {
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
