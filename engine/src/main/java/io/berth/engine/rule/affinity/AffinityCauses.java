package io.berth.engine.rule.affinity;

import io.berth.api.LabelSelector;
import io.berth.api.PodAffinityTerm;
import io.berth.engine.Blame;
import io.berth.engine.Cause;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.OwnedTerm;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Shape;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.Causes;
import io.berth.engine.rule.Labels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Which terms keep a pod from a node, its own and those of others, and the pods that are near:
/// once for all nodes of the same domains.
final class AffinityCauses implements Causes {

  private static final String RULE = "InterPodAffinity";
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String AFFINITY = "spec.affinity.podAffinity." + REQUIRED;
  private static final String ANTI_AFFINITY = "spec.affinity.podAntiAffinity." + REQUIRED;

  private static final Comparator<RunningPod> BY_NAME =
      Comparator.comparing(RunningPod::namespace).thenComparing(RunningPod::name);

  private final Shape shape;
  private final ClusterModel cluster;
  private final AffinityTerms terms;
  private final Map<List<Integer>, Why> known = new HashMap<>();
  private final Near company;
  private final List<Near> avoided = new ArrayList<>();
  private final List<Near> shunning = new ArrayList<>();

  AffinityCauses(Shape shape, ClusterModel cluster) {
    this.shape = shape;
    this.cluster = cluster;
    this.terms = AffinityTerms.required(shape, cluster);
    this.company = new Near(terms::wants);
    for (int i = 0; i < terms.antiAffinity().length; i++) {
      int term = i;
      avoided.add(new Near(pod -> terms.avoids(term, pod)));
    }
    for (var term : terms.existing()) {
      shunning.add(new Near(pod -> owns(pod, term)));
    }
  }

