package io.berth.answers.lint;

import java.util.Locale;

/// How sure a finding is of harm.
public enum Severity {
  /// Proven with the engine: the pod, or one of its replicas, is not placed on these nodes.
  ERROR,
  /// Most likely not what was meant.
  WARNING;

  static Severity of(boolean proven) {
    return proven ? ERROR : WARNING;
  }

  /// As reports and SARIF write it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
