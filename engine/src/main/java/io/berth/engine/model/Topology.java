package io.berth.engine.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A node label that divides the nodes into domains, one for each value.
///
/// `domainOf` gives the domain of each node, [#NONE] where the label is missing. A topology is
/// *shared* when some domain holds two nodes or more; one that is not, such as the host name, is
/// counted by node instead.
public final class Topology {

  public static final int NONE = -1;

  private final String key;
  private final Map<String, Integer> domains = new HashMap<>();
  private final List<String> values = new ArrayList<>();
  private int[] domainOf = new int[0];
  private int[] nodesIn = new int[4];
  private int sharedDomains;
  private int empty = NONE;

  Topology(String key, int capacity) {
    this.key = key;
    grow(capacity);
  }

  public String key() {
    return key;
  }

  public int domainOf(int node) {
    return domainOf[node];
  }

  /// How many domains there ever were; domains are numbered below this.
  public int domainCount() {
    return values.size();
  }

  public String value(int domain) {
    return values.get(domain);
  }

  /// The domain of the empty value, [#NONE] while no node has that.
  public int emptyDomain() {
    return empty == NONE || nodesIn[empty] == 0 ? NONE : empty;
  }

  public boolean isShared() {
    return sharedDomains > 0;
  }

  void grow(int capacity) {
    int old = domainOf.length;
    if (capacity > old) {
      domainOf = Arrays.copyOf(domainOf, capacity);
      Arrays.fill(domainOf, old, capacity, NONE);
    }
  }

  /// Puts a node into the domain of its label, or takes it out.
  void place(int node, @Nullable String value) {
    int before = domainOf[node];
    int after = value == null ? NONE : domain(value);
    if (before == after) {
      return;
    }
    if (before != NONE && --nodesIn[before] == 1) {
      sharedDomains--;
    }
    if (after != NONE && ++nodesIn[after] == 2) {
      sharedDomains++;
    }
    domainOf[node] = after;
  }

  private int domain(String value) {
    var known = domains.get(value);
    if (known != null) {
      return known;
    }
    int domain = values.size();
    domains.put(value, domain);
    values.add(value);
    empty = value.isEmpty() ? domain : empty;
    if (domain == nodesIn.length) {
      nodesIn = Arrays.copyOf(nodesIn, domain * 2);
    }
    return domain;
  }
}
