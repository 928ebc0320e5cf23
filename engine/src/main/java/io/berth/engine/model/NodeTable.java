package io.berth.engine.model;

import io.berth.api.Node;
import io.berth.api.Quantity;
import io.berth.api.Taint;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The nodes in columns: what each offers and what is taken of it.
///
/// A node has an index for as long as it exists or a pod names it; indexes of the gone are used
/// again. Columns are plain arrays of [#capacity()] entries, valid below [#limit()], and only where
/// [#isPresent] holds. `version` grows whenever the node object itself changes. Taint lists are
/// interned, so that a rule asks about each distinct list once.
public final class NodeTable {

  private static final String[] NO_NAMES = {};

  private final ResourceNames resources;
  private final Map<String, Integer> indexes = new HashMap<>();
  private final ArrayDeque<Integer> free = new ArrayDeque<>();
  private int limit;
  private int present;
  private int sequence;

  private String[] names = NO_NAMES;
  private @Nullable Node[] nodes = {};
  private boolean[] unschedulable = {};
  private int[] version = {};
  private int[] order = {};
  private PodList[] pods = {};
  private @Nullable HostPorts[] ports = {};

  private long[] cpuAllocatable = {};
  private long[] memoryAllocatable = {};
  private long[] ephemeralAllocatable = {};
  private long[] podsAllocatable = {};
  private long[] cpuRequested = {};
  private long[] memoryRequested = {};
  private long[] ephemeralRequested = {};
  private long[] cpuNonZero = {};
  private long[] memoryNonZero = {};
  private long[][] scalarAllocatable = {};
  private long[][] scalarRequested = {};

  private static final int NO_LIST = -1;

  private final TaintLists taintLists = new TaintLists();
  private int[] taintListOf = {};

  NodeTable(ResourceNames resources) {
    this.resources = resources;
  }

  public int limit() {
    return limit;
  }

  /// How many nodes there are.
  public int count() {
    return present;
  }

  public int capacity() {
    return names.length;
  }

  public boolean isPresent(int node) {
    return nodes[node] != null;
  }

  public String name(int node) {
    return names[node];
  }

  /// The index of a node that exists, or -1.
  public int find(String name) {
    var index = indexes.get(name);
    return index == null || nodes[index] == null ? -1 : index;
  }

  @Nullable Node findNode(String name) {
    var index = indexes.get(name);
    return index == null ? null : nodes[index];
  }

  public Node node(int node) {
    var found = nodes[node];
    if (found == null) {
      throw new IllegalStateException("no node has index " + node);
    }
    return found;
  }

  /// Whether the node takes no newcomers that do not tolerate it.
  public boolean isUnschedulable(int node) {
    return unschedulable[node];
  }

  public int version(int node) {
    return version[node];
  }

  /// The place of the node in the order in which nodes were added.
  public int order(int node) {
    return order[node];
  }

  /// The place that the next node to be added takes.
  int sequence() {
    return sequence;
  }

  void continueWith(int place) {
    sequence = place;
  }

  public PodList pods(int node) {
    return pods[node];
  }

  public @Nullable HostPorts ports(int node) {
    return ports[node];
  }

  public long cpuAllocatable(int node) {
    return cpuAllocatable[node];
  }

  public long memoryAllocatable(int node) {
    return memoryAllocatable[node];
  }

  public long ephemeralAllocatable(int node) {
    return ephemeralAllocatable[node];
  }

  public long podsAllocatable(int node) {
    return podsAllocatable[node];
  }

  public long cpuRequested(int node) {
    return cpuRequested[node];
  }

  public long memoryRequested(int node) {
    return memoryRequested[node];
  }

  public long ephemeralRequested(int node) {
    return ephemeralRequested[node];
  }

  public long cpuNonZero(int node) {
    return cpuNonZero[node];
  }

  public long memoryNonZero(int node) {
    return memoryNonZero[node];
  }

  public long scalarAllocatable(int resource, int node) {
    return value(scalarAllocatable, resource, node);
  }

  public long scalarRequested(int resource, int node) {
    return value(scalarRequested, resource, node);
  }

  /// The number of the node's taint list; see [#taints].
  public int taintList(int node) {
    return taintListOf[node];
  }

  /// Another for every list that has had this number.
  public int taintListStamp(int taintList) {
    return taintLists.stamp(taintList);
  }

  public int taintListCount() {
    return taintLists.count();
  }

  public List<Taint> taints(int taintList) {
    return taintLists.get(taintList);
  }

  /// The index that belongs to a name, made when there is none.
  int indexOf(String name) {
    var known = indexes.get(name);
    if (known != null) {
      return known;
    }
    int index = free.isEmpty() ? limit++ : free.pop();
    if (index == names.length) {
      grow(Math.max(16, index * 2));
    }
    indexes.put(name, index);
    names[index] = name;
    return index;
  }

