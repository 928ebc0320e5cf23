package io.berth.engine.decide;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.DomainCounts;
import io.berth.engine.model.OwnedTerm;
import io.berth.engine.model.Shape;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.AffinityPreferences;
import io.berth.engine.rule.AffinityTerms;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.ImageLocality;
import io.berth.engine.rule.InterPodAffinity;
import io.berth.engine.rule.NodeAffinity;
import io.berth.engine.rule.NodeResourcesBalancedAllocation;
import io.berth.engine.rule.NodeResourcesFit;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.PodTopologySpread;
import io.berth.engine.rule.Profile;
import io.berth.engine.rule.SpreadConstraint;
import io.berth.engine.rule.TaintToleration;
import io.berth.engine.rule.VolumeBinding;
import io.berth.engine.rule.Watch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of a profile as a view uses them: what is a node's own, and what belongs in group
/// keys.
///
/// A key holds, in this order: raw scores that depend on the node object and are normalised; the
/// node's domains in topologies that nodes share; counts in topologies where every node is a domain
/// of its own. Everything a group's verdict and normalised scores need follows from that and from
/// counters that are kept elsewhere.
final class ViewRules {

  private static final int MAX_AFFINITY_TERMS = 14;
  private static final int ANTI = 1 << 28;
  private static final int EXISTING = 1 << 29;

  private final Shape shape;
  private final Profile profile;
  private final ClusterModel cluster;

  private NodeTest[] nodeTests = {};
  private NodeTest[] podTests = {};
  private int[] nodeRanks = {};
  private int[] podRanks = {};
  private int spreadRank = Integer.MAX_VALUE;
  private int affinityRank = Integer.MAX_VALUE;

  private final List<NodeScore> localScores = new ArrayList<>();
  private final List<Long> localWeights = new ArrayList<>();
  private @Nullable NodeScore taints;
  private long taintWeight;
  private @Nullable NodeScore affinity;
  private long affinityWeight;
  private long spreadWeight;
  private long preferenceWeight;

  private SpreadCounts[] hard = {};
  private SpreadCounts[] soft = {};
  private SpreadConstraint[] hardConstraints = {};
  private SpreadConstraint[] softConstraints = {};
  private boolean requiresAllKeys;
  private @Nullable AffinityTerms required;
  private @Nullable AffinityPreferences preferences;
  private final List<Topology> shared = new ArrayList<>();
  private final List<Topology> separate = new ArrayList<>();

  private int taintAt = -1;
  private int affinityAt = -1;
  private int domainsAt;
  private int hardAt;
  private int softAt;
  private int flagsAt = -1;
  private int preferenceAt = -1;
  private int nodeComponents;
  private int components;

  private boolean viewable = true;
  private final long generation;
  private long ownedChanges;
  private List<OwnedTerm> met;
  private int ownerChanges;
  private final @Nullable Object defaultSelector;
  private List<String> images = List.of();
  private long imageFingerprint;

  ViewRules(Shape shape, Profile profile, ClusterModel cluster) {
    this.shape = shape;
    this.profile = profile;
    this.cluster = cluster;
    readFilters();
    readScores();
    this.generation = cluster.terms().generation();
    this.ownedChanges = cluster.terms().ownedChanges();
    this.met = cluster.terms().meeting(shape);
    this.ownerChanges = cluster.owners().changes();
    this.defaultSelector = cluster.owners().selectorFor(shape);
    layOut();
  }

  /// Whether this profile and shape can be kept as a view at all.
  boolean isViewable() {
    return viewable;
  }

  private void readFilters() {
    var ofNode = new ArrayList<Integer>();
    var ofPods = new ArrayList<Integer>();
    var tests = new ArrayList<NodeTest>();
    for (int rank = 0; rank < profile.filters().size(); rank++) {
      var rule = profile.filters().get(rank);
      tests.add(NodeTest.ALL);
      switch (rule) {
        case PodTopologySpread spread -> {
          spreadRank = rank;
          hardConstraints = spread.hard(shape, cluster);
        }
        case InterPodAffinity _ -> {
          affinityRank = rank;
          viewable &= InterPodAffinity.problemWith(shape.spec()) == null;
          required = AffinityTerms.required(shape, cluster);
        }
        default -> {
          var test = rule.testFor(shape, cluster);
          tests.set(rank, test);
          if (!test.equals(NodeTest.ALL)) {
            sort(rule, test, rank, ofNode, ofPods);
          }
        }
      }
    }
    nodeRanks = ofNode.stream().mapToInt(rank -> rank).toArray();
    podRanks = ofPods.stream().mapToInt(rank -> rank).toArray();
    nodeTests = ofNode.stream().map(tests::get).toArray(NodeTest[]::new);
    podTests = ofPods.stream().map(tests::get).toArray(NodeTest[]::new);
  }

