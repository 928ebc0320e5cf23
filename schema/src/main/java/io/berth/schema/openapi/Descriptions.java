package io.berth.schema.openapi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// What `kubectl explain` says about types and fields, in Berth's words.
///
/// A line of the text beside this class is a type, or a type and a field, and what to say about it:
/// `core.v1.Toleration.key: The taint key that is tolerated.` Types without a line have none.
final class Descriptions {

  private static final Descriptions INSTANCE = new Descriptions();

  private final Map<String, String> texts = new HashMap<>();

  private Descriptions() {
    try (var resource = Descriptions.class.getResourceAsStream("descriptions.txt")) {
      var text =
          new String(
              Objects.requireNonNull(resource, "descriptions.txt").readAllBytes(),
              StandardCharsets.UTF_8);
      text.lines()
          .filter(line -> !line.startsWith("#") && !line.isBlank())
          .forEach(line -> {
            int colon = line.indexOf(": ");
            texts.put(line.substring(0, colon), line.substring(colon + 2));
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Descriptions load() {
    return INSTANCE;
  }

  /// The text for a type or `type.field`, or `""`.
  String of(String subject) {
    return texts.getOrDefault(subject, "");
  }

  Map<String, String> all() {
    return Map.copyOf(texts);
  }
}
