package io.berth.engine.decide;

import io.berth.engine.decide.ViewFilters.Ranked;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.NodeTable;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Profile;
import io.berth.engine.rule.Verdict;
import java.util.Arrays;

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

  private final ClusterModel cluster;
  private final NodeTable nodes;
  private final ViewRules rules;
  private final ViewFilters filters;
  private final GroupKeys keys;
  private final Groups groups;
  private final int[] key;
  private final Objections objections;
  private int[] version;
  private int[] staticVerdict;
  private long position;

  View(ViewRules rules, Profile profile, ClusterModel cluster, TieBreak tieBreak) {
    this.cluster = cluster;
    this.nodes = cluster.nodes();
    this.rules = rules;
    this.filters = rules.filters();
    this.keys = rules.keys();
    this.key = new int[keys.components()];
    this.groups =
        new Groups(tieBreak, key.length, rules.scores().ofGroups().length, nodes.capacity());
    this.objections = new Objections(profile);
    this.version = new int[nodes.capacity()];
    this.staticVerdict = new int[nodes.capacity()];
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
    return true;
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
      staticVerdict[node] = firstObjection(filters.ofNode(), node, Objections.NONE);
      keys.readNode(node, key);
    } else {
      System.arraycopy(before.key, 0, key, 0, keys.nodeComponents());
    }
    int verdict = firstObjection(filters.ofPods(), node, staticVerdict[node]);
    keys.readPods(node, key);
    groups.put(node, key, verdict, verdict == Objections.NONE ? rules.scores().local(node) : 0);
  }

  // Of what was objected before and what is now, the rule that runs first counts.
  private int firstObjection(Ranked<NodeTest> asked, int node, int before) {
    int limit = objections.rank(before);
    var tests = asked.tests();
    for (int i = 0; i < tests.length && asked.ranks()[i] < limit; i++) {
      if (tests[i].verdict(node) instanceof Verdict.Unfit unfit) {
        return objections.of(asked.ranks()[i], unfit);
      }
    }
    return before;
  }

  Objections objections() {
    return objections;
  }
}