  private void sort(
      FilterRule rule, NodeTest test, int rank, List<Integer> ofNode, List<Integer> ofPods) {
    if (rule.watches().contains(Watch.CLUSTER) || test.veto() != null || test.onlyNodes() != null) {
      viewable = false;
    } else if (rule.watches().contains(Watch.PODS_ON_NODE)) {
      ofPods.add(rank);
    } else {
      ofNode.add(rank);
    }
  }

  private void readScores() {
    for (var weighted : profile.scores()) {
      long weight = weighted.weight();
      switch (weighted.rule()) {
        case PodTopologySpread spread -> {
          softConstraints = spread.soft(shape, cluster);
          requiresAllKeys = spread.requiresAllKeys(shape);
          spreadWeight = weight;
        }
        case InterPodAffinity rule -> {
          preferences = rule.isSkipped(shape) ? null : rule.preferences(shape, cluster);
          preferenceWeight = weight;
        }
        case TaintToleration rule -> {
          taints = rule.scoreFor(shape, cluster);
          taintWeight = weight;
        }
        case NodeAffinity rule -> {
          var score = rule.scoreFor(shape, cluster);
          affinity = score.equals(NodeScore.SKIP) ? null : score;
          affinityWeight = weight;
        }
        case NodeResourcesFit rule -> addLocal(rule.scoreFor(shape, cluster), weight);
        case NodeResourcesBalancedAllocation rule ->
            addLocal(rule.scoreFor(shape, cluster), weight);
        case ImageLocality rule -> {
          images = ImageLocality.imageNames(shape);
          imageFingerprint = ImageLocality.fingerprint(images, cluster);
          if (imageFingerprint != 0) {
            addLocal(rule.scoreFor(shape, cluster), weight);
          }
        }
        case VolumeBinding rule -> viewable &= rule.scoreFor(shape, cluster).equals(NodeScore.SKIP);
        default -> viewable = false;
      }
    }
  }

  private void addLocal(NodeScore score, long weight) {
    if (!score.equals(NodeScore.SKIP)) {
      localScores.add(score);
      localWeights.add(weight);
    }
  }

  private void layOut() {
    int at = 0;
    if (taints != null) {
      taintAt = at++;
    }
    if (affinity != null) {
      affinityAt = at++;
    }
    for (var constraint : hardConstraints) {
      use(constraint.topology());
    }
    for (var constraint : softConstraints) {
      if (!constraint.isByHostname()) {
        use(constraint.topology());
      }
    }
    var terms = required;
    if (terms != null) {
      viewable &= terms.affinity().length <= MAX_AFFINITY_TERMS;
      for (var counts : terms.affinity()) {
        use(counts.topology());
      }
      for (var counts : terms.antiAffinity()) {
        use(counts.topology());
      }
      for (var term : terms.existing()) {
        use(term.counts().topology());
      }
    }
    var wishes = preferences;
    for (int i = 0; wishes != null && i < wishes.size(); i++) {
      use(wishes.counts(i).topology());
    }
    domainsAt = at;
    at += shared.size();
    nodeComponents = at;
    hardAt = at;
    at += hardConstraints.length;
    softAt = at;
    at += softConstraints.length;
    if (terms != null && hasTerms(terms)) {
      flagsAt = at++;
    }
    if (wishes != null && wishes.size() > 0) {
      preferenceAt = at++;
    }
    components = at;
    int capacity = cluster.nodes().capacity();
    hard = counts(hardConstraints, capacity);
    soft = counts(softConstraints, capacity);
  }

  private static boolean hasTerms(AffinityTerms terms) {
    return terms.affinity().length > 0
        || terms.antiAffinity().length > 0
        || terms.existing().length > 0;
  }

