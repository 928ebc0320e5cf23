package io.berth.placement.check;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Labels as kubectl writes them.
final class Labels {

  private Labels() {}

  /// `app=web,tier=front`.
  static String text(Map<String, String> labels) {
    return new TreeMap<>(labels)
        .entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining(","));
  }
}
