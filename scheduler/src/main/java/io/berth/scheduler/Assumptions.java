package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.engine.Engine;
import io.berth.engine.VolumeReservation;
import io.berth.scheduler.Knowledge.Place;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Pods that were decided about and whose bind is under way: each counts on its node, and its
/// claims have what the decision gave them, until the API confirms or refuses. Owned by the loop's
/// thread.
final class Assumptions {

  private final Engine engine;
  private final Journal journal;
  private final Map<String, Pod> pods = new HashMap<>();
  private final Map<String, VolumeReservation> reservations = new HashMap<>();

  Assumptions(Engine engine, Journal journal) {
    this.engine = engine;
    this.journal = journal;
  }

  VolumeReservation add(Pod pod, String node) {
    var reservation = pod.spec().hasClaims() ? engine.reserve(pod, node) : VolumeReservation.NONE;
    engine.assume(pod, node);
    journal.assumed(pod, node);
    pods.put(pod.key(), pod.withNodeName(node));
    if (!reservation.isEmpty()) {
      reservations.put(pod.key(), reservation);
    }
    return reservation;
  }

  /// Whether this very pod, not one of its name before it, is among them.
  boolean contains(Pod pod) {
    var known = pods.get(pod.key());
    return known != null && known.uid().equals(pod.uid());
  }

  @Nullable Pod find(String key) {
    return pods.get(key);
  }

  List<Place> all() {
    return pods.values().stream()
        .map(pod -> new Place(pod.withNodeName(""), pod.nodeName()))
        .toList();
  }

  int size() {
    return pods.size();
  }

  /// It runs there. What it reserved is its own now: the claims are bound, or the volumes say so.
  void confirmed(String key) {
    pods.remove(key);
    reservations.remove(key);
  }

  /// The bind was refused: place and volumes are free again. Returns the pod on its place, or
  /// `null` when it was not assumed.
  @Nullable Pod forget(Pod pod) {
    if (!contains(pod)) {
      return null;
    }
    var assumed = gone(pod.key());
    engine.forget(pod.namespace(), pod.name());
    journal.forgotten(pod);
    return assumed;
  }

  /// The pod went; its place in the engine is the caller's to clear.
  @Nullable Pod gone(String key) {
    var reservation = reservations.remove(key);
    if (reservation != null) {
      engine.release(reservation);
    }
    return pods.remove(key);
  }
}
