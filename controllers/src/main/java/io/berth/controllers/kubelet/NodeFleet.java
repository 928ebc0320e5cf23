package io.berth.controllers.kubelet;

import io.berth.api.ApiException;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Many nodes in a few lines: `kind: NodeFleet`, in a file or as an object.
///
/// `name` is a pattern in which `{n}` stands for 1 … `count`. Nodes go to the zones in turn.
public record NodeFleet(
    String name,
    long count,
    List<String> zones,
    String region,
    String instanceType,
    Map<String, String> labels,
    List<Tree> taints,
    Map<String, String> capacity,
    Map<String, String> allocatable,
    List<Tree> images,
    String operatingSystem,
    String architecture,
    boolean unschedulable) {

  private static final Set<String> FIELDS =
      Set.of(
          "name",
          "count",
          "zones",
          "region",
          "instanceType",
          "labels",
          "taints",
          "capacity",
          "allocatable",
          "images",
          "operatingSystem",
          "architecture",
          "unschedulable");
  private static final Set<String> EFFECTS = Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");
  private static final long MOST = 100_000;

  /// `count` plain nodes `node-1` … over three zones.
  public static NodeFleet plain(long count) {
    return of(Tree.of("metadata", Tree.of("name", "node"), "spec", Tree.of("count", count)));
  }

  /// What there is when nobody asks for anything: five plain nodes, and one with a GPU that others
  /// leave alone while there is room elsewhere. Its taint only prefers, because many clients, and
  /// Kubernetes' own tests first of all, begin once every node takes every pod.
  public static List<NodeFleet> standard() {
    var gpu =
        Tree.of("count", 1, "zones", List.of("zone-a"), "instanceType", "gpu")
            .put("labels", Tree.of("accelerator", "nvidia"))
            .put(
                "taints",
                List.of(
                    Tree.of(
                        "key", "nvidia.com/gpu", "value", "present", "effect", "PreferNoSchedule")))
            .put("capacity", Tree.of("nvidia.com/gpu", "1"));
    return List.of(plain(5), of(Tree.of("metadata", Tree.of("name", "gpu"), "spec", gpu)));
  }

  /// Reads a `NodeFleet` object; refuses what it does not understand, field by field.
  public static NodeFleet of(Tree object) {
    var spec = object.treeOrEmpty("spec");
    var own = object.textOrEmpty("metadata", "name");
    for (var field : spec.names()) {
      check(FIELDS.contains(field), "spec." + field, field, "unknown field");
    }
    var count = spec.number(1, "count");
    check(count >= 0 && count <= MOST, "spec.count", count, "must be between 0 and 100000");
    var name = text(spec, "name", (own.isEmpty() ? "node" : own) + "-{n}");
    check(
        count <= 1 || name.contains("{n}"),
        "spec.name",
        name,
        "must contain {n} when there is more than one node");
    var taints = spec.trees("taints");
    for (int i = 0; i < taints.size(); i++) {
      var effect = taints.get(i).textOrEmpty("effect");
      check(
          EFFECTS.contains(effect),
          "spec.taints[%d].effect".formatted(i),
          effect,
          "supported values: NoSchedule, PreferNoSchedule, NoExecute");
    }
    var capacity = new LinkedHashMap<>(NodeDefaults.PLAIN.capacity());
    capacity.putAll(quantities(spec, "capacity"));
    var allocatable = new LinkedHashMap<>(capacity);
    allocatable.putAll(quantities(spec, "allocatable"));
    return new NodeFleet(
        name,
        count,
        spec.has("zones") ? texts(spec, "zones") : List.of("zone-a", "zone-b", "zone-c"),
        text(spec, "region", "local"),
        text(spec, "instanceType", "plain"),
        spec.texts("labels"),
        taints,
        capacity,
        allocatable,
        spec.trees("images"),
        text(spec, "operatingSystem", "linux"),
        text(spec, "architecture", "amd64"),
        spec.flag("unschedulable"));
  }

  /// The Node objects of this fleet, with the labels a kubelet and a cloud would set.
  public List<Tree> nodes() {
    var nodes = new ArrayList<Tree>();
    for (long n = 1; n <= count; n++) {
      nodes.add(node(n));
    }
    return nodes;
  }

  private Tree node(long n) {
    var nodeName = name.replace("{n}", Long.toString(n));
    var all = new LinkedHashMap<String, String>();
    all.put("kubernetes.io/hostname", nodeName);
    all.put("kubernetes.io/os", operatingSystem);
    all.put("kubernetes.io/arch", architecture);
    all.put("node.kubernetes.io/instance-type", instanceType);
    if (!region.isEmpty()) {
      all.put("topology.kubernetes.io/region", region);
    }
    if (!zones.isEmpty()) {
      all.put("topology.kubernetes.io/zone", zones.get((int) ((n - 1) % zones.size())));
    }
    all.putAll(labels);
    var spec = new Tree();
    if (!taints.isEmpty()) {
      var copies = new ArrayList<Tree>();
      taints.forEach(taint -> copies.add(taint.copy()));
      spec.put("taints", copies);
    }
    if (unschedulable) {
      spec.put("unschedulable", true);
    }
    var status = Tree.of("capacity", Tree.ofMap(capacity), "allocatable", Tree.ofMap(allocatable));
    if (!images.isEmpty()) {
      var copies = new ArrayList<Tree>();
      images.forEach(image -> copies.add(image.copy()));
      status.put("images", copies);
    }
    return Tree.of("apiVersion", "v1", "kind", "Node")
        .put("metadata", Tree.of("name", nodeName, "labels", Tree.ofMap(all)))
        .put("spec", spec)
        .put("status", status);
  }

  private static Map<String, String> quantities(Tree spec, String field) {
    var quantities = new LinkedHashMap<String, String>();
    spec.treeOrEmpty(field)
        .fields()
        .forEach((name, value) -> {
          var path = "spec.%s[%s]".formatted(field, name);
          try {
            var quantity = Quantity.parse(String.valueOf(value));
            check(quantity.amount().signum() >= 0, path, value, "must not be negative");
          } catch (IllegalArgumentException e) {
            check(false, path, value, String.valueOf(e.getMessage()));
          }
          quantities.put(name, String.valueOf(value));
        });
    return quantities;
  }

  private static String text(Tree spec, String field, String absent) {
    var text = spec.text(field);
    return text == null ? absent : text;
  }

  private static List<String> texts(Tree spec, String field) {
    var texts = new ArrayList<String>();
    for (var value : spec.list(field)) {
      texts.add(String.valueOf(value));
    }
    return texts;
  }

  private static void check(boolean holds, String field, Object value, String why) {
    if (!holds) {
      throw new ApiException(
          422,
          "Invalid",
          "NodeFleet is invalid: %s: Invalid value: \"%s\": %s".formatted(field, value, why));
    }
  }
}
