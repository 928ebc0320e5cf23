package io.berth.kinds.core;

import static java.util.stream.Collectors.toMap;

import io.berth.api.Tree;
import io.berth.kinds.Conversion;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Between the core form of an event, which is stored, and that of `events.k8s.io/v1`.
///
/// Mirrors: events/v1.Convert_v1_Event_To_core_Event
public final class EventConversion implements Conversion {

  /// Names in `events.k8s.io` by names in core.
  private static final Map<String, String> NAMES =
      Map.of(
          "involvedObject", "regarding",
          "message", "note",
          "reportingComponent", "reportingController",
          "count", "deprecatedCount",
          "firstTimestamp", "deprecatedFirstTimestamp",
          "lastTimestamp", "deprecatedLastTimestamp",
          "source", "deprecatedSource");

  private static final Map<String, String> CORE_NAMES =
      NAMES.entrySet().stream().collect(toMap(Map.Entry::getValue, Map.Entry::getKey));

  @Override
  public Tree toStorage(Tree served) {
    var event = new Tree();
    boolean own = !served.isFrozen();
    served.forEach((name, value) ->
        event.put(CORE_NAMES.getOrDefault(name, name), own ? value : Tree.copyOf(value)));
    return event.put("apiVersion", "v1");
  }

  @Override
  public Tree fromStorage(Tree stored) {
    var event = new Tree();
    stored.forEach((name, value) -> put(event, name, value));
    for (var field : List.of("deprecatedFirstTimestamp", "deprecatedLastTimestamp", "eventTime")) {
      if (!event.has(field)) {
        event.put(field, null);
      }
    }
    event.child("deprecatedSource");
    return event.put("apiVersion", "events.k8s.io/v1");
  }

  // Core always writes these texts, the newer form only when there is something to say.
  private static void put(Tree event, String name, @Nullable Object value) {
    boolean empty = "".equals(value) && name.startsWith("reporting");
    if (!empty) {
      event.put(NAMES.getOrDefault(name, name), Tree.copyOf(value));
    }
  }
}