  private static boolean owns(Shape pod, OwnedTerm term) {
    for (var owned : pod.owned()) {
      if (owned == term) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Why of(int node) {
    var domains = new ArrayList<Integer>();
    for (var counts : terms.affinity()) {
      domains.add(counts.topology().domainOf(node));
    }
    for (var counts : terms.antiAffinity()) {
      domains.add(counts.topology().domainOf(node));
    }
    for (var term : terms.existing()) {
      domains.add(term.counts().topology().domainOf(node));
    }
    return known.computeIfAbsent(domains, _ -> why(node));
  }

  private Why why(int node) {
    var causes = new ArrayList<Cause>();
    var parts = new ArrayList<List<RunningPod>>();
    missing(node, causes);
    boolean hasCompany = causes.isEmpty();
    avoided(node, causes, parts);
    shunning(node, causes, parts);
    return new Why(causes, blame(node, hasCompany, parts));
  }

  /// Places where no pod is that all terms of the pod mean: one pod has to meet them together.
  private void missing(int node, List<Cause> causes) {
    var wanted = shape.spec().podAffinity().required();
    boolean first = terms.matchesItself() && carriers().isEmpty();
    for (int i = 0; i < wanted.size(); i++) {
      var counts = terms.affinity()[i];
      boolean label = counts.topology().domainOf(node) != Topology.NONE;
      if (!label || (counts.at(node) == 0 && !first)) {
        causes.add(
            Cause.ofPod(
                RULE,
                AFFINITY + "[" + i + "]",
                "a pod with " + together(wanted),
                label
                    ? "none where " + place(node, counts.topology())
                    : noLabel(counts.topology())));
      }
    }
  }

  private static String together(List<PodAffinityTerm> wanted) {
    return String.join(
        "; ", wanted.stream().map(term -> shown(term.labelSelector())).distinct().toList());
  }

  private void avoided(int node, List<Cause> causes, List<List<RunningPod>> parts) {
    var unwanted = shape.spec().podAntiAffinity().required();
    for (int i = 0; i < unwanted.size(); i++) {
      var topology = terms.antiAffinity()[i].topology();
      if (terms.antiAffinity()[i].at(node) > 0) {
        var pods = avoided.get(i).in(topology, node);
        parts.add(pods);
        causes.add(
            Cause.ofPod(
                RULE,
                ANTI_AFFINITY + "[" + i + "]",
                "no pod with " + shown(unwanted.get(i).labelSelector()),
                pods.size() + " where " + place(node, topology)));
      }
    }
  }

  /// Running pods whose own anti-affinity keeps this pod away.
  private void shunning(int node, List<Cause> causes, List<List<RunningPod>> parts) {
    for (int i = 0; i < terms.existing().length; i++) {
      var term = terms.existing()[i];
      var topology = term.counts().topology();
      if (term.counts().at(node) > 0) {
        var pods = shunning.get(i).in(topology, node);
        var owner = Collections.min(pods, BY_NAME);
        parts.add(pods);
        causes.add(
            Cause.ofOther(
                RULE,
                ANTI_AFFINITY + "[" + place(term, owner) + "]",
                owner.key(),
                "keeps pods with "
                    + shown(term.scope().selector())
                    + " out of "
                    + place(node, topology),
                pods.size() == 1 ? "" : pods.size() + " such pods"));
      }
    }
  }

  /// Which of its owner's terms it is.
  private static int place(OwnedTerm term, RunningPod owner) {
    int place = 0;
    for (var owned : owner.shape().owned()) {
      if (owned == term) {
        break;
      }
      place += owned.kind() == term.kind() ? 1 : 0;
    }
    return place;
  }

  /// All that are near and must not be; and, where the pod then misses company, all whose being
  /// gone makes it the first of its kind.
  private @Nullable Blame blame(int node, boolean hasCompany, List<List<RunningPod>> parts) {
    if (terms.affinity().length > 0 && !(hasCompany && keepsCompany(node))) {
      if (!terms.matchesItself() || !hasAllLabels(node)) {
        return null;
      }
      parts.add(carriers());
    }
    return parts.isEmpty() ? null : new Blame(parts);
  }

  private boolean hasAllLabels(int node) {
    for (var counts : terms.affinity()) {
      if (counts.topology().domainOf(node) == Topology.NONE) {
        return false;
      }
    }
    return true;
  }

  /// Whether, when all go that must not be near the node, the pod still has the company it wants.
  private boolean keepsCompany(int node) {
    if (terms.matchesItself() && areAllUnwelcome(carriers(), node)) {
      return true;
    }
    for (var counts : terms.affinity()) {
      if (areAllUnwelcome(company.in(counts.topology(), node), node)) {
        return false;
      }
    }
    return true;
  }

  private boolean areAllUnwelcome(List<RunningPod> pods, int node) {
    for (var pod : pods) {
      if (!isUnwelcome(pod, node)) {
        return false;
      }
    }
    return true;
  }

  private boolean isUnwelcome(RunningPod pod, int node) {
    for (int i = 0; i < avoided.size(); i++) {
      var topology = terms.antiAffinity()[i].topology();
      if (avoided.get(i).means(pod.shape()) && topology.isSame(pod.node(), node)) {
        return true;
      }
    }
    for (int i = 0; i < shunning.size(); i++) {
      var topology = terms.existing()[i].counts().topology();
      if (shunning.get(i).means(pod.shape()) && topology.isSame(pod.node(), node)) {
        return true;
      }
    }
    return false;
  }

  private @Nullable List<RunningPod> carriers;

  /// The pods that match all terms, on nodes that have the label of any.
  private List<RunningPod> carriers() {
    var found = carriers;
    if (found == null) {
      Set<RunningPod> all = new LinkedHashSet<>();
      for (var counts : terms.affinity()) {
        company.byDomain(counts.topology()).forEach(all::addAll);
      }
      found = List.copyOf(all);
      carriers = found;
    }
    return found;
  }

  private static String place(int node, Topology topology) {
    return topology.key() + "=" + topology.value(topology.domainOf(node));
  }

  private static String noLabel(Topology topology) {
    return "the node has no label " + topology.key();
  }

  private static String shown(@Nullable LabelSelector selector) {
    return selector == null ? "labels that nothing selects" : Labels.shown(selector);
  }

  /// The running pods of some shapes by domain, looked up once for each topology.
  private final class Near {

    private final Predicate<Shape> which;
    private final IdentityHashMap<Shape, Boolean> meant = new IdentityHashMap<>();
    private final Map<Topology, List<List<RunningPod>>> byTopology = new HashMap<>();

    Near(Predicate<Shape> which) {
      this.which = which;
    }

    boolean means(Shape pod) {
      return meant.computeIfAbsent(pod, which::test);
    }

    List<RunningPod> in(Topology topology, int node) {
      int domain = topology.domainOf(node);
      return domain == Topology.NONE ? List.of() : byDomain(topology).get(domain);
    }

    List<List<RunningPod>> byDomain(Topology topology) {
      return byTopology.computeIfAbsent(topology, this::find);
    }

    private List<List<RunningPod>> find(Topology topology) {
      var byDomain =
          new ArrayList<>(Collections.nCopies(topology.domainCount(), List.<RunningPod>of()));
      var nodes = cluster.nodes();
      for (int node = 0; node < nodes.limit(); node++) {
        int domain = nodes.isPresent(node) ? topology.domainOf(node) : Topology.NONE;
        var found = domain == Topology.NONE ? List.<RunningPod>of() : on(node);
        if (found.isEmpty()) {
          continue;
        }
        if (byDomain.get(domain).isEmpty()) {
          byDomain.set(domain, found);
        } else {
          byDomain.get(domain).addAll(found);
        }
      }
      return byDomain;
    }

    private List<RunningPod> on(int node) {
      var pods = cluster.nodes().pods(node);
      var found = new ArrayList<RunningPod>();
      for (int i = 0; i < pods.size(); i++) {
        if (means(pods.get(i).shape())) {
          found.add(pods.get(i));
        }
      }
      return found;
    }
  }
}
