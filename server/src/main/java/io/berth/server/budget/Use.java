package io.berth.server.budget;

import java.util.Locale;

/// What memory is taken for.
public enum Use {

  /// Connections of those who are known.
  CONNECTIONS(0),

  /// Heads of requests under way.
  HEADS(1),

  /// Bodies on their way in, and what is made of them.
  BODIES(2),

  /// Answers on their way out, and what they are made from.
  ANSWERS(3),

  /// Buffers of watches and of other streams.
  STREAMS(4);

  static final int COUNT = values().length;

  private final int index;

  Use(int index) {
    this.index = index;
  }

  /// Its place in arrays.
  int index() {
    return index;
  }

  /// As metrics call it.
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
