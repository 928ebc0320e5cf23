package io.berth.quota.decide;

import io.berth.api.Container;
import io.berth.api.NodeAffinity;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.Pod;
import io.berth.api.PodAffinity;
import io.berth.api.PodSpec;
import io.berth.api.PodStatus;
import io.berth.api.Quantity;
import io.berth.api.Requirement;
import io.berth.engine.Engine;
import io.berth.quota.GpuRequest;
import io.berth.quota.NodePool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Pods as the engine is asked about them: kept to one pool, packed or spread as the pool says.
///
/// Gates are gone, since lifting them is what is being decided, and so is the controller, which
/// would keep the engine from seeing that pods of two Jobs are alike.
final class Templates {

  static final String GPU = "nvidia.com/gpu";

  private static final String ANYWHERE = "anywhere";
  private static final Map<String, String> NO_LABELS = Map.of();

  private final NodePool pool;
  private final Engine engine;
  private final Map<PodSpec, PodSpec> specs = new HashMap<>();

  /// The same by identity: specs are large, and each is hashed only once.
  private final IdentityHashMap<PodSpec, PodSpec> made = new IdentityHashMap<>();

  private final IdentityHashMap<PodSpec, Integer> numbers = new IdentityHashMap<>();

  private final Map<Variant, PodSpec> variants = new HashMap<>();

  /// A spec with whole devices on top, and on devices with so much memory; 0 for any.
  private record Variant(int spec, int fresh, long mebibytes) {}

  Templates(NodePool pool, Engine engine) {
    this.pool = pool;
    this.engine = engine;
  }

  Pod inPool(Pod pod) {
    return with(pod, specInPool(pod.spec()));
  }

  /// A pod that shares devices, kept to nodes with `fresh` whole devices free.
  Pod sharing(Pod pod, GpuRequest request, int fresh) {
    var spec = specInPool(pod.spec());
    long mebibytes =
        request instanceof GpuRequest.Memory(var _, var bytes) ? Math.ceilDiv(bytes, 1L << 20) : 0;
    var variant = new Variant(numberOf(spec), fresh, mebibytes);
    return with(pod, variants.computeIfAbsent(variant, _ -> vary(spec, fresh, mebibytes)));
  }

  private PodSpec vary(PodSpec spec, int fresh, long mebibytes) {
    var varied = fresh > 0 ? withContainer(spec, fresh) : spec;
    return mebibytes > 0 ? withDeviceMemory(varied, mebibytes) : varied;
  }

  /// A pod made by this class, kept to one domain of a topology.
  Pod within(Pod pod, Domains.Domain domain) {
    var narrowed = narrowed(pod.spec(), domain);
    return with(pod, narrowed);
  }

  private PodSpec narrowed(PodSpec spec, Domains.Domain domain) {
    var terms = new ArrayList<NodeSelectorTerm>();
    for (var term : required(spec)) {
      terms.add(term.isEmpty() ? term : and(term, domain.clauses()));
    }
    return withNodes(spec, terms);
  }

  /// Whether nothing about the pod but its spec can matter: then pods of all projects are alike.
  boolean isAnybody(PodSpec spec) {
    return !engine.hasAffinityTerms()
        && spec.podAffinity().equals(PodAffinity.NONE)
        && spec.podAntiAffinity().equals(PodAffinity.NONE)
        && spec.topologySpreadConstraints().isEmpty()
        && spec.volumes().isEmpty()
        && spec.resourceClaims().isEmpty();
  }

  private Pod with(Pod pod, PodSpec spec) {
    boolean anybody = isAnybody(spec);
    return new Pod(
        anybody ? ANYWHERE : pod.namespace(),
        pod.name(),
        pod.uid(),
        anybody ? NO_LABELS : pod.labels(),
        null,
        false,
        "",
        spec,
        PodStatus.NONE);
  }

  /// Equal specs come to be the same one.
  PodSpec specInPool(PodSpec spec) {
    return made.computeIfAbsent(spec, asked -> specs.computeIfAbsent(asked, this::make));
  }

  /// A number for a spec that [#specInPool] made; the same for no other.
  int numberOf(PodSpec spec) {
    return numbers.computeIfAbsent(spec, _ -> numbers.size());
  }

  private PodSpec make(PodSpec spec) {
    var required = spec.nodeAffinity().required();
    var terms = new ArrayList<NodeSelectorTerm>();
    if (required == null) {
      terms.add(new NodeSelectorTerm(pool.nodes(), List.of()));
    } else {
      for (var term : required) {
        // An empty term matches no node, and must not come to match the whole pool.
        terms.add(term.isEmpty() ? term : and(term, pool.nodes()));
      }
    }
    return withNodes(spec, terms);
  }

  private PodSpec withDeviceMemory(PodSpec spec, long mebibytes) {
    var enough = new Requirement(Pool.DEVICE_MEMORY, "Gt", List.of(Long.toString(mebibytes - 1)));
    var terms = new ArrayList<NodeSelectorTerm>();
    for (var term : required(spec)) {
      terms.add(term.isEmpty() ? term : and(term, List.of(enough)));
    }
    return withNodes(spec, terms);
  }

  // A spec made by this class always has terms: at least the one of its pool.
  private static List<NodeSelectorTerm> required(PodSpec spec) {
    return Objects.requireNonNull(spec.nodeAffinity().required());
  }

  private static NodeSelectorTerm and(NodeSelectorTerm term, List<Requirement> expressions) {
    var all = new ArrayList<>(term.matchExpressions());
    all.addAll(expressions);
    return new NodeSelectorTerm(all, term.matchFields());
  }

  private PodSpec withContainer(PodSpec spec, int devices) {
    var containers = new ArrayList<>(spec.containers());
    containers.add(gpus(devices));
    return copy(spec, spec.nodeAffinity(), containers);
  }

  static Container gpus(int devices) {
    return new Container(
        "devices", "", Map.of(GPU, Quantity.of(devices)), List.of(), false, List.of());
  }

  private PodSpec withNodes(PodSpec spec, List<NodeSelectorTerm> terms) {
    var affinity = new NodeAffinity(terms, spec.nodeAffinity().preferred());
    return copy(spec, affinity, spec.containers());
  }

  private PodSpec copy(PodSpec spec, NodeAffinity affinity, List<Container> containers) {
    return new PodSpec(
        spec.initContainers(),
        containers,
        spec.overhead(),
        spec.podRequests(),
        spec.nodeSelector(),
        affinity,
        spec.podAffinity(),
        spec.podAntiAffinity(),
        spec.tolerations(),
        spec.topologySpreadConstraints(),
        spec.priority(),
        true,
        pool.strategy().name(),
        List.of(),
        spec.volumes(),
        spec.resourceClaims(),
        spec.features());
  }
}
