package io.berth.api;

import java.util.List;

/// One clause of a label or node selector, as written: `operator` may be anything.
public record Requirement(String key, String operator, List<String> values) {

  public Requirement {
    values = List.copyOf(values);
  }
}
