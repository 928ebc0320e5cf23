package io.berth.schema.cel;

/// The least and the most a cost or a size can be. What is beyond 64 bits counts as infinite.
public record Span(double min, double max) {

  static final double INFINITE = 0x1p64;

  static final Span ZERO = of(0);
  static final Span ONE = of(1);
  static final Span UNKNOWN = new Span(0, INFINITE);

  static Span of(double both) {
    return new Span(both, both);
  }

  static Span upTo(double max) {
    return new Span(0, max);
  }

  Span plus(Span other) {
    return new Span(capped(min + other.min), capped(max + other.max));
  }

  Span times(Span other) {
    return new Span(capped(min * other.min), capped(max * other.max));
  }

  Span times(double factor) {
    return new Span(capped(Math.ceil(min * factor)), capped(Math.ceil(max * factor)));
  }

  Span or(Span other) {
    return new Span(Math.min(min, other.min), Math.max(max, other.max));
  }

  private static double capped(double value) {
    return Math.min(value, INFINITE);
  }
}
