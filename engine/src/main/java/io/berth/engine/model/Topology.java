package io.berth.engine.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A node label that divides the nodes into domains, one for each value.
///
/// `domainOf` gives the domain of each node, [#NONE] where the label is missing. A topology is
/// *shared* when some domain holds two nodes or more; one that is not, such as the host name, is
/// counted by node instead. The number of a domain without nodes goes to the next new one.
public final class Topology {

  public static final int NONE = -1;

  private final String key;
  private final Map<String, Integer> domains = new HashMap<>();
  private final List<String> values = new ArrayList<>();
  private int[] domainOf = new int[0];
  private int[] nodesIn = new int[4];
  private int sharedDomains;
  private int empty = NONE;
  private final Deque<Integer> free = new ArrayDeque<>();

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

  /// Whether both nodes have the label, with the same value.
  public boolean isSame(int one, int another) {
    return domainOf[one] != NONE && domainOf[one] == domainOf[another];
  }

  /// Domains are numbered below this; there were never more of them at once.
  public int domainCount() {
    return values.size();
  }

  public String value(int domain) {
    return values.get(domain);
  }

  /// The domain of the empty value, [#NONE] while no node has that.
  public int emptyDomain() {
    return empty;
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
    if (before != NONE) {
      leave(before);
    }
    if (after != NONE && ++nodesIn[after] == 2) {
      sharedDomains++;
    }
    domainOf[node] = after;
  }

  private void leave(int domain) {
    int left = --nodesIn[domain];
    if (left == 1) {
      sharedDomains--;
    } else if (left == 0) {
      domains.remove(values.get(domain));
      empty = domain == empty ? NONE : empty;
      free.push(domain);
    }
  }

  private int domain(String value) {
    var known = domains.get(value);
    if (known != null) {
      return known;
    }
    int domain = free.isEmpty() ? values.size() : free.pop();
    if (domain == values.size()) {
      values.add(value);
    } else {
      values.set(domain, value);
    }
    domains.put(value, domain);
    empty = value.isEmpty() ? domain : empty;
    if (domain == nodesIn.length) {
      nodesIn = Arrays.copyOf(nodesIn, domain * 2);
    }
    return domain;
  }
}
