package io.berth.server.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The parameters behind the question mark; pairs that cannot be decoded are left out, as in Go.
public record Query(Map<String, List<String>> parameters) {

  public static final Query EMPTY = new Query(Map.of());

  public static Query parse(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return EMPTY;
    }
    var parameters = new LinkedHashMap<String, List<String>>();
    for (var pair : text.split("&", -1)) {
      if (pair.isEmpty() || pair.contains(";")) {
        continue;
      }
      int equals = pair.indexOf('=');
      var name = decode(equals < 0 ? pair : pair.substring(0, equals));
      var value = decode(equals < 0 ? "" : pair.substring(equals + 1));
      if (name != null && value != null) {
        parameters.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
      }
    }
    return new Query(parameters);
  }

  public static Query of(Map<String, String> single) {
    var parameters = new LinkedHashMap<String, List<String>>();
    single.forEach((name, value) -> parameters.put(name, List.of(value)));
    return new Query(parameters);
  }

  public boolean has(String name) {
    return parameters.containsKey(name);
  }

  /// The first value, or `""`.
  public String text(String name) {
    var values = parameters.get(name);
    return values == null ? "" : values.getFirst();
  }

  public List<String> texts(String name) {
    return parameters.getOrDefault(name, List.of());
  }

  /// As in Kubernetes, a parameter is true unless it is absent, `false` or `0`.
  public boolean flag(String name) {
    var values = parameters.get(name);
    if (values == null) {
      return false;
    }
    var value = values.getFirst();
    return !(value.equalsIgnoreCase("false") || value.equals("0"));
  }

  private static @Nullable String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
