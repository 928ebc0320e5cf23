package io.berth.kinds;

import io.berth.api.Resource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One kind the server stores: under which resource, what else it is served as, and its rules.
public record Kind(Resource resource, Strategy strategy, List<Served> others, Set<Trait> traits) {

  private static final Map<String, UpdateRules> PLAIN_STATUS = Map.of("status", new StatusRules());

  public Kind {
    others = List.copyOf(others);
    traits = Set.copyOf(traits);
  }

  /// Another group or version under which the stored objects are served; `strategy` when writes
  /// through it follow rules of their own.
  public record Served(Resource resource, Conversion conversion, @Nullable Strategy strategy) {

    public Served(Resource resource, Conversion conversion) {
      this(resource, conversion, null);
    }
  }

  public Kind(Resource resource, Strategy strategy, Trait... traits) {
    this(resource, strategy, List.of(), Set.of(traits));
  }

  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /// The subresources that are doors to the same object, by name, each with its own rules.
  public Map<String, UpdateRules> subresources() {
    var own = strategy.subresources();
    return own.isEmpty() && has(Trait.STATUS) ? PLAIN_STATUS : own;
  }

  /// This kind with the rules that hold for writes through `served`.
  public Kind as(Served served) {
    return served.strategy() == null ? this : new Kind(resource, served.strategy(), others, traits);
  }
}
