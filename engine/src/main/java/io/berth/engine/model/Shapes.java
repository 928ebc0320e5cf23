package io.berth.engine.model;

import io.berth.api.Pod;
import io.berth.api.PodAffinity;
import io.berth.api.PodAffinityTerm;
import io.berth.api.PodStatus;
import io.berth.engine.model.OwnedTerm.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Interns shapes and the cohorts they belong to.
///
/// A shape is kept while pods of it run, and some time longer: at most [#MAX_IDLE] shapes without
/// running pods are remembered, of which the longest unused go first.
final class Shapes {

  static final int MAX_IDLE = 16_384;

  private final ResourceNames resources;
  private final Terms terms;
  private final Map<Shape.Key, Shape> shapes = new HashMap<>();
  private final Map<CohortKey, Cohort> cohorts = new HashMap<>();
  private int idle;
  private long clock;

  // The pod last asked about: its spec and labels are often the very ones of the next.
  private @Nullable Pod lastPod;
  private @Nullable Shape lastShape;

  private record CohortKey(String namespace, Map<String, String> labels, boolean terminating) {}

  private record Resize(
      long cpu, long memory, long nonZeroCpu, long nonZeroMemory, Object scalars) {}

  Shapes(ResourceNames resources, Terms terms) {
    this.resources = resources;
    this.terms = terms;
  }

  /// The shape of a pod; as a newcomer its status does not matter.
  Shape of(Pod pod, boolean running) {
    var last = lastPod;
    if (last != null && lastShape != null && alike(last, pod)) {
      lastShape.lastUse = ++clock;
      return lastShape;
    }
    var shape = intern(pod, running);
    shape.lastUse = ++clock;
    if (isPlain(pod)) {
      lastPod = pod;
      lastShape = shape;
    }
    return shape;
  }

  // Identity is the point: it is cheap, and equal values that are not the same go the longer way.
  @SuppressWarnings("ReferenceEquality")
  private static boolean alike(Pod a, Pod b) {
    return a.spec() == b.spec()
        && a.labels() == b.labels()
        && a.controller() == b.controller()
        && a.namespace().equals(b.namespace())
        && isPlain(b);
  }

  private static boolean isPlain(Pod pod) {
    var status = pod.status();
    return !pod.terminating() && !status.preemptedByScheduler() && !mayBeResized(status);
  }

  /// Whether what the pod takes on its node may differ from what its spec asks for.
  private static boolean mayBeResized(PodStatus status) {
    return status.resizeInfeasible()
        || !status.containerStatuses().isEmpty()
        || status.allocatedResources() != null
        || status.actualRequests() != null;
  }

  /// Requests are added up for shapes that are new; a resize is part of what tells shapes apart.
  private Shape intern(Pod pod, boolean running) {
    if (running && mayBeResized(pod.status())) {
      return internResized(pod);
    }
    var key = key(pod, running, null);
    var known = shapes.get(key);
    if (known != null) {
      return known;
    }
    var requests = PodRequests.incoming(pod.spec(), resources);
    return make(key, requests, requests);
  }

  private Shape internResized(Pod pod) {
    var requests = PodRequests.incoming(pod.spec(), resources);
    var taken = PodRequests.running(pod.spec(), pod.status(), resources);
    var key = key(pod, true, sameRequests(requests, taken) ? null : summary(taken));
    var known = shapes.get(key);
    return known != null ? known : make(key, requests, taken);
  }

  private static Shape.Key key(Pod pod, boolean running, @Nullable Object resize) {
    return new Shape.Key(
        pod.namespace(),
        pod.labels(),
        pod.controller(),
        pod.spec(),
        running && pod.terminating(),
        running && pod.status().preemptedByScheduler(),
        resize);
  }

  private static boolean sameRequests(Requests a, Requests b) {
    return summary(a).equals(summary(b));
  }

