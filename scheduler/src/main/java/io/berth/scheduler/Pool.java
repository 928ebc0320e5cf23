package io.berth.scheduler;

import io.berth.engine.ClusterEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Rejected pods that wait for an event, filed under the plugins that rejected them and, there,
/// under what they have in common: an event asks once for all pods that are alike.
final class Pool {

  private final Hints hints;
  private final Map<String, IdentityHashMap<Alike, Set<PendingPod>>> byRejector = new HashMap<>();
  private int size;

  Pool(Hints hints) {
    this.hints = hints;
  }

  int size() {
    return size;
  }

  void add(PendingPod pending) {
    size++;
    for (var plugin : pending.rejectors()) {
      byRejector
          .computeIfAbsent(plugin, _ -> new IdentityHashMap<>())
          .computeIfAbsent(pending.alike(), _ -> new LinkedHashSet<>())
          .add(pending);
    }
  }

  void remove(PendingPod pending) {
    size--;
    for (var plugin : pending.rejectors()) {
      var kinds = byRejector.get(plugin);
      var pods = kinds == null ? null : kinds.get(pending.alike());
      if (kinds != null && pods != null) {
        pods.remove(pending);
        if (pods.isEmpty()) {
          kinds.remove(pending.alike());
        }
      }
    }
  }

  /// All pods that the event can help, each once.
  Set<PendingPod> helpedBy(ClusterEvent event) {
    var helped = new LinkedHashSet<PendingPod>();
    byRejector.forEach((plugin, kinds) -> {
      if (hints.watches(plugin, event.kind())) {
        for (var pods : kinds.values()) {
          var one = pods.iterator().next().pod();
          if (event.concerns(one) && hints.helps(plugin, one, event)) {
            helped.addAll(pods);
          }
        }
      }
    });
    return helped;
  }

  /// Whether the event, about this very pod, can end one of its rejections.
  boolean helps(PendingPod pending, ClusterEvent event) {
    for (var plugin : pending.rejectors()) {
      if (hints.watches(plugin, event.kind()) && hints.helps(plugin, pending.pod(), event)) {
        return true;
      }
    }
    return false;
  }

  /// All pods that have waited since before the time.
  List<PendingPod> waitingSince(long beforeMillis) {
    var waiting = new LinkedHashSet<PendingPod>();
    for (var kinds : byRejector.values()) {
      for (var pods : kinds.values()) {
        for (var pending : pods) {
          if (pending.timestampMillis() < beforeMillis) {
            waiting.add(pending);
          }
        }
      }
    }
    return new ArrayList<>(waiting);
  }
}
