package io.berth.engine;

import io.berth.api.Container;
import io.berth.api.LabelSelector;
import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.NodeAffinity;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.Pod;
import io.berth.api.PodAffinity;
import io.berth.api.PodAffinityTerm;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.PodSpec;
import io.berth.api.PodStatus;
import io.berth.api.Quantity;
import io.berth.api.Requirement;
import io.berth.api.SelectorOwner;
import io.berth.api.Taint;
import io.berth.api.Toleration;
import io.berth.api.TopologySpreadConstraint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Small random objects that often have to do with each other: few names, few labels, tight nodes.
///
/// A focus makes one subject frequent and leaves nodes room, so that this subject decides.
final class RandomCluster {

  /// What most pods are about.
  enum Focus {
    EVERYTHING,
    SPREAD,
    AFFINITY,
    NODES,
    SERVICES
  }

  static final String HOST = "kubernetes.io/hostname";
  static final String ZONE = "topology.kubernetes.io/zone";

  private final Random random;
  private final Focus focus;

  RandomCluster(long seed) {
    this.random = new Random(seed);
    this.focus = Focus.values()[(int) (seed % Focus.values().length)];
  }

  private boolean isAbout(Focus subject, double share) {
    return chance(focus == Focus.EVERYTHING ? share : focus == subject ? 0.8 : 0.05);
  }

  boolean isAboutServices() {
    return focus == Focus.SERVICES;
  }