  /// Gives the index of a node free that neither exists nor is named by a pod.
  void release(int index) {
    if (nodes[index] == null && pods[index].size() == 0) {
      indexes.remove(names[index]);
      free.push(index);
    }
  }

  void put(int index, Node node) {
    if (nodes[index] == null) {
      present++;
      order[index] = sequence++;
    }
    nodes[index] = node;
    unschedulable[index] = node.unschedulable();
    version[index]++;
    var offer = node.allocatable();
    cpuAllocatable[index] = offer.getOrDefault("cpu", Quantity.ZERO).milliValue();
    memoryAllocatable[index] = offer.getOrDefault("memory", Quantity.ZERO).value();
    ephemeralAllocatable[index] = offer.getOrDefault("ephemeral-storage", Quantity.ZERO).value();
    podsAllocatable[index] = offer.getOrDefault("pods", Quantity.ZERO).value();
    for (var column : scalarAllocatable) {
      if (column.length > index) {
        column[index] = 0;
      }
    }
    offer.forEach((name, amount) -> {
      if (ResourceNames.isScalar(name)) {
        scalarAllocatable = with(scalarAllocatable, resources.idOf(name), index, amount.value());
      }
    });
    int before = taintListOf[index];
    taintListOf[index] = taintLists.take(node.taints());
    if (before != NO_LIST) {
      taintLists.giveBack(before);
    }
  }

  void drop(int index) {
    nodes[index] = null;
    taintLists.giveBack(taintListOf[index]);
    taintListOf[index] = NO_LIST;
    version[index]++;
    present--;
  }

  /// Counts what a pod takes of a node.
  void take(int node, Shape shape, int sign) {
    var requests = shape.running();
    cpuRequested[node] += sign * requests.cpuMillis();
    memoryRequested[node] += sign * requests.memoryBytes();
    ephemeralRequested[node] += sign * requests.ephemeralBytes();
    cpuNonZero[node] += sign * requests.nonZeroCpuMillis();
    memoryNonZero[node] += sign * requests.nonZeroMemoryBytes();
    var scalars = requests.scalars();
    for (int i = 0; i < scalars.length; i++) {
      long before = value(scalarRequested, scalars[i], node);
      scalarRequested =
          with(scalarRequested, scalars[i], node, before + sign * requests.scalarAmounts()[i]);
    }
    if (shape.ports().length > 0) {
      takePorts(node, shape, sign);
    }
  }

  private void takePorts(int node, Shape shape, int sign) {
    var used = ports[node];
    if (used == null) {
      used = new HostPorts();
      ports[node] = used;
    }
    for (var port : shape.ports()) {
      if (sign > 0) {
        used.add(port);
      } else {
        used.remove(port);
      }
    }
    if (used.isEmpty()) {
      ports[node] = null;
    }
  }

  private static long value(long[][] columns, int resource, int node) {
    return resource < columns.length && node < columns[resource].length
        ? columns[resource][node]
        : 0;
  }

  private long[][] with(long[][] columns, int resource, int node, long value) {
    if (resource >= columns.length) {
      if (value == 0) {
        return columns;
      }
      int old = columns.length;
      columns = Arrays.copyOf(columns, resource + 1);
      Arrays.fill(columns, old, columns.length, new long[0]);
    }
    if (node >= columns[resource].length) {
      if (value == 0) {
        return columns;
      }
      columns[resource] = Arrays.copyOf(columns[resource], capacity());
    }
    columns[resource][node] = value;
    return columns;
  }

  private void grow(int capacity) {
    int old = names.length;
    names = Arrays.copyOf(names, capacity);
    nodes = Arrays.copyOf(nodes, capacity);
    version = Arrays.copyOf(version, capacity);
    order = Arrays.copyOf(order, capacity);
    pods = Arrays.copyOf(pods, capacity);
    for (int i = old; i < capacity; i++) {
      pods[i] = new PodList();
    }
    ports = Arrays.copyOf(ports, capacity);
    cpuAllocatable = Arrays.copyOf(cpuAllocatable, capacity);
    memoryAllocatable = Arrays.copyOf(memoryAllocatable, capacity);
    unschedulable = Arrays.copyOf(unschedulable, capacity);
    ephemeralAllocatable = Arrays.copyOf(ephemeralAllocatable, capacity);
    podsAllocatable = Arrays.copyOf(podsAllocatable, capacity);
    cpuRequested = Arrays.copyOf(cpuRequested, capacity);
    memoryRequested = Arrays.copyOf(memoryRequested, capacity);
    ephemeralRequested = Arrays.copyOf(ephemeralRequested, capacity);
    cpuNonZero = Arrays.copyOf(cpuNonZero, capacity);
    memoryNonZero = Arrays.copyOf(memoryNonZero, capacity);
    taintListOf = Arrays.copyOf(taintListOf, capacity);
    Arrays.fill(taintListOf, old, capacity, NO_LIST);
  }
}
