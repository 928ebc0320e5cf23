package io.berth.engine.decide;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.DomainCounts;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.affinity.AffinityPreferences;
import io.berth.engine.rule.affinity.AffinityTerms;
import io.berth.engine.rule.spread.SpreadConstraint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The keys by which a view groups its nodes: where each component stands, how it is read from a
/// node, and what it means.
///
/// A key holds, in this order: raw scores that depend on the node object and are normalised; the
/// node's domains in topologies that nodes share; counts in topologies where every node is a domain
/// of its own. Everything a group's verdict and normalised scores need follows from that and from
/// counters that are kept elsewhere.
final class GroupKeys {

  private static final int MAX_AFFINITY_TERMS = 14;
  private static final int ANTI = 1 << 28;
  private static final int EXISTING = 1 << 29;

  private final @Nullable NodeScore taints;
  private final @Nullable NodeScore nodeAffinity;
  private final SpreadConstraint[] hardConstraints;
  private final SpreadConstraint[] softConstraints;
  private final boolean requiresAllKeys;
  private final SpreadCounts[] hard;
  private final SpreadCounts[] soft;
  private final @Nullable AffinityTerms required;
  private final @Nullable AffinityPreferences preferences;
  private final List<Topology> shared = new ArrayList<>();
  private final List<Topology> separate = new ArrayList<>();

  private final int taintAt;
  private final int nodeAffinityAt;
  private final int domainsAt;
  private final int hardAt;
  private final int softAt;
  private final int flagsAt;
  private final int preferenceAt;
  private final int components;

  GroupKeys(ViewFilters filters, ViewScores scores, ClusterModel cluster) {
    this.taints = scores.taints();
    this.nodeAffinity = scores.nodeAffinity();
    this.hardConstraints = filters.hard();
    this.softConstraints = scores.soft();
    this.requiresAllKeys = scores.requiresAllKeys();
    this.required = filters.required();
    this.preferences = scores.preferences();
    this.hard = counts(hardConstraints, cluster.nodes().capacity());
    this.soft = counts(softConstraints, cluster.nodes().capacity());
    findTopologies();
    int at = 0;
    this.taintAt = taints == null ? -1 : at++;
    this.nodeAffinityAt = nodeAffinity == null ? -1 : at++;
    this.domainsAt = at;
    this.hardAt = domainsAt + shared.size();
    this.softAt = hardAt + hard.length;
    at = softAt + soft.length;
    this.flagsAt = required == null || !hasTerms(required) ? -1 : at++;
    this.preferenceAt = preferences == null || preferences.size() == 0 ? -1 : at++;
    this.components = at;
  }

  private static SpreadCounts[] counts(SpreadConstraint[] constraints, int capacity) {
    var counts = new SpreadCounts[constraints.length];
    for (int c = 0; c < counts.length; c++) {
      counts[c] = new SpreadCounts(constraints[c], capacity);
    }
    return counts;
  }

  private void findTopologies() {
    for (var constraint : hardConstraints) {
      use(constraint.topology());
    }
    for (var constraint : softConstraints) {
      if (!constraint.isByHostname()) {
        use(constraint.topology());
      }
    }
    if (required != null) {
      for (var counts : required.affinity()) {
        use(counts.topology());
      }
      for (var counts : required.antiAffinity()) {
        use(counts.topology());
      }
      for (var term : required.existing()) {
        use(term.counts().topology());
      }
    }
    for (int i = 0; preferences != null && i < preferences.size(); i++) {
      use(preferences.counts(i).topology());
    }
  }

  private void use(Topology topology) {
    var list = topology.isShared() ? shared : separate;
    if (!list.contains(topology)) {
      list.add(topology);
    }
  }

  private static boolean hasTerms(AffinityTerms terms) {
    return terms.affinity().length > 0
        || terms.antiAffinity().length > 0
        || terms.existing().length > 0;
  }

  /// What is known of each required term must fit the bits of one component.
  boolean isViewable() {
    boolean fits = required == null || required.affinity().length <= MAX_AFFINITY_TERMS;
    return fits && !isEmptyLikeMissing();
  }

  // Where nodes without a key are scored, they share a domain with those whose value is empty.
  private boolean isEmptyLikeMissing() {
    if (requiresAllKeys) {
      return false;
    }
    for (var constraint : softConstraints) {
      if (constraint.topology().emptyDomain() != Topology.NONE) {
        return true;
      }
    }
    return false;
  }

  int components() {
    return components;
  }

  /// How many components at the start of a key depend on the node object alone.
  int nodeComponents() {
    return hardAt;
  }

  boolean topologiesAreCurrent() {
    if (isEmptyLikeMissing()) {
      return false;
    }
    for (int i = 0; i < shared.size(); i++) {
      if (!shared.get(i).isShared()) {
        return false;
      }
    }
    for (int i = 0; i < separate.size(); i++) {
      if (separate.get(i).isShared()) {
        return false;
      }
    }
    return true;
  }