  private boolean isTight() {
    return focus == Focus.EVERYTHING || chance(0.15);
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  boolean chance(double share) {
    return random.nextDouble() < share;
  }

  @SafeVarargs
  final <T> T one(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private <T> List<T> some(int most, Supplier<T> make) {
    var list = new ArrayList<T>();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      list.add(make.get());
    }
    return list;
  }

  String nodeName() {
    return "n" + below(7);
  }

  String podName() {
    return "p" + below(25);
  }

  String namespaceName() {
    return one("red", "blue", "grey");
  }

  Node node(String name) {
    var labels = new HashMap<String, String>();
    if (chance(0.9)) {
      // Now and then two nodes claim the same host name.
      labels.put(HOST, chance(0.95) ? name : "n0");
    }
    if (chance(0.85)) {
      labels.put(ZONE, one("a", "b", "c"));
    }
    if (chance(0.4)) {
      labels.put("disk", one("ssd", "hdd"));
    }
    return new Node(
        name,
        labels,
        chance(0.08),
        some(
            2,
            () ->
                new Taint(
                    one("k1", "k2"),
                    one("", "v"),
                    one("NoSchedule", "PreferNoSchedule", "NoExecute"))),
        Map.of(
            "cpu", Quantity.parse(isTight() ? one("1", "2", "4") : "64"),
            "memory", Quantity.parse(isTight() ? one("2Gi", "4Gi") : "64Gi"),
            "pods", Quantity.parse(isTight() ? one("3", "10") : "99"),
            "x.io/gpu", Quantity.parse(one("0", "2"))),
        some(
            2,
            () -> new Node.Image(List.of(one("a:1", "b:latest")), one(100_000_000L, 900_000_000L))),
        List.of());
  }

  Namespace namespace(String name) {
    return new Namespace(name, chance(0.3) ? Map.of() : Map.of("team", one("x", "y")));
  }

  PodDisruptionBudget budget() {
    return new PodDisruptionBudget(
        namespaceName(), one("b1", "b2"), selector(), below(2), Set.of());
  }

  SelectorOwner owner() {
    return chance(0.5)
        ? new SelectorOwner("Service", namespaceName(), one("s1", "s2"), LabelSelector.of(labels()))
        : new SelectorOwner("ReplicaSet", namespaceName(), "rs", selector());
  }

  Pod running(String name) {
    return pod(name).withNodeName(nodeName());
  }

  Pod pod(String name) {
    var status =
        new PodStatus(
            "",
            chance(0.1) ? nodeName() : "",
            chance(0.8) ? Instant.ofEpochSecond(1_700_000_000L + below(50)) : null,
            false,
            chance(0.1),
            false,
            List.of(),
            null,
            null);
    return new Pod(
        namespaceName(),
        name,
        name,
        labels(),
        chance(0.3) ? new Pod.OwnerReference("apps/v1", "ReplicaSet", "rs") : null,
        chance(0.1),
        "",
        spec(),
        status);
  }

  private Map<String, String> labels() {
    var labels = new LinkedHashMap<String, String>();
    if (chance(0.8)) {
      labels.put("app", one("a", "b", "c"));
    }
    if (chance(0.3)) {
      labels.put("tier", one("x", "y"));
    }
    if (chance(0.2)) {
      // Mostly nobody looks at it.
      labels.put("index", one("0", "1", "2"));
    }
    return labels;
  }

  private PodSpec spec() {
    return new PodSpec(
        some(1, this::container),
        List.of(container()),
        Map.of(),
        null,
        isAbout(Focus.NODES, 0.15) ? Map.of("disk", one("ssd", "hdd")) : Map.of(),
        isAbout(Focus.NODES, 0.3) ? nodeAffinity() : NodeAffinity.NONE,
        isAbout(Focus.AFFINITY, 0.3) ? podAffinity() : PodAffinity.NONE,
        isAbout(Focus.AFFINITY, 0.35) ? podAffinity() : PodAffinity.NONE,
        some(
            2,
            () ->
                new Toleration(
                    one("k1", "k2", ""),
                    one("Exists", "Equal"),
                    "",
                    one("", "NoSchedule", "PreferNoSchedule"))),
        isAbout(Focus.SPREAD, 0.35) ? some(2, this::constraint) : List.of(),
        one(0, 0, 5, 10, -5),
        chance(0.1),
        PodSpec.DEFAULT_SCHEDULER,
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  private Container container() {
    var requests = new HashMap<String, Quantity>();
    if (chance(0.8)) {
      requests.put("cpu", Quantity.parse(one("100m", "500m", "1", "3")));
    }
    if (chance(0.6)) {
      requests.put("memory", Quantity.parse(one("100Mi", "1Gi")));
    }
    if (chance(0.1)) {
      requests.put("x.io/gpu", Quantity.parse("1"));
    }
    return new Container(
        "c",
        one("a:1", "b", "c:2"),
        requests,
        some(1, () -> new Container.Port(one(80, 81), "TCP", one("", "10.0.0.1"))),
        chance(0.3),
        List.of());
  }

  private NodeAffinity nodeAffinity() {
    return new NodeAffinity(
        chance(0.5) ? some(2, this::nodeTerm) : null,
        some(2, () -> new NodeAffinity.Preferred(1 + below(100), nodeTerm())));
  }

  private NodeSelectorTerm nodeTerm() {
    if (chance(0.1)) {
      return new NodeSelectorTerm(
          List.of(), List.of(new Requirement("metadata.name", "In", List.of(nodeName()))));
    }
    return new NodeSelectorTerm(
        some(
            2,
            () ->
                one(
                    new Requirement(ZONE, one("In", "NotIn"), List.of(one("a", "b"))),
                    new Requirement("disk", one("Exists", "DoesNotExist"), List.of()),
                    new Requirement("disk", "Gt", List.of(one("1", "word"))))),
        List.of());
  }

  private PodAffinity podAffinity() {
    return new PodAffinity(
        some(2, this::term), some(2, () -> new PodAffinity.Preferred(1 + below(100), term())));
  }

  private PodAffinityTerm term() {
    return new PodAffinityTerm(
        chance(0.95) ? selector() : null,
        chance(0.3) ? List.of(namespaceName()) : List.of(),
        chance(0.2) ? namespaceSelector() : null,
        one(HOST, ZONE, ZONE, "disk"));
  }

  private LabelSelector namespaceSelector() {
    return chance(0.4)
        ? LabelSelector.EVERYTHING
        : new LabelSelector(
            Map.of(), List.of(new Requirement("team", one("In", "NotIn"), List.of("x"))));
  }

  private @Nullable LabelSelector selector() {
    return one(
        LabelSelector.of(Map.of("app", one("a", "b", "c"))),
        LabelSelector.of(Map.of("app", one("a", "b", "c"))),
        new LabelSelector(
            Map.of(),
            List.of(new Requirement(chance(0.9) ? "tier" : "index", "Exists", List.of()))),
        new LabelSelector(
            Map.of(), List.of(new Requirement("app", one("In", "NotIn"), List.of("a", "b")))),
        LabelSelector.EVERYTHING);
  }

  private TopologySpreadConstraint constraint() {
    return new TopologySpreadConstraint(
        1 + below(3),
        one(HOST, ZONE, "disk"),
        one("DoNotSchedule", "ScheduleAnyway"),
        chance(0.95) ? selector() : null,
        one(1, 1, 2, 3, 4),
        chance(0.7),
        chance(0.3),
        chance(0.2) ? List.of("tier") : List.of());
  }
}
