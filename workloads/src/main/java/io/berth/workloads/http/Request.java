package io.berth.workloads.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/// One HTTP request as the front hands it over. The path is decoded; header names are lower case.
public record Request(
    String method,
    String path,
    Map<String, List<String>> query,
    Map<String, List<String>> headers,
    String remoteAddress,
    Supplier<byte[]> body) {

  /// The first value of a header, or `""`.
  public String header(String name) {
    return first(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /// The first value of a query parameter, or `""`.
  public String parameter(String name) {
    return first(query.get(name));
  }

  /// All values of a query parameter, in the order they were sent.
  public List<String> parameters(String name) {
    return query.getOrDefault(name, List.of());
  }

  private static String first(@org.jspecify.annotations.Nullable List<String> values) {
    return values == null || values.isEmpty() ? "" : values.getFirst();
  }
}