  private static Resize summary(Requests requests) {
    var scalars = new HashMap<Integer, Long>();
    for (int i = 0; i < requests.scalars().length; i++) {
      scalars.put(requests.scalars()[i], requests.scalarAmounts()[i]);
    }
    scalars.put(-1, requests.ephemeralBytes());
    return new Resize(
        requests.cpuMillis(),
        requests.memoryBytes(),
        requests.nonZeroCpuMillis(),
        requests.nonZeroMemoryBytes(),
        scalars);
  }

  private Shape make(Shape.Key key, Requests requests, Requests taken) {
    var shape = new Shape(key, cohortOf(key), requests, taken, HostPorts.of(key.spec()));
    shape.cohort.shapes++;
    shapes.put(key, shape);
    shape.lastUse = ++clock;
    idle++;
    if (idle > MAX_IDLE) {
      dropIdle();
    }
    return shape;
  }

  private Cohort cohortOf(Shape.Key key) {
    return cohorts.computeIfAbsent(
        new CohortKey(key.namespace(), key.labels(), key.terminating()),
        k -> terms.watch(new Cohort(k.namespace(), k.labels(), k.terminating())));
  }

  /// The shape to count a pod with that was taken out earlier: its own may have been forgotten.
  Shape revive(Shape shape) {
    if (shape.pods > 0) {
      // In use, so it was never forgotten; keys are large, and looking one up is not free.
      return shape;
    }
    var known = shapes.get(shape.key);
    return known != null ? known : make(shape.key, shape.requests(), shape.running());
  }

  /// Counts pods that run with a shape; the terms it owns exist from the first to the last.
  void use(Shape shape, int delta) {
    if (shape.pods == 0 && delta > 0) {
      idle--;
      own(shape);
    }
    shape.pods += delta;
    if (shape.pods == 0) {
      idle++;
      disown(shape);
    }
  }

  private void own(Shape shape) {
    var owned = new ArrayList<OwnedTerm>();
    var weights = new ArrayList<Integer>();
    var spec = shape.spec();
    own(shape, Kind.REQUIRED_AFFINITY, spec.podAffinity().required(), owned, weights);
    own(shape, Kind.REQUIRED_ANTI_AFFINITY, spec.podAntiAffinity().required(), owned, weights);
    prefer(shape, spec.podAffinity().preferred(), 1, owned, weights);
    prefer(shape, spec.podAntiAffinity().preferred(), -1, owned, weights);
    shape.owned = owned.toArray(OwnedTerm[]::new);
    shape.ownedWeights = weights.stream().mapToInt(weight -> weight).toArray();
  }

  private void own(
      Shape shape,
      Kind kind,
      List<PodAffinityTerm> required,
      List<OwnedTerm> owned,
      List<Integer> weights) {
    for (var term : required) {
      owned.add(terms.own(kind, Scope.of(term, shape.namespace()), term.topologyKey()));
      weights.add(1);
    }
  }

  private void prefer(
      Shape shape,
      List<PodAffinity.Preferred> preferred,
      int sign,
      List<OwnedTerm> owned,
      List<Integer> weights) {
    for (var each : preferred) {
      var scope = Scope.of(each.term(), shape.namespace());
      owned.add(terms.own(Kind.PREFERRED, scope, each.term().topologyKey()));
      weights.add(sign * each.weight());
    }
  }

  private void disown(Shape shape) {
    for (var term : shape.owned) {
      terms.disown(term);
    }
    shape.owned = new OwnedTerm[0];
    shape.ownedWeights = new int[0];
  }

  private void dropIdle() {
    var unused = new ArrayList<Shape>();
    for (var shape : shapes.values()) {
      if (shape.pods == 0) {
        unused.add(shape);
      }
    }
    unused.sort((a, b) -> Long.compare(a.lastUse, b.lastUse));
    for (var shape : unused.subList(0, unused.size() / 2)) {
      shapes.remove(shape.key);
      shape.forget();
      idle--;
      if (--shape.cohort.shapes == 0) {
        var cohort = shape.cohort;
        cohorts.remove(new CohortKey(cohort.namespace, cohort.labels, cohort.terminating));
        terms.unwatch(cohort);
      }
    }
    lastPod = null;
    lastShape = null;
  }

  Collection<Cohort> cohorts() {
    return cohorts.values();
  }
}
