package io.berth.engine.decide;

import io.berth.api.Pod;
import io.berth.engine.Code;
import io.berth.engine.Rejection;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.CycleException;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Profile;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// All rules of a profile, having read one pod, to be asked about single nodes.
///
/// Costs a preparation of every rule and then every rule for each node asked about.
final class Cycle {

  private final ClusterModel cluster;
  private final String podKey;
  private final Shape shape;
  private final List<FilterRule> rules = new ArrayList<>();
  private final List<NodeTest> tests = new ArrayList<>();
  private final BitSet readsPods = new BitSet();
  private final Set<String> restricting = new TreeSet<>();
  private @Nullable Rejection veto;
  private @Nullable Set<String> only;

  Cycle(Pod pod, Shape shape, Profile profile, ClusterModel cluster) {
    this.cluster = cluster;
    this.podKey = pod.key();
    this.shape = shape;
    var prepared = new HashMap<FilterRule, NodeTest>();
    for (var rule : profile.preFilters()) {
      if (veto == null) {
        prepared.put(rule, prepare(rule));
      }
    }
    for (var rule : profile.filters()) {
      if (veto == null) {
        var test = prepared.get(rule);
        add(rule, test == null ? rule.testFor(shape, cluster) : test);
      }
    }
  }

  private NodeTest prepare(FilterRule rule) {
    var test = rule.testFor(shape, cluster);
    var objection = test.veto();
    if (objection == null) {
      restrict(rule, test.onlyNodes());
    } else {
      veto = new Rejection(rule.name(), objection.code(), objection.reasons());
    }
    return test;
  }

  private void add(FilterRule rule, NodeTest test) {
    if (!test.equals(NodeTest.ALL)) {
      readsPods.set(tests.size(), rule.watches().contains(Watch.PODS_ON_NODE));
      rules.add(rule);
      tests.add(test);
    }
  }

  private void restrict(FilterRule rule, @Nullable Set<String> names) {
    if (names == null) {
      return;
    }
    restricting.add(rule.name());
    if (only == null) {
      only = new HashSet<>(names);
    } else {
      only.retainAll(names);
    }
    if (only.isEmpty()) {
      var reason =
          restricting.size() == 1
              ? "node(s) didn't satisfy plugin " + rule.name()
              : "node(s) didn't satisfy plugin(s) %s simultaneously".formatted(list(restricting));
      veto = Rejection.unresolvable(rule.name(), reason);
    }
  }

  /// A plugin's rejection of the pod before any node is looked at.
  @Nullable Rejection veto() {
    return veto;
  }

  /// The only nodes to look at, or `null` for all.
  @Nullable Set<String> only() {
    return only;
  }

  Set<String> restricting() {
    return restricting;
  }

  /// How nodes that were left out are told of; as in Kubernetes, the plugin that rejected a
  /// nominated node is named along with those that left them out.
  String restriction(@Nullable Rejection onNominatedNode) {
    var plugins = new TreeSet<>(restricting);
    if (onNominatedNode != null) {
      plugins.add(onNominatedNode.plugin());
    }
    return "node(s) didn't satisfy plugin(s) " + list(plugins);
  }

  private static String list(Set<String> names) {
    return "[" + String.join(" ", names) + "]";
  }

  Shape shape() {
    return shape;
  }

  /// The first objection to the node, or `null` if it can host the pod.
  ///
  /// Pods of equal or higher priority that wait for the node count as if they ran there, but the
  /// pod must fit without them as well.
  @Nullable Rejection objection(int node) {
    var waiting = waitingFor(node);
    if (!waiting.isEmpty()) {
      come(waiting);
      try {
        var objection = first(node);
        if (objection != null) {
          return objection;
        }
      } finally {
        go(waiting);
      }
    }
    return first(node);
  }

  /// As [#objection], but a rule that cannot say objects for that reason.
  @Nullable Rejection objectionOnTrial(int node) {
    try {
      return objection(node);
    } catch (CycleException e) {
      return new Rejection(e.plugin(), Code.ERROR, List.of(e.getMessage()));
    }
  }

  /// Every rule's objection, in the situation in which the node was first refused.
  List<Rejection> objections(int node) {
    var waiting = waitingFor(node);
    if (!waiting.isEmpty()) {
      come(waiting);
      try {
        var objections = all(node);
        if (!objections.isEmpty()) {
          return objections;
        }
      } finally {
        go(waiting);
      }
    }
    return all(node);
  }

