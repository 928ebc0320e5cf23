package io.berth.workloads.policy;

import java.util.Locale;

/// Where a policy stands, from the broadest to the narrowest.
public enum Scope {
  SYSTEM,
  TENANT,
  CLUSTER,
  DEPARTMENT,
  PROJECT;

  /// As requests and answers write it.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
