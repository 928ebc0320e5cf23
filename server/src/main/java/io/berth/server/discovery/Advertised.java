package io.berth.server.discovery;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One resource as clients are told of it.
///
/// `storageVersion` is the group and version Kubernetes stores it in, empty when it does not;
/// `schema` is the `openAPIV3Schema` of a custom resource.
public record Advertised(
    Resource resource,
    List<String> verbs,
    String singular,
    List<String> shortNames,
    List<String> categories,
    List<Subresource> subresources,
    String storageVersion,
    @Nullable Tree schema) {

  public Advertised(
      Resource resource,
      List<String> verbs,
      String singular,
      List<String> shortNames,
      List<String> categories,
      List<Subresource> subresources,
      @Nullable Tree schema) {
    this(
        resource,
        verbs,
        singular,
        shortNames,
        categories,
        subresources,
        resource.group() + "/" + resource.version(),
        schema);
  }

  /// `group` and `version` are those of the kind, where it comes from elsewhere; else empty.
  public record Subresource(
      String name, String kind, List<String> verbs, String group, String version) {}
}
