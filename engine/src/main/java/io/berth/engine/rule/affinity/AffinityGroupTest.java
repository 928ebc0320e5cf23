package io.berth.engine.rule.affinity;

import io.berth.engine.model.DomainCounts;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.GroupTest;
import io.berth.engine.rule.Verdict;
import java.util.ArrayList;
import java.util.List;

/// Required affinity and anti-affinity of a shape, asked about groups of nodes.
///
/// What is known of terms whose domains nodes do not share is one number of the key: two bits for
/// each affinity term (nobody, somebody, the label is missing), and one each for pods that the
/// newcomer cannot stand and for those that cannot stand it.
final class AffinityGroupTest extends AffinityVerdict implements GroupTest {

  /// More affinity terms do not fit into the number.
  static final int MAX_AFFINITY_TERMS = 14;

  private static final int SOMEBODY = 1;
  private static final int NO_LABEL = 2;
  private static final int AVOIDS = 1 << 28;
  private static final int SHUNNED = 1 << 29;
  private static final int[] NOTHING = {};

  private final DomainCounts[] counts;
  private final int avoided;
  private final int shunning;
  private int[] domainAt = NOTHING;
  private int ownAt;
  private int[] key = NOTHING;
  private boolean nobodyMatches;

  AffinityGroupTest(AffinityTerms terms) {
    super(terms);
    var all = new ArrayList<DomainCounts>(List.of(terms.affinity()));
    this.avoided = all.size();
    all.addAll(List.of(terms.antiAffinity()));
    this.shunning = all.size();
    for (var term : terms.existing()) {
      all.add(term.counts());
    }
    this.counts = all.toArray(DomainCounts[]::new);
  }

  @Override
  public List<Topology> topologies() {
    return List.of(counts).stream().map(DomainCounts::topology).toList();
  }

  @Override
  public int podComponents() {
    return 1;
  }

  @Override
  public void place(Places places) {
    domainAt = places.domains();
    ownAt = places.pods();
  }

  @Override
  public void readPods(int node, int[] into) {
    int own = 0;
    for (int i = 0; i < avoided; i++) {
      if (domainAt[i] == Places.OWN) {
        boolean missing = counts[i].topology().domainOf(node) == Topology.NONE;
        int state = missing ? NO_LABEL : counts[i].at(node) > 0 ? SOMEBODY : 0;
        own |= state << (2 * i);
      }
    }
    for (int i = avoided; i < counts.length; i++) {
      if (domainAt[i] == Places.OWN && counts[i].at(node) > 0) {
        own |= i < shunning ? AVOIDS : SHUNNED;
      }
    }
    into[ownAt] = own;
  }

  @Override
  public void begin() {
    nobodyMatches = terms.matchesItself();
    for (int i = 0; nobodyMatches && i < avoided; i++) {
      nobodyMatches = counts[i].carriers() == 0;
    }
  }

  @Override
  public Verdict verdict(int[] asked) {
    key = asked;
    return verdict();
  }

  @Override
  int near(int i) {
    if (domainAt[i] == Places.OWN) {
      int state = (key[ownAt] >> (2 * i)) & (SOMEBODY | NO_LABEL);
      return state == NO_LABEL ? MISSING : state;
    }
    int domain = key[domainAt[i]];
    return domain == Topology.NONE ? MISSING : counts[i].inDomain(domain);
  }

  @Override
  boolean isFirst() {
    return nobodyMatches;
  }

  @Override
  boolean avoidsSomebody() {
    return (key[ownAt] & AVOIDS) != 0 || isNear(avoided, shunning);
  }

  @Override
  boolean isShunned() {
    return (key[ownAt] & SHUNNED) != 0 || isNear(shunning, counts.length);
  }

  private boolean isNear(int from, int to) {
    for (int i = from; i < to; i++) {
      if (domainAt[i] != Places.OWN) {
        int domain = key[domainAt[i]];
        if (domain != Topology.NONE && counts[i].inDomain(domain) > 0) {
          return true;
        }
      }
    }
    return false;
  }
}
