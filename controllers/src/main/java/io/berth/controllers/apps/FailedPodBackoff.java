package io.berth.controllers.apps;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// When a failed daemon pod may be replaced: the first at once, the next after a second, two, … up
/// to fifteen minutes. A node that refuses its daemon would otherwise be asked as fast as the loop
/// turns.
final class FailedPodBackoff {

  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(15);

  private final Map<Place, Replaced> places = new ConcurrentHashMap<>();

  /// How long to wait; zero when the pod may go now, which is noted.
  Duration take(String set, String node, Instant now) {
    var place = new Place(set, node);
    var last = places.get(place);
    if (last == null || last.at.plus(LONGEST.multipliedBy(2)).isBefore(now)) {
      places.put(place, new Replaced(now, FIRST));
      return Duration.ZERO;
    }
    var due = last.at.plus(last.pause);
    if (due.isAfter(now)) {
      return Duration.between(now, due);
    }
    var doubled = last.pause.multipliedBy(2);
    places.put(place, new Replaced(now, doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled));
    return Duration.ZERO;
  }

  void forget(String set) {
    places.keySet().removeIf(place -> place.set.equals(set));
  }

  private record Place(String set, String node) {}

  private record Replaced(Instant at, Duration pause) {}
}
