package io.berth.schema.apply;

import io.berth.api.Tree;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One object in the versions that managers of its fields speak, each converted once.
final class Views {

  private final Versions versions;
  private final Tree object;
  private final String words;
  private final Map<String, Optional<Tree>> shown = new HashMap<>();

  /// `words` says in messages which object this is: `new object`.
  Views(Versions versions, Tree object, String words) {
    this.versions = versions;
    this.object = object;
    this.words = words;
  }

  /// The object in a version, or `null` when there is no such version. Throws
  /// [IllegalArgumentException] when it comes out with fields the version does not have.
  @Nullable Tree in(String apiVersion) {
    return shown.computeIfAbsent(apiVersion, this::convert).orElse(null);
  }

  private Optional<Tree> convert(String apiVersion) {
    if (object.textOrEmpty("apiVersion").equals(apiVersion)) {
      return Optional.of(object);
    }
    var converted = versions.convert(object, apiVersion);
    if (converted == null || !converted.textOrEmpty("apiVersion").equals(apiVersion)) {
      return Optional.ofNullable(converted);
    }
    Check.problems(versions.structure(apiVersion), converted)
        .ifPresent(problems -> {
          throw new IllegalArgumentException("failed to convert " + words + ": " + problems);
        });
    return Optional.of(converted);
  }
}
