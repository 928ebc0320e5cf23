package io.berth.answers.live;

import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.engine.Engine;
import io.berth.engine.VolumeReservation;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An engine that goes through what a scheduler's went through, and the pods it was told of.
///
/// Whoever holds the lock of its [LiveCluster] owns it.
final class Companion {

  private final Engine engine;
  private final Map<String, Pod> pods = new LinkedHashMap<>();
  private final Map<String, String> nominated = new HashMap<>();
  private final Map<String, VolumeReservation> reservations = new HashMap<>();
  private long revision;

  /// The engine knows nothing yet.
  Companion(Engine engine, long revision) {
    this.engine = engine;
    this.revision = revision;
  }

  void take(List<Happening> happenings) {
    happenings.forEach(this::take);
  }

  private void take(Happening happening) {
    switch (happening) {
      case Happening.Put(Pod pod, var at) -> {
        revision = Math.max(revision, at);
        put(pod);
      }
      case Happening.Put(var object, var at) -> {
        revision = Math.max(revision, at);
        engine.put(object);
      }
      case Happening.Removed(var reference) -> remove(reference);
      case Happening.Assumed(var pod, var node) -> assume(pod, node);
      case Happening.Forgotten(var pod) -> forget(pod);
      case Happening.Nominated(var pod, var node) -> nominate(pod, node);
    }
  }

  // An update of a pod whose bind is under way still has no node: it keeps the one it was given.
  private void put(Pod pod) {
    if (pod.isFinished()) {
      remove(pod.reference());
    } else if (!pod.nodeName().isEmpty()) {
      reservations.remove(pod.key());
      pods.put(pod.key(), pod);
      engine.put(pod);
    } else if (pod.terminating()) {
      // Nobody decides about it any more, and what it was given is free.
      remove(pod.reference());
    } else {
      var known = pods.get(pod.key());
      var node = known != null && known.uid().equals(pod.uid()) ? known.nodeName() : "";
      pods.put(pod.key(), pod.withNodeName(node));
    }
  }

  private void remove(ObjectReference reference) {
    engine.remove(reference);
    if (reference.kind().equals(Pod.KIND)) {
      pods.remove(reference.key());
      nominated.remove(reference.key());
      release(reference.key());
    }
  }

  private void assume(Pod pod, String node) {
    var reservation = engine.reserve(pod, node);
    if (!reservation.isEmpty()) {
      reservations.put(pod.key(), reservation);
    }
    engine.assume(pod, node);
    pods.put(pod.key(), pod.withNodeName(node));
  }

  private void forget(Pod pod) {
    release(pod.key());
    engine.forget(pod.namespace(), pod.name());
    pods.computeIfPresent(pod.key(), (_, known) -> known.withNodeName(""));
  }

  private void release(String key) {
    var reservation = reservations.remove(key);
    if (reservation != null) {
      engine.release(reservation);
    }
  }

  private void nominate(Pod pod, String node) {
    if (node.isEmpty()) {
      nominated.remove(pod.key());
      engine.unnominate(pod.namespace(), pod.name());
    } else {
      nominated.put(pod.key(), node);
      engine.nominate(pod, node);
    }
  }

  Engine engine() {
    return engine;
  }

  long revision() {
    return revision;
  }

  Collection<Pod> pods() {
    return pods.values();
  }

  /// The pod as placement knows it, also what was promised to it.
  @Nullable Pod find(String key) {
    var pod = pods.get(key);
    return pod == null ? null : promised(pod);
  }

  /// The pod, waiting for the node that the scheduler has promised it, if any.
  Pod promised(Pod pod) {
    var node = nominated.getOrDefault(pod.key(), "");
    return pod.status().nominatedNodeName().equals(node)
        ? pod
        : pod.withStatus(pod.status().withNominatedNodeName(node));
  }
}
