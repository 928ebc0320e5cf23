package io.berth.workloads.org;

import io.berth.api.Tree;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Network topologies, and what workloads want of them.
///
/// Annotations name the topology and the levels that are required or preferred; a topology that is
/// not named is that of the workload's first node pool. A distributed workload that says nothing
/// prefers the lowest level of it.
public final class Topologies {

  public static final String NAME = "kai.scheduler/topology";
  public static final String REQUIRED = "kai.scheduler/topology-required-placement";
  public static final String PREFERRED = "kai.scheduler/topology-preferred-placement";

  private final State state;

  public Topologies(State state) {
    this.state = state;
  }

  /// `levels` are label keys, the farthest first.
  public record Wanted(
      List<String> levels, @Nullable String required, @Nullable String preferred) {}

  /// What a specification wants, if anything. It has no [#findProblem].
  public Optional<Wanted> find(Tree spec, boolean distributed, List<String> pools) {
    var levels = levels(spec, pools);
    var required = annotation(spec, REQUIRED);
    var preferred = annotation(spec, PREFERRED);
    if (levels == null) {
      return Optional.empty();
    }
    if (required == null && preferred == null) {
      return distributed
          ? Optional.of(new Wanted(levels, null, levels.getLast()))
          : Optional.empty();
    }
    boolean known =
        (required == null || levels.contains(required))
            && (preferred == null || levels.contains(preferred));
    return known ? Optional.of(new Wanted(levels, required, preferred)) : Optional.empty();
  }

  /// What is wrong with what a specification wants.
  public Optional<String> findProblem(Tree spec, boolean distributed, List<String> pools) {
    var name = annotation(spec, NAME);
    if (distributed && name == null && pools.stream().flatMap(this::id).distinct().count() > 1) {
      return Optional.of(
          "spec.nodePools: node pools %s have different network topologies; a distributed workload needs one"
              .formatted(String.join(", ", pools)));
    }
    if (name != null && named(name).isEmpty()) {
      return Optional.of(
          "spec.annotations: %s: there is no network topology \"%s\"".formatted(NAME, name));
    }
    var levels = levels(spec, pools);
    for (var field : List.of(REQUIRED, PREFERRED)) {
      var level = annotation(spec, field);
      if (level != null && levels == null) {
        return Optional.of(
            "spec.annotations: %s: node pool %s has no network topology; name one with %s"
                .formatted(field, String.join(", ", pools), NAME));
      }
      if (level != null && levels != null && !levels.contains(level)) {
        return Optional.of(
            "spec.annotations: %s: \"%s\" is none of the topology's levels %s"
                .formatted(field, level, levels));
      }
    }
    return Optional.empty();
  }

  private @Nullable List<String> levels(Tree spec, List<String> pools) {
    var name = annotation(spec, NAME);
    var topology =
        name != null
            ? named(name)
            : pools.isEmpty() ? Optional.<Tree>empty() : of(pools.getFirst());
    return topology
        .map(each -> each.list("spec", "levels").stream().map(String::valueOf).toList())
        .filter(each -> !each.isEmpty())
        .orElse(null);
  }

  private Optional<Tree> named(String name) {
    return state.table(BerthKinds.NETWORK_TOPOLOGIES).find("", name);
  }

  private Stream<String> id(String pool) {
    return of(pool).stream().map(each -> each.textOrEmpty("metadata", "uid"));
  }

  private Optional<Tree> of(String pool) {
    return state
        .table(BerthKinds.NODE_POOLS)
        .find("", pool)
        .map(each -> each.textOrEmpty("spec", "networkTopologyId"))
        .filter(id -> !id.isEmpty())
        .flatMap(id -> state.table(BerthKinds.NETWORK_TOPOLOGIES).findByUid(id));
  }

  private static @Nullable String annotation(Tree spec, String name) {
    for (var each : spec.trees("annotations")) {
      if (each.textOrEmpty("name").equals(name)) {
        return each.text("value");
      }
    }
    return null;
  }
}
