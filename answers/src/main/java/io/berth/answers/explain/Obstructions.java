package io.berth.answers.explain;

import io.berth.answers.explain.Obstruction.Shortage;
import io.berth.answers.explain.Obstruction.Source;
import io.berth.answers.source.Amounts;
import io.berth.api.Pod;
import io.berth.engine.Cause;
import io.berth.engine.Explanation;
import io.berth.engine.Explanation.Obstacle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Sorts what an engine found by reason and field: nodes share an entry only if all of it is equal.
///
/// A reason counts once on each node: where it has several fields, the first has the count.
final class Obstructions {

  private final Pod pod;
  private final Map<Key, Entry> entries = new LinkedHashMap<>();

  private record Key(String rule, String reason, String field, Source source, List<String> blame) {}

  private static final class Entry {
    final Set<String> why = new LinkedHashSet<>();
    final Set<String> nodes = new TreeSet<>();
    @Nullable Shortage shortage;
    int first;
  }

  private Obstructions(Pod pod) {
    this.pod = pod;
  }

  static List<Obstruction> of(Pod pod, Explanation explanation) {
    var sorted = new Obstructions(pod);
    explanation.obstacles().forEach(sorted::add);
    var found = new ArrayList<Obstruction>();
    sorted.entries.forEach((key, entry) ->
        found.add(
            new Obstruction(
                key.rule(),
                key.reason(),
                key.field(),
                key.source(),
                String.join("; ", entry.why),
                List.copyOf(entry.nodes),
                entry.first,
                key.blame(),
                entry.shortage)));
    return found;
  }

  private void add(Obstacle obstacle) {
    var reasons = obstacle.rejection().reasons();
    var blame = obstacle.blame() == null ? List.<String>of() : List.copyOf(obstacle.blame().pods());
    for (int i = 0; i < reasons.size(); i++) {
      boolean counts = true;
      for (var cause : causes(obstacle, i)) {
        var key =
            new Key(
                obstacle.rejection().plugin(), reasons.get(i), cause.field(), source(cause), blame);
        var entry = entries.computeIfAbsent(key, _ -> new Entry());
        entry.why.add(words(cause));
        entry.nodes.addAll(obstacle.nodes());
        entry.shortage = nearest(entry.shortage, cause, obstacle.nodes().getFirst());
        entry.first += counts ? obstacle.firstOn() : 0;
        counts = false;
      }
    }
  }

  private static @Nullable Shortage nearest(@Nullable Shortage known, Cause cause, String node) {
    var found = cause.shortage();
    if (found == null || (known != null && known.freeUnits() >= found.free())) {
      return known;
    }
    var resource = found.resource();
    return new Shortage(
        resource,
        Amounts.shown(resource, found.asked()),
        found.free(),
        Amounts.shown(resource, Math.max(0, found.free())),
        node);
  }

  /// Rules with several reasons give them and their causes in one order; otherwise all causes are
  /// those of the first reason.
  private static List<Cause> causes(Obstacle obstacle, int reason) {
    var causes = obstacle.causes();
    if (obstacle.rejection().reasons().size() == 1) {
      return causes;
    }
    return causes.size() == obstacle.rejection().reasons().size()
        ? List.of(causes.get(reason))
        : causes.subList(0, 1);
  }

  private Source source(Cause cause) {
    return switch (cause.source()) {
      case POD -> new Source("pod", pod.key());
      case OTHER_POD -> new Source("pod", cause.owner());
      case PROFILE -> new Source("profile", pod.spec().schedulerName());
      case DEFAULT -> new Source("default", "Kubernetes");
    };
  }

  private static String words(Cause cause) {
    if (cause.wanted().isEmpty() || cause.found().isEmpty()) {
      return cause.wanted() + cause.found();
    }
    return cause.wanted() + ": " + cause.found();
  }
}
