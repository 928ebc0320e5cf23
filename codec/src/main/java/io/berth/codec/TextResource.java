package io.berth.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The tables of facts that lie as text beside the classes that read them.
public final class TextResource {

  private TextResource() {}

  public static String text(Class<?> beside, String name) {
    try (var in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("%s is missing beside %s".formatted(name, beside));
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The lines without indentation, empty ones and those that begin with `#`.
  public static List<String> lines(Class<?> beside, String name) {
    return text(beside, name)
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .toList();
  }
}
