package io.berth.placement.virtual;

import java.util.List;

/// A cluster that does not come to rest; says what goes on.
public final class UnrestException extends RuntimeException {

  private static final long serialVersionUID = 1;
  private static final int MOST_NAMED = 5;

  UnrestException(String time, List<String> work) {
    super("the cluster is not at rest after %s: %s".formatted(time, named(work)));
  }

  private static String named(List<String> work) {
    var named = String.join(", ", work.stream().distinct().limit(MOST_NAMED).toList());
    return work.isEmpty() ? "it never waits" : named + " still have work to do";
  }
}
