package io.berth.store;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.util.List;

/// Small objects, and short forms of what a store returns.
final class Samples {

  static final Codec JSON = new Codec(Json::write, Json::read);
  static final Range PODS = Range.of("", "pods");

  private Samples() {}

  static Key podKey(String namespace, String name) {
    return new Key("", "pods", namespace, name);
  }

  static Key eventKey(String name) {
    return new Key("", "events", "default", name);
  }

  static Tree pod(String namespace, String name, String value) {
    return Tree.of(
        "metadata", Tree.of("namespace", namespace, "name", name), "spec", Tree.of("value", value));
  }

  static List<String> names(Listing listing) {
    return listing.entries().stream().map(e -> e.key().namespace() + "/" + e.key().name()).toList();
  }

  static List<String> namesAndValues(Listing listing) {
    return listing.entries().stream()
        .map(e -> e.key().name() + "=" + e.object().text("spec", "value"))
        .toList();
  }
}