  void grow(int capacity) {
    for (var counts : hard) {
      counts.grow(capacity);
    }
    for (var counts : soft) {
      counts.grow(capacity);
    }
  }

  /// Fills in what depends on the node object, and whether spread constraints count the node.
  void readNode(int node, int[] key) {
    if (taints != null) {
      key[taintAt] = (int) taints.raw(node);
    }
    if (nodeAffinity != null) {
      key[nodeAffinityAt] = (int) nodeAffinity.raw(node);
    }
    for (int i = 0; i < shared.size(); i++) {
      key[domainsAt + i] = shared.get(i).domainOf(node);
    }
    boolean counted = SpreadConstraint.hasAllKeys(hardConstraints, node);
    for (var counts : hard) {
      counts.set(node, counted && counts.constraint().includes(node));
    }
    boolean scored = !requiresAllKeys || SpreadConstraint.hasAllKeys(softConstraints, node);
    for (var counts : soft) {
      boolean has = counts.constraint().topology().domainOf(node) != Topology.NONE;
      counts.set(node, scored && has && counts.constraint().includes(node));
    }
  }

  /// Fills in what depends on the pods of the node.
  void readPods(int node, int[] key) {
    for (int c = 0; c < hard.length; c++) {
      hard[c].set(node, hard[c].counts(node));
      key[hardAt + c] = hard[c].isShared() ? 0 : ownCount(hard[c], node);
    }
    for (int c = 0; c < soft.length; c++) {
      soft[c].set(node, soft[c].counts(node));
      key[softAt + c] = softCount(soft[c], node);
    }
    if (flagsAt >= 0 && required != null) {
      key[flagsAt] = flags(required, node);
    }
    if (preferenceAt >= 0 && preferences != null) {
      key[preferenceAt] = ownPreference(preferences, node);
    }
  }

  private static int ownCount(SpreadCounts counts, int node) {
    return counts.constraint().topology().domainOf(node) == Topology.NONE
        ? -1
        : counts.onNode(node);
  }

  // As in Kubernetes, host names count the node's pods whatever the inclusion policies say.
  private static int softCount(SpreadCounts counts, int node) {
    var constraint = counts.constraint();
    if (constraint.isByHostname()) {
      return constraint.topology().domainOf(node) == Topology.NONE ? -1 : constraint.podsOn(node);
    }
    return counts.isShared() ? 0 : ownCount(counts, node);
  }

  private static int flags(AffinityTerms terms, int node) {
    int flags = 0;
    var affinity = terms.affinity();
    for (int i = 0; i < affinity.length; i++) {
      if (isOwn(affinity[i])) {
        boolean has = affinity[i].topology().domainOf(node) != Topology.NONE;
        int state = !has ? 2 : affinity[i].at(node) > 0 ? 1 : 0;
        flags |= state << (2 * i);
      }
    }
    for (var counts : terms.antiAffinity()) {
      flags |= isOwn(counts) && counts.at(node) > 0 ? ANTI : 0;
    }
    for (var term : terms.existing()) {
      flags |= isOwn(term.counts()) && term.counts().at(node) > 0 ? EXISTING : 0;
    }
    return flags;
  }

  private static boolean isOwn(DomainCounts counts) {
    return !counts.topology().isShared();
  }

  private static int ownPreference(AffinityPreferences preferences, int node) {
    int sum = 0;
    for (int i = 0; i < preferences.size(); i++) {
      if (isOwn(preferences.counts(i))) {
        sum += preferences.counts(i).at(node) * preferences.weight(i);
      }
    }
    return sum;
  }

  /// Takes a node out of all counts.
  void forget(int node) {
    for (var counts : hard) {
      counts.set(node, false);
    }
    for (var counts : soft) {
      counts.set(node, false);
    }
  }

  SpreadCounts[] hard() {
    return hard;
  }

  SpreadCounts[] soft() {
    return soft;
  }

  /// The required terms if any means this shape, else `null`.
  @Nullable AffinityTerms required() {
    return flagsAt < 0 ? null : required;
  }

  int taintRaw(Group group) {
    return group.key[taintAt];
  }

  int nodeAffinityRaw(Group group) {
    return group.key[nodeAffinityAt];
  }

  /// Where in a key the domain of a topology stands, or -1 if nodes do not share its domains.
  int domainComponent(Topology topology) {
    int index = shared.indexOf(topology);
    return index < 0 ? -1 : domainsAt + index;
  }

  int hardCount(Group group, int c) {
    return group.key[hardAt + c];
  }

  int softCount(Group group, int c) {
    return group.key[softAt + c];
  }

  /// 0: nobody there, 1: somebody, 2: the node lacks the label.
  int ownAffinity(Group group, int term) {
    return (group.key[flagsAt] >> (2 * term)) & 3;
  }

  boolean violatesOwnAnti(Group group) {
    return (group.key[flagsAt] & ANTI) != 0;
  }

  boolean violatesOwnExisting(Group group) {
    return (group.key[flagsAt] & EXISTING) != 0;
  }

  int ownPreference(Group group) {
    return group.key[preferenceAt];
  }
}
