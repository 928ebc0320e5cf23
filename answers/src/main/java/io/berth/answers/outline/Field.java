package io.berth.answers.outline;

/// A field of an object: what it may hold, and what it is for.
public record Field(String name, Outline outline, boolean required, String description) {

  public static Field required(String name, Outline outline, String description) {
    return new Field(name, outline, true, description);
  }

  public static Field optional(String name, Outline outline, String description) {
    return new Field(name, outline, false, description);
  }
}
