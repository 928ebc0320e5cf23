package io.berth.kinds;

import io.berth.api.Resource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One kind the server stores: under which resource, what else it is served as, and its rules.
public record Kind(Resource resource, Strategy strategy, List<Served> others) {

  public Kind {
    others = List.copyOf(others);
  }

  /// Another group or version under which the stored objects are served; `strategy` when writes
  /// through it follow rules of their own.
  public record Served(Resource resource, Conversion conversion, @Nullable Strategy strategy) {

    public Served(Resource resource, Conversion conversion) {
      this(resource, conversion, null);
    }
  }

  Kind(Resource resource, Strategy strategy) {
    this(resource, strategy, List.of());
  }

  /// This kind with the rules that hold for writes through `served`.
  public Kind as(Served served) {
    return served.strategy() == null ? this : new Kind(resource, served.strategy(), others);
  }
}
