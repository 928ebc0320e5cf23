package io.berth.schema.openapi;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One resource that is served, with its verbs and subresources.
///
/// `schema` is the `openAPIV3Schema` of a custom resource, and `null` for kinds of the type table.
public record Endpoint(
    Resource resource, List<String> verbs, List<Subresource> subresources, @Nullable Tree schema) {

  /// A subresource and the kind that goes through it.
  public record Subresource(String name, String apiVersion, String kind, List<String> verbs) {}

  public Endpoint {
    verbs = List.copyOf(verbs);
    subresources = List.copyOf(subresources);
  }
}
