package io.berth.controllers.core;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Meta;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// When that happened which the endpoints of a service are changed for: so that others can tell how
/// long a change takes to reach them.
final class TriggerTimes {

  private static final String ANNOTATION = "endpoints.kubernetes.io/last-change-trigger-time";

  private final Map<Key, State> states = new ConcurrentHashMap<>();

  /// Times of whole seconds, as the API writes them; those are in order as texts, too.
  private record State(String service, Map<String, String> pods) {}

  /// The earliest of what is new since the last call for this service, or `null` when nothing is.
  @Nullable String next(Key key, Tree service, List<Tree> pods) {
    var created = service.textOrEmpty("metadata", "creationTimestamp");
    var known = states.get(key);
    var ready = new HashMap<String, String>();
    String earliest = null;
    for (var pod : pods) {
      var condition = Conditions.find(pod, "Ready");
      var since = condition == null ? "" : condition.textOrEmpty("lastTransitionTime");
      if (!since.isEmpty()) {
        ready.put(Meta.name(pod), since);
        var before = known == null ? "" : known.pods.getOrDefault(Meta.name(pod), "");
        if (since.compareTo(before) > 0 && (earliest == null || since.compareTo(earliest) < 0)) {
          earliest = since;
        }
      }
    }
    states.put(key, new State(created, ready));
    if (known == null) {
      return created;
    }
    boolean isNew = created.compareTo(known.service) > 0;
    return isNew && (earliest == null || created.compareTo(earliest) < 0) ? created : earliest;
  }

  void forget(Key key) {
    states.remove(key);
  }

  /// Says in the object what it is written for.
  static void write(Tree object, @Nullable String time) {
    var metadata = object.child("metadata");
    if (time != null) {
      metadata.child("annotations").put(ANNOTATION, time);
    } else if (metadata.get("annotations") instanceof Tree annotations) {
      annotations.remove(ANNOTATION);
    }
  }
}
