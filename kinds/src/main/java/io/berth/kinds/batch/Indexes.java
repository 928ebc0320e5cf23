package io.berth.kinds.batch;

/// Sets of a job's indexes as text: `0,3-5,7`.
final class Indexes {

  private Indexes() {}

  /// How many indexes there are; throws an [IllegalArgumentException] in Kubernetes' words when the
  /// text is not in form.
  static long count(String text, long completions) {
    if (text.isEmpty()) {
      return 0;
    }
    long total = 0;
    long last = -1;
    for (var interval : text.split(",", -1)) {
      var limits = interval.split("-", -1);
      if (limits.length > 2) {
        throw new IllegalArgumentException(
            "the fragment \"%s\" violates the requirement that an index interval can have at most two parts separated by '-'"
                .formatted(interval));
      }
      long from = index(limits[0], completions);
      long to = limits.length > 1 ? index(limits[1], completions) : from;
      if (limits.length > 1 && from >= to) {
        throw outOfOrder(from, to);
      }
      if (last >= from) {
        throw outOfOrder(last, from);
      }
      total += to - from + 1;
      last = to;
    }
    return total;
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
}
