package io.berth.api;

import java.util.Map;

public record Namespace(String name, Map<String, String> labels) {

  public Namespace {
    labels = Map.copyOf(labels);
  }
}
