package io.berth.kinds.meta;

import java.util.List;

/// Words and checks that many rules share.
public final class Checks {

  public static final String IMMUTABLE = "field is immutable";
  public static final String NOT_NEGATIVE = "must be greater than or equal to 0";
  public static final String POSITIVE = "must be greater than zero";

  private Checks() {}

  /// A path below where it is mounted: relative, and never upwards.
  public static void descendingPath(Cursor path) {
    if (path.text().startsWith("/")) {
      path.invalid("must be a relative path");
    }
    noBacksteps(path);
  }

  public static void noBacksteps(Cursor path) {
    if (hasBacksteps(path.text())) {
      path.invalid("must not contain '..'");
    }
  }

  /// A descending path that does not use names the kubelet keeps for itself.
  public static void nonReservedPath(Cursor path) {
    descendingPath(path);
    if (path.text().startsWith("..") && !path.text().startsWith("../")) {
      path.invalid("must not start with '..'");
    }
  }

  public static boolean hasBacksteps(String value) {
    return List.of(value.split("/", -1)).contains("..");
  }
}
