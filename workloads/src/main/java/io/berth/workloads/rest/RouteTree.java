package io.berth.workloads.rest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Routes by the segments of their paths; a literal segment goes before a named one.
final class RouteTree {

  private final Map<String, RouteTree> literals = new LinkedHashMap<>();
  private final Map<String, Route> routes = new TreeMap<>();
  private @Nullable RouteTree any;

  void add(Route route) {
    var node = this;
    for (var segment : route.segments()) {
      node = node.below(segment);
    }
    if (node.routes.put(route.method(), route) != null) {
      throw new IllegalStateException(
          "two routes for %s %s".formatted(route.method(), route.path()));
    }
  }

  private RouteTree below(String segment) {
    if (!segment.startsWith("{")) {
      return literals.computeIfAbsent(segment, _ -> new RouteTree());
    }
    if (any == null) {
      any = new RouteTree();
    }
    return any;
  }

  /// What is at a path, by method, or `null` when no route has it.
  @Nullable Map<String, Route> find(List<String> segments) {
    if (segments.isEmpty()) {
      return routes.isEmpty() ? null : routes;
    }
    var rest = segments.subList(1, segments.size());
    var literal = literals.get(segments.getFirst());
    var found = literal == null ? null : literal.find(rest);
    if (found == null && any != null && !segments.getFirst().isEmpty()) {
      found = any.find(rest);
    }
    return found;
  }
}
