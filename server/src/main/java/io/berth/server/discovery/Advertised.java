package io.berth.server.discovery;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One resource as clients are told of it.
///
/// `schema` is the `openAPIV3Schema` of a custom resource.
public record Advertised(
    Resource resource,
    List<String> verbs,
    String singular,
    List<String> shortNames,
    List<String> categories,
    List<Subresource> subresources,
    @Nullable Tree schema) {

  public Advertised(
      Resource resource,
      List<String> verbs,
      String singular,
      List<String> shortNames,
      List<String> categories,
      List<Subresource> subresources) {
    this(resource, verbs, singular, shortNames, categories, subresources, null);
  }

  /// `group` and `version` are those of the kind, where it comes from elsewhere; else empty.
  public record Subresource(
      String name, String kind, List<String> verbs, String group, String version) {}
}