  /// The pods whose promised room on the node this one may not take.
  List<String> namesOfWaiting(int node) {
    return waitingFor(node).stream().map(RunningPod::name).sorted().toList();
  }

  /// The test of a rule that has something to say, or `null`.
  @Nullable NodeTest test(FilterRule rule) {
    int at = rules.indexOf(rule);
    return at < 0 ? null : tests.get(at);
  }

  boolean isAwaited(int node) {
    return !waitingFor(node).isEmpty();
  }

  private List<RunningPod> waitingFor(int node) {
    if (cluster.nominations().isEmpty()) {
      return List.of();
    }
    var waiting = new ArrayList<RunningPod>();
    for (var nominated : cluster.nominations().on(cluster.nodes().name(node))) {
      if (nominated.shape().priority() >= shape.priority() && !nominated.podKey().equals(podKey)) {
        waiting.add(cluster.pretended(nominated.podKey(), nominated.shape(), node));
      }
    }
    return waiting;
  }

  private void come(List<RunningPod> pods) {
    for (var pod : pods) {
      come(pod);
    }
  }

  private void go(List<RunningPod> pods) {
    for (var pod : pods) {
      go(pod);
    }
  }

  /// Pretends that a pod runs on its node, until [#go].
  void come(RunningPod pod) {
    cluster.pretendBack(pod);
    for (int i = 0; i < tests.size(); i++) {
      tests.get(i).pretend(pod.shape(), pod.node(), 1);
    }
  }

  void go(RunningPod pod) {
    cluster.pretendGone(pod);
    for (int i = 0; i < tests.size(); i++) {
      tests.get(i).pretend(pod.shape(), pod.node(), -1);
    }
  }

  void endTrial() {
    for (int i = 0; i < tests.size(); i++) {
      tests.get(i).endTrial();
    }
  }

  private @Nullable Rejection first(int node) {
    for (int i = 0; i < tests.size(); i++) {
      if (tests.get(i).verdict(node) instanceof Verdict.Unfit unfit) {
        return rejection(i, unfit);
      }
    }
    return null;
  }

  private List<Rejection> all(int node) {
    var all = new ArrayList<Rejection>();
    for (int i = 0; i < tests.size(); i++) {
      try {
        if (tests.get(i).verdict(node) instanceof Verdict.Unfit unfit) {
          all.add(rejection(i, unfit));
        }
      } catch (CycleException e) {
        all.add(new Rejection(rules.get(i).name(), Code.ERROR, List.of(e.problem())));
      }
    }
    return all;
  }

  private Rejection rejection(int i, Verdict.Unfit unfit) {
    return new Rejection(rules.get(i).name(), unfit.code(), unfit.reasons());
  }

  /// Whether no rule looks beyond the node.
  boolean dependsOnNodesAlone() {
    if (!cluster.nominations().isEmpty()) {
      return false;
    }
    for (var rule : rules) {
      if (rule.watches().contains(Watch.CLUSTER)) {
        return false;
      }
    }
    return true;
  }

  /// How many numbers decide, once a node's own objections are known, what remains to be asked;
  /// [NodeTest#NO_FACTS] if numbers cannot.
  int facts() {
    int facts = 0;
    for (int i = readsPods.nextSetBit(0); i >= 0; i = readsPods.nextSetBit(i + 1)) {
      int more = tests.get(i).facts();
      if (more == NodeTest.NO_FACTS) {
        return more;
      }
      facts += more;
    }
    return facts;
  }

  /// Reads these numbers of a node; false if the node is a case of its own.
  boolean readFacts(int node, long[] into) {
    int at = 0;
    for (int i = readsPods.nextSetBit(0); i >= 0; i = readsPods.nextSetBit(i + 1)) {
      if (!tests.get(i).readFacts(node, into, at)) {
        return false;
      }
      at += tests.get(i).facts();
    }
    return true;
  }

  /// Whether a rule that looks at the node object alone objects.
  boolean isRefusedByNode(int node) {
    for (int i = 0; i < tests.size(); i++) {
      if (!readsPods.get(i) && tests.get(i).verdict(node) instanceof Verdict.Unfit) {
        return true;
      }
    }
    return false;
  }

  /// Whether eviction may help on a node so rejected.
  static boolean mayHelp(Rejection rejection) {
    return rejection.code() == Code.UNSCHEDULABLE;
  }
}
