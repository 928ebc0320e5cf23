package io.berth.server.budget;

import java.util.Locale;

/// What memory is taken for.
public enum Use {

  /// Connections of those who are known.
  CONNECTIONS,

  /// Heads of requests under way.
  HEADS,

  /// Bodies on their way in, and what is made of them.
  BODIES,

  /// Answers on their way out, and what they are made from.
  ANSWERS,

  /// Buffers of watches and of other streams.
  STREAMS;

  /// As metrics call it.
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
