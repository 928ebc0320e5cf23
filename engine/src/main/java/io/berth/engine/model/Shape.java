package io.berth.engine.model;

import io.berth.api.Container;
import io.berth.api.Pod;
import io.berth.api.PodSpec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What pods have in common that scheduling cannot tell apart: namespace, labels, owner and spec.
///
/// The replicas of a Deployment are one shape. A shape serves both as the newcomer to be placed and
/// as the pods that run. Shapes are made and owned by [ClusterModel]; compare them by identity.
public final class Shape {

  /// Pods with equal keys are one shape; `running` is set only while a resize makes a difference.
  record Key(
      String namespace,
      Map<String, String> labels,
      Pod.@Nullable OwnerReference controller,
      PodSpec spec,
      boolean terminating,
      boolean preemptedByScheduler,
      @Nullable Object resize) {}

  /// What whoever decides about a shape remembers about it until next time.
  public interface Memo {}

  private static final OwnedTerm[] NO_TERMS = {};

  final Key key;
  final Cohort cohort;
  private final Requests incoming;
  private final Requests running;
  private final Container.Port[] ports;
  OwnedTerm[] owned = NO_TERMS;
  int[] ownedWeights = {};
  int pods;
  long lastUse;

  private @Nullable Memo memo;

  Shape(Key key, Cohort cohort, Requests incoming, Requests running, Container.Port[] ports) {
    this.key = key;
    this.cohort = cohort;
    this.incoming = incoming;
    this.running = running;
    this.ports = ports;
  }

  public String namespace() {
    return key.namespace;
  }

  public Map<String, String> labels() {
    return key.labels;
  }

  public PodSpec spec() {
    return key.spec;
  }

  public Pod.@Nullable OwnerReference controller() {
    return key.controller;
  }

  public boolean terminating() {
    return key.terminating;
  }

  public boolean preemptedByScheduler() {
    return key.preemptedByScheduler;
  }

  public int priority() {
    return key.spec.priority();
  }

  /// What a newcomer of this shape asks for.
  public Requests requests() {
    return incoming;
  }

  /// What a running pod of this shape takes.
  public Requests running() {
    return running;
  }

  public Container.Port[] ports() {
    return ports;
  }

  /// The terms a running pod of this shape owns.
  public OwnedTerm[] owned() {
    return owned;
  }

  /// What was last remembered, or `null`.
  public @Nullable Memo memo() {
    return memo;
  }

  public void remember(Memo something) {
    memo = something;
  }

  void forget() {
    memo = null;
  }
}
