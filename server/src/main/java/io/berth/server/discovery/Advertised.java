package io.berth.server.discovery;

import io.berth.api.Resource;
import java.util.List;

/// One resource as clients are told of it.
public record Advertised(
    Resource resource,
    List<String> verbs,
    String singular,
    List<String> shortNames,
    List<String> categories,
    List<Subresource> subresources) {

  /// `group` and `version` are those of the kind, where it comes from elsewhere; else empty.
  public record Subresource(
      String name, String kind, List<String> verbs, String group, String version) {}
}
