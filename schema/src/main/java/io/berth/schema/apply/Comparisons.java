package io.berth.schema.apply;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What changed between two states of an object, in every version that managers speak.
final class Comparisons {

  private final Versions versions;
  private final Views before;
  private final Views after;
  private final FieldSet ignored;
  private final Map<String, Optional<Comparison>> known = new HashMap<>();

  Comparisons(Versions versions, Views before, Views after, FieldSet ignored) {
    this.versions = versions;
    this.before = before;
    this.after = after;
    this.ignored = ignored;
  }

  /// What changed in a version, or `null` when there is no such version.
  @Nullable Comparison in(String apiVersion) {
    return known.computeIfAbsent(apiVersion, this::compare).orElse(null);
  }

  private Optional<Comparison> compare(String apiVersion) {
    var old = before.in(apiVersion);
    var changed = after.in(apiVersion);
    return old == null || changed == null
        ? Optional.empty()
        : Optional.of(Comparison.of(versions.structure(apiVersion), old, changed).without(ignored));
  }
}
