package io.berth.kinds.meta;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Quantity;
import java.util.List;
import java.util.Objects;
import java.util.SequencedCollection;
import org.jspecify.annotations.Nullable;

/// The small checks that validation is made of.
public final class Checks {

  public static final String IMMUTABLE = "field is immutable";
  public static final String NOT_NEGATIVE = "must be greater than or equal to 0";
  public static final String POSITIVE = "must be greater than zero";

  private Checks() {}

  public static void nonNegative(FieldPath path, long value, FieldErrors errors) {
    if (value < 0) {
      errors.invalid(path, value, NOT_NEGATIVE);
    }
  }

  public static void positive(FieldPath path, long value, FieldErrors errors) {
    if (value <= 0) {
      errors.invalid(path, value, POSITIVE);
    }
  }

  public static void inRange(FieldPath path, long value, long min, long max, FieldErrors errors) {
    complaints(path, value, Names.inRange(value, min, max), errors);
  }

  public static void nonNegative(FieldPath path, Quantity value, FieldErrors errors) {
    if (value.amount().signum() < 0) {
      errors.invalid(path, value.toString(), NOT_NEGATIVE);
    }
  }

  public static void positive(FieldPath path, Quantity value, FieldErrors errors) {
    if (value.amount().signum() <= 0) {
      errors.invalid(path, value.toString(), POSITIVE);
    }
  }

  /// Refuses an absent text; says whether it is there.
  public static boolean required(FieldPath path, String value, FieldErrors errors) {
    if (value.isEmpty()) {
      errors.required(path);
      return false;
    }
    return true;
  }

  public static void dnsLabel(FieldPath path, String value, FieldErrors errors) {
    complaints(path, value, Names.dnsLabel(value), errors);
  }

  public static void dnsSubdomain(FieldPath path, String value, FieldErrors errors) {
    complaints(path, value, Names.dnsSubdomain(value), errors);
  }

  public static void qualifiedName(FieldPath path, String value, FieldErrors errors) {
    complaints(path, value, Names.qualifiedName(value), errors);
  }

  /// One of a few words; an absent one is Required.
  public static void oneOf(
      FieldPath path, String value, SequencedCollection<String> words, FieldErrors errors) {
    if (value.isEmpty()) {
      errors.required(path);
    } else {
      supported(path, value, words, errors);
    }
  }

  /// One of a few words, which may include `""`.
  public static void supported(
      FieldPath path, String value, SequencedCollection<String> words, FieldErrors errors) {
    if (!words.contains(value)) {
      errors.notSupported(path, value, words);
    }
  }

  public static void immutable(
      FieldPath path, @Nullable Object value, @Nullable Object old, FieldErrors errors) {
    if (!Objects.equals(value, old)) {
      errors.invalid(path, value, IMMUTABLE);
    }
  }

  /// One Invalid error per complaint about the value.
  public static void complaints(
      FieldPath path, @Nullable Object value, List<String> complaints, FieldErrors errors) {
    for (var complaint : complaints) {
      errors.invalid(path, value, complaint);
    }
  }

  /// A path below where it is mounted: relative, and never upwards.
  public static void descendingPath(FieldPath path, String value, FieldErrors errors) {
    if (value.startsWith("/")) {
      errors.invalid(path, value, "must be a relative path");
    }
    noBacksteps(path, value, errors);
  }

  public static void noBacksteps(FieldPath path, String value, FieldErrors errors) {
    if (hasBacksteps(value)) {
      errors.invalid(path, value, "must not contain '..'");
    }
  }

  public static boolean hasBacksteps(String value) {
    return List.of(value.split("/", -1)).contains("..");
  }

  /// A descending path that does not use names the kubelet keeps for itself.
  public static void nonReservedPath(FieldPath path, String value, FieldErrors errors) {
    descendingPath(path, value, errors);
    if (value.startsWith("..") && !value.startsWith("../")) {
      errors.invalid(path, value, "must not start with '..'");
    }
  }
}
