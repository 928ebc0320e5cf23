package io.berth.api;

import java.util.List;
import java.util.Map;

/// A node as scheduling sees it. Only allocatable resources count.
public record Node(
    String name,
    Map<String, String> labels,
    boolean unschedulable,
    List<Taint> taints,
    Map<String, Quantity> allocatable,
    List<Image> images,
    List<String> declaredFeatures)
    implements Surrounding {

  public static final String KIND = "Node";

  public Node {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
    allocatable = Map.copyOf(allocatable);
    images = List.copyOf(images);
    declaredFeatures = List.copyOf(declaredFeatures);
  }

  /// A container image the node holds, under all its names.
  public record Image(List<String> names, long sizeBytes) {

    public Image {
      names = List.copyOf(names);
    }
  }

  public Node withLabels(Map<String, String> newLabels) {
    return new Node(name, newLabels, unschedulable, taints, allocatable, images, declaredFeatures);
  }

  @Override
  public String kind() {
    return KIND;
  }
}
