package io.berth.server.request;

import io.berth.api.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A field selector as `fieldSelector=` spells it: `spec.nodeName=n1,status.phase!=Failed`.
public record FieldSelector(List<Term> terms) {

  public static final FieldSelector ALL = new FieldSelector(List.of());

  /// One comparison of a field with a text.
  public record Term(String field, boolean equal, String value) {}

  public static FieldSelector parse(String text) {
    var terms = new ArrayList<Term>();
    // Go sorts the terms first, which shows in what its refusal names.
    for (var part : split(text).stream().sorted().toList()) {
      if (part.isEmpty()) {
        continue;
      }
      var term = term(part);
      if (term == null) {
        throw ApiException.badRequest(
            "invalid selector: '%s'; can't understand '%s'".formatted(text, part));
      }
      // As in Kubernetes, an empty term is no condition at all.
      if (!(term.field().isEmpty() && term.value().isEmpty())) {
        terms.add(term);
      }
    }
    return terms.isEmpty() ? ALL : new FieldSelector(terms);
  }

  public boolean isAll() {
    return terms.isEmpty();
  }

  /// Whether the values that `fields` finds satisfy all terms; an unknown field is empty.
  public boolean matches(Function<String, String> fields) {
    for (var term : terms) {
      if (fields.apply(term.field()).equals(term.value()) != term.equal()) {
        return false;
      }
    }
    return true;
  }

  /// The value a field must equal for any object to match, or `null`.
  public @Nullable String required(String field) {
    for (var term : terms) {
      if (term.equal() && term.field().equals(field)) {
        return term.value();
      }
    }
    return null;
  }

  private static List<String> split(String text) {
    var parts = new ArrayList<String>();
    int start = 0;
    boolean escaped = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (escaped) {
        escaped = false;
      } else if (c == '\\') {
        escaped = true;
      } else if (c == ',') {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  private static @Nullable Term term(String part) {
    for (int i = 0; i < part.length(); i++) {
      for (var operator : List.of("!=", "==", "=")) {
        if (part.startsWith(operator, i)) {
          var value = unescape(part, part.substring(i + operator.length()));
          return new Term(part.substring(0, i), !operator.equals("!="), value);
        }
      }
    }
    return null;
  }

  private static String unescape(String selector, String value) {
    if (value.indexOf('\\') < 0 && value.indexOf(',') < 0 && value.indexOf('=') < 0) {
      return value;
    }
    var plain = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\') {
        i++;
        if (i == value.length() || "\\,=".indexOf(value.charAt(i)) < 0) {
          throw ApiException.badRequest(
              "invalid field selector: invalid escape sequence: %s".formatted(selector));
        }
        plain.append(value.charAt(i));
      } else if (c == ',' || c == '=') {
        // As in Kubernetes, the number of the character.
        throw ApiException.badRequest(
            "invalid field selector: unescaped character in value: %d".formatted((int) c));
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }
}