  private static SpreadCounts[] counts(SpreadConstraint[] constraints, int capacity) {
    var counts = new SpreadCounts[constraints.length];
    for (int c = 0; c < counts.length; c++) {
      counts[c] = new SpreadCounts(constraints[c], capacity);
    }
    return counts;
  }

  private void use(Topology topology) {
    var list = topology.isShared() ? shared : separate;
    if (!list.contains(topology)) {
      list.add(topology);
    }
  }

  int components() {
    return components;
  }

  /// How many components at the start of a key depend on the node object alone.
  int nodeComponents() {
    return nodeComponents;
  }

  NodeTest[] nodeTests() {
    return nodeTests;
  }

  int[] nodeRanks() {
    return nodeRanks;
  }

  NodeTest[] podTests() {
    return podTests;
  }

  int[] podRanks() {
    return podRanks;
  }

  String ruleName(int rank) {
    return profile.filters().get(rank).name();
  }

  int spreadRank() {
    return spreadRank;
  }

  int affinityRank() {
    return affinityRank;
  }

  void grow(int capacity) {
    for (var counts : hard) {
      counts.grow(capacity);
    }
    for (var counts : soft) {
      counts.grow(capacity);
    }
  }

  /// Whether what was read of the cluster when the view was made still holds.
  boolean areCurrent() {
    var terms = cluster.terms();
    if (generation != terms.generation()) {
      return false;
    }
    if (ownedChanges != terms.ownedChanges()) {
      ownedChanges = terms.ownedChanges();
      var now = terms.meeting(shape);
      if (!now.equals(met)) {
        return false;
      }
      met = now;
    }
    if (ownerChanges != cluster.owners().changes()) {
      ownerChanges = cluster.owners().changes();
      if (!java.util.Objects.equals(defaultSelector, cluster.owners().selectorFor(shape))) {
        return false;
      }
    }
    return imageFingerprint == ImageLocality.fingerprint(images, cluster) && topologiesAreCurrent();
  }

  private boolean topologiesAreCurrent() {
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

  /// Fills in what depends on the node object, and whether spread constraints count the node.
  void readNode(int node, int[] key) {
    if (taintAt >= 0 && taints != null) {
      key[taintAt] = (int) taints.raw(node);
    }
    if (affinityAt >= 0 && affinity != null) {
      key[affinityAt] = (int) affinity.raw(node);
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
      key[softAt + c] = softComponent(soft[c], node);
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
  private static int softComponent(SpreadCounts counts, int node) {
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
      if (!affinity[i].topology().isShared()) {
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

  /// The weighted scores that are the node's own business.
  int localScore(int node) {
    long sum = 0;
    for (int i = 0; i < localScores.size(); i++) {
      sum += localScores.get(i).raw(node) * localWeights.get(i);
    }
    return (int) sum;
  }

  SpreadCounts[] hard() {
    return hard;
  }

  SpreadCounts[] soft() {
    return soft;
  }

  boolean requiresAllKeys() {
    return requiresAllKeys;
  }

  @Nullable AffinityTerms required() {
    return required;
  }

  @Nullable AffinityPreferences preferences() {
    return preferences;
  }

  @Nullable NodeScore nodeAffinity() {
    return affinity;
  }

  long taintWeight() {
    return taintAt >= 0 ? taintWeight : 0;
  }

  long affinityWeight() {
    return affinityAt >= 0 ? affinityWeight : 0;
  }

  long spreadWeight() {
    return soft.length > 0 ? spreadWeight : 0;
  }

  long preferenceWeight() {
    return preferenceAt >= 0 ? preferenceWeight : 0;
  }

  int taintRaw(Group group) {
    return group.key[taintAt];
  }

  int affinityRaw(Group group) {
    return group.key[affinityAt];
  }

  /// Where in a key the domain of a topology stands, or -1 if nodes do not share its domains.
  int domainComponent(Topology topology) {
    int index = shared.indexOf(topology);
    return index < 0 ? -1 : domainsAt + index;
  }

  int hardComponent(Group group, int c) {
    return group.key[hardAt + c];
  }

  int softComponent(Group group, int c) {
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

  boolean hasRequired() {
    return flagsAt >= 0;
  }
}
