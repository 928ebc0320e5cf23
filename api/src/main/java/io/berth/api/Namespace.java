package io.berth.api;

import java.util.Map;

public record Namespace(String name, Map<String, String> labels) implements Surrounding {

  public static final String KIND = "Namespace";

  public Namespace {
    labels = Map.copyOf(labels);
  }

  @Override
  public String kind() {
    return KIND;
  }
}
