package io.berth.engine.model;

import io.berth.api.Node;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which nodes hold which container images.
///
/// As in Kubernetes, an image is as large as the first node that has it says; first is the one that
/// was added earliest. Unlike there, the number of nodes holding an image is always the present
/// one.
public final class Images {

  private final NodeTable nodes;
  private final Map<String, Holders> byName = new HashMap<>();
  private int changes;

  Images(NodeTable nodes) {
    this.nodes = nodes;
  }

  public @Nullable Holders find(String name) {
    return byName.get(name);
  }

  /// Grows whenever any answer of this class may have changed.
  public int changes() {
    return changes;
  }

  void add(int index, Node node) {
    for (var image : node.images()) {
      for (var name : image.names()) {
        var holders = byName.computeIfAbsent(name, _ -> new Holders());
        holders.put(index, image.sizeBytes());
        holders.lastChange = ++changes;
      }
    }
  }

  void remove(int index, Node node) {
    for (var image : node.images()) {
      for (var name : image.names()) {
        var holders = byName.get(name);
        if (holders != null) {
          holders.sizes.remove(index);
          holders.first = -1;
          holders.lastChange = ++changes;
          if (holders.sizes.isEmpty()) {
            byName.remove(name);
          }
        }
      }
    }
  }

  /// The nodes that hold one image.
  public final class Holders {

    private final Map<Integer, Long> sizes = new HashMap<>();
    private int first = -1;
    private int lastChange;

    /// Differs from what it was after any change of the holders of this image.
    public int lastChange() {
      return lastChange;
    }

    private void put(int index, long size) {
      // A node that lists a name twice counts once, with what it said first.
      sizes.putIfAbsent(index, size);
      if (first != -1 && nodes.order(index) < nodes.order(first)) {
        first = index;
      }
    }

    public boolean has(int node) {
      return sizes.containsKey(node);
    }

    public int count() {
      return sizes.size();
    }

    public long sizeBytes() {
      if (first == -1) {
        for (int node : sizes.keySet()) {
          if (first == -1 || nodes.order(node) < nodes.order(first)) {
            first = node;
          }
        }
      }
      return sizes.getOrDefault(first, 0L);
    }
  }
}
