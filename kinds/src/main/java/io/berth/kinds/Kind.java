package io.berth.kinds;

import io.berth.api.Resource;
import java.util.List;

/// One kind the server stores: under which resource, what else it is served as, and its rules.
public record Kind(Resource resource, Strategy strategy, List<Served> others) {

  public Kind {
    others = List.copyOf(others);
  }

  /// Another group or version under which the stored objects are served.
  public record Served(Resource resource, Conversion conversion) {}

  Kind(Resource resource, Strategy strategy) {
    this(resource, strategy, List.of());
  }
}
