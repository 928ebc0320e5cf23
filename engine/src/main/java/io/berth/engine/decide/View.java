package io.berth.engine.decide;

import io.berth.engine.Rejection;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.NodeTable;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What is known about every node for one shape, kept up to date change by change.
///
/// Nodes are sorted into groups whose keys hold all that is normalised or depends on domains: a
/// change of a node moves one node, a change of a zone's counters moves none. What a group's key
/// means is [GroupKeys]' business; this class follows the change log and keeps nodes in place.
///
/// A node costs about 30 bytes in each view. Catching up costs one evaluation for each changed
/// node; a view is rebuilt when the log no longer reaches back, or when the rules read the shape
/// differently than before.
final class View {

  static final int FITS = 0;

  private final ClusterModel cluster;
  private final NodeTable nodes;
  private final ViewRules rules;
  private final ViewFilters filters;
  private final GroupKeys keys;
  private final Groups groups;
  private final int[] key;
  private final List<Objection> objections = new ArrayList<>();
  private int[] version;
  private int[] staticVerdict;
  private long position;

  /// Why nodes are refused, and the place in the order of filters of the rule that says so.
  private record Objection(int rank, Verdict.Unfit unfit, Rejection rejection) {}

  private static final Verdict.Unfit NONE = Verdict.unschedulable("");

  View(ViewRules rules, ClusterModel cluster, TieBreak tieBreak) {
    this.cluster = cluster;
    this.nodes = cluster.nodes();
    this.rules = rules;
    this.filters = rules.filters();
    this.keys = rules.keys();
    this.key = new int[keys.components()];
    this.groups = new Groups(tieBreak, key.length, nodes.capacity());
    this.version = new int[nodes.capacity()];
    this.staticVerdict = new int[nodes.capacity()];
    objections.add(new Objection(Integer.MAX_VALUE, NONE, Rejection.unschedulable("", "")));
    position = cluster.changes().end();
    for (int node = 0; node < nodes.limit(); node++) {
      refresh(node);
    }
  }

  Groups groups() {
    return groups;
  }

  ViewRules rules() {
    return rules;
  }

  /// Takes over what changed; returns false if the view must be built anew.
  boolean catchUp() {
    if (!rules.areCurrent()) {
      return false;
    }
    var changes = cluster.changes();
    if (!changes.reaches(position)) {
      return false;
    }
    long end = changes.end();
    if (end - position > nodes.limit()) {
      return false;
    }
    grow(nodes.capacity());
    for (; position < end; position++) {
      refresh(changes.node(position));
    }
    return rules.areCurrent();
  }

  private void grow(int capacity) {
    if (capacity > version.length) {
      version = Arrays.copyOf(version, capacity);
      staticVerdict = Arrays.copyOf(staticVerdict, capacity);
      groups.grow(capacity);
      keys.grow(capacity);
    }
  }

  /// Looks at a node again, and puts it where it belongs now.
  void refresh(int node) {
    if (!nodes.isPresent(node)) {
      keys.forget(node);
      groups.remove(node);
      return;
    }
    var before = groups.of(node);
    if (before == null || version[node] != nodes.version(node)) {
      version[node] = nodes.version(node);
      staticVerdict[node] = firstObjection(filters.nodeTests(), filters.nodeRanks(), node, FITS);
      keys.readNode(node, key);
    } else {
      System.arraycopy(before.key, 0, key, 0, keys.nodeComponents());
    }
    int verdict = firstObjection(filters.podTests(), filters.podRanks(), node, staticVerdict[node]);
    keys.readPods(node, key);
    groups.put(node, key, verdict, verdict == FITS ? rules.scores().local(node) : 0);
  }

  // Of what was objected before and what is now, the rule that runs first counts.
  private int firstObjection(NodeTest[] tests, int[] ranks, int node, int before) {
    int limit = objections.get(before).rank;
    for (int i = 0; i < tests.length && ranks[i] < limit; i++) {
      if (tests[i].verdict(node) instanceof Verdict.Unfit unfit) {
        return objection(ranks[i], unfit);
      }
    }
    return before;
  }

  private int objection(int rank, Verdict.Unfit unfit) {
    for (int i = 1; i < objections.size(); i++) {
      var known = objections.get(i);
      if (known.rank == rank && known.unfit.equals(unfit)) {
        return i;
      }
    }
    var rejection = new Rejection(filters.ruleName(rank), unfit.code(), unfit.reasons());
    objections.add(new Objection(rank, unfit, rejection));
    return objections.size() - 1;
  }

  Rejection rejection(int verdict) {
    return objections.get(verdict).rejection;
  }

  int rank(int verdict) {
    return objections.get(verdict).rank;
  }
}
