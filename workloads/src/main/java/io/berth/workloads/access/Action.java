package io.berth.workloads.access;

import java.util.Locale;

/// What can be done to a resource.
public enum Action {
  CREATE,
  READ,
  UPDATE,
  DELETE;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
