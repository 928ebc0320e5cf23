package io.berth.conformance.random;

import io.berth.api.Tree;
import io.berth.conformance.Case;
import io.berth.conformance.Respondent;
import io.berth.conformance.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes a case from a seed: a small cluster, and a history in which pods are decided between
/// changes of everything.
///
/// A respondent lives through the history while it is made, because what can happen next depends on
/// where pods went; its answers become the expectations of the case.
public final class RandomCases {

  static final String[] NAMESPACES = {"default", "red-1", "red-2", "blue-1"};

  private final Respondent respondent;
  private final boolean forgetful;
  private final boolean volumes;
  private final boolean rare;

  /// `forgetful` leaves out what kube-scheduler decides by remembering the past: how many nodes had
  /// an image when a node last changed, and host ports that two pods of a node share.
  public RandomCases(Respondent respondent, boolean forgetful) {
    this(respondent, forgetful, false, false);
  }

  private RandomCases(Respondent respondent, boolean forgetful, boolean volumes, boolean rare) {
    this.respondent = respondent;
    this.forgetful = forgetful;
    this.volumes = volumes;
    this.rare = rare;
  }

  /// Cases in which pods have persistent volumes; the respondent must know about these.
  public static RandomCases withVolumes(Respondent respondent) {
    return new RandomCases(respondent, true, true, false);
  }

  /// Cases full of [Rarities].
  public static RandomCases rare(Respondent respondent) {
    return new RandomCases(respondent, true, false, true);
  }

  public Case of(long seed) {
    return new Making(seed, respondent, forgetful, volumes, rare).make();
  }

  private static final class Making {

    private final Chance chance;
    private final Theme theme;
    private final RandomSelectors selectors;
    private final RandomPods pods;
    private final RandomNodes nodes;
    private final @Nullable RandomVolumes volumes;
    private final @Nullable Rarities rarities;
    private final Respondent respondent;
    private final boolean forgetful;
    private final Tree tree;
    private final Map<String, Tree> running = new LinkedHashMap<>();
    private final Map<String, Tree> present = new LinkedHashMap<>();
    private final Set<String> nominated = new HashSet<>();
    private final List<Tree> undecided = new ArrayList<>();
    private final List<Tree> templates = new ArrayList<>();
    private final List<Object> steps = new ArrayList<>();

    Making(long seed, Respondent respondent, boolean forgetful, boolean volumes, boolean rare) {
      this.forgetful = forgetful;
      this.chance = new Chance(seed);
      this.theme = Theme.of(chance);
      int size = chance.between(1, chance.percent(20) ? 16 : 8);
      if (rare && chance.percent(4)) {
        size = chance.between(60, 99);
      }
      this.selectors = new RandomSelectors(chance, size);
      this.pods = new RandomPods(chance, selectors, theme);
      this.nodes = new RandomNodes(chance, selectors, theme);
      boolean some = volumes || (rare && chance.percent(25));
      this.volumes = some ? new RandomVolumes(chance, selectors) : null;
      this.rarities = rare ? new Rarities(chance, selectors) : null;
      this.respondent = respondent;
      var name = volumes ? "volumes" : rare ? "rare" : "random";
      this.tree = Tree.of("id", name + "-" + seed, "theme", name, "seed", seed);
      if (theme.configured()) {
        tree.put("config", configuration());
      }
      tree.put("namespaces", namespaces());
      owners();
      for (int i = 0; i < size; i++) {
        if (chance.percent(97)) {
          var node = node("n%02d".formatted(i), true);
          present.put("n%02d".formatted(i), node);
        }
      }
      tree.put("nodes", new ArrayList<Object>(present.values()));
      if (this.volumes != null) {
        this.volumes.fill(tree);
        this.volumes.configure(tree);
      }
      if (!present.isEmpty()) {
        tree.put("pods", chance.many(0, size * (theme.crowded() ? 4 : 2), this::runningPod));
      }
    }

    private Tree configuration() {
      return rarities != null && chance.percent(60)
          ? rarities.configuration()
          : new RandomConfigurations(chance, selectors).configuration();
    }

    private Tree node(String name, boolean first) {
      var node = nodes.node(name);
      if (rarities != null) {
        rarities.node(node, first);
      }
      return node;
    }

    private Tree newPod() {
      var pod = pods.pending();
      if (rarities != null) {
        rarities.pod(pod, false);
      }
      return pod;
    }

    Case make() {
      nodes.started(forgetful);
      respondent.begin(Case.of(tree.copy().put("steps", List.of())));
      int decisions = chance.percent(10) ? chance.between(10, 40) : chance.between(3, 9);
      while (decisions > 0) {
        if (chance.percent(55)) {
          decide();
          decisions--;
        } else {
          change();
        }
      }
      return Case.of(tree.put("steps", steps));
    }

    private void decide() {
      var pod = undecided.isEmpty() || chance.percent(60) ? pending() : chance.one(undecided);
      undecided.removeIf(each -> Step.key(each).equals(Step.key(pod)));
      nominated.remove(Step.key(pod));
      if (chance.percent(12)) {
        pod.child("status").put("nominatedNodeName", selectors.nodeName());
      }
      var answer = respondent.decide(pod);
      var step = Tree.of("decide", pod.copy(), "expect", answer);
      steps.add(step);
      var best = answer.list("best");
      if (best.isEmpty()) {
        respondent.discard(pod);
        undecided.add(pod);
        return;
      }
      var node = String.valueOf(best.getFirst());
      var started = pods.startTime();
      step.put("assume", node).put("startTime", started);
      respondent.place(pod, node, started);
      running.put(Step.key(pod), Step.placed(pod, node, started));
    }

    /// A pod unlike any before, or one more replica of an earlier one.
    private Tree pending() {
      var pod = newPod();
      if (!templates.isEmpty() && chance.percent(60)) {
        var replica = chance.one(templates).copy();
        replica.child("metadata").put("name", pod.at("metadata", "name"));
        return replica;
      }
      useVolumes(pod);
      templates.add(pod.copy());
      return pod;
    }

    /// Claims of ephemeral volumes appear with their pod.
    private void useVolumes(Tree pod) {
      if (volumes != null) {
        for (var claim : volumes.use(pod)) {
          happen(claim);
        }
      }
    }

    private void change() {
      if (volumes != null && chance.percent(40)) {
        happen(volumes.change());
        return;
      }
      if (rarities != null && chance.percent(15)) {
        happen(rarities.change());
        return;
      }
      switch (chance.between(0, 9)) {
        case 0 -> addNode();
        case 1 -> updateNode();
        case 2 -> removeNode();
        case 3, 4 -> addPod();
        case 5 -> updatePod();
        case 6 -> removePod();
        case 7 -> happen("updateNamespace", namespace(chance.one(NAMESPACES)));
        case 8 -> nominate();
        default -> unnominate();
      }
    }

    private void happen(String kind, Object what) {
      happen(Tree.of(kind, what));
    }

    private void happen(Tree step) {
      steps.add(step);
      respondent.apply((Step.Event) Step.of(step.copy(), steps.size()));
    }

    private void addNode() {
      var name = selectors.nodeName();
      if (!present.containsKey(name)) {
        var node = node(name, false);
        present.put(name, node);
        happen("addNode", node);
      }
    }

    private void updateNode() {
      if (!present.isEmpty()) {
        var name = chance.one(List.copyOf(present.keySet()));
        var node = nodes.changed(java.util.Objects.requireNonNull(present.get(name)));
        present.put(name, node);
        happen("updateNode", node);
      }
    }

    private void removeNode() {
      if (present.size() > 1 && chance.percent(50)) {
        var name = chance.one(List.copyOf(present.keySet()));
        var node = java.util.Objects.requireNonNull(present.get(name));
        if (!forgetful || node.at("status", "images") == null) {
          present.remove(name);
          happen("removeNode", name);
        }
      }
    }

    private void addPod() {
      if (!present.isEmpty()) {
        var pod = runningPod();
        useVolumes(pod);
        happen("addPod", pod);
      }
    }

    private void updatePod() {
      if (!running.isEmpty()) {
        var key = chance.one(List.copyOf(running.keySet()));
        var pod = java.util.Objects.requireNonNull(running.get(key)).copy();
        pod.child("metadata").put("labels", selectors.podLabels());
        if (rarities != null && chance.percent(50)) {
          rarities.restated(pod);
        }
        running.put(key, pod);
        happen("updatePod", pod);
      }
    }

    private void removePod() {
      if (!running.isEmpty()) {
        var key = chance.one(List.copyOf(running.keySet()));
        running.remove(key);
        happen("removePod", key);
      }
    }

    private void nominate() {
      var pod = newPod();
      var node = selectors.nodeName();
      useVolumes(pod);
      pod.child("status").put("nominatedNodeName", node);
      nominated.add(Step.key(pod));
      undecided.add(pod);
      happen("nominate", Tree.of("pod", pod.copy(), "node", node));
    }

    private void unnominate() {
      if (!nominated.isEmpty()) {
        var key = chance.one(List.copyOf(new java.util.TreeSet<>(nominated)));
        nominated.remove(key);
        undecided.removeIf(each -> Step.key(each).equals(key));
        happen("unnominate", key);
      }
    }

    private Tree runningPod() {
      var pod = pods.running(chance.one(List.copyOf(present.keySet())));
      if (rarities != null) {
        rarities.pod(pod, true);
      }
      if (forgetful) {
        dropSharedPorts(pod);
      }
      running.put(Step.key(pod), pod);
      return pod;
    }

    private void dropSharedPorts(Tree pod) {
      var taken = new HashSet<String>();
      for (var other : running.values()) {
        if (other.textOrEmpty("spec", "nodeName").equals(pod.textOrEmpty("spec", "nodeName"))) {
          containers(other).forEach(each -> taken.addAll(hostPorts(each)));
        }
      }
      for (var container : containers(pod)) {
        if (hostPorts(container).stream().anyMatch(taken::contains)) {
          container.remove("ports");
        }
      }
    }

    private static List<Tree> containers(Tree pod) {
      var containers = new ArrayList<>(pod.trees("spec", "containers"));
      containers.addAll(pod.trees("spec", "initContainers"));
      return containers;
    }

    private static List<String> hostPorts(Tree container) {
      return container.trees("ports").stream()
          .map(port -> port.textOrEmpty("protocol") + port.number(0, "hostPort"))
          .toList();
    }

    private List<Object> namespaces() {
      var list = new ArrayList<Object>();
      for (var name : NAMESPACES) {
        list.add(namespace(name));
      }
      return list;
    }

    private Tree namespace(String name) {
      var labels = Tree.of("kubernetes.io/metadata.name", name);
      if (chance.percent(80)) {
        labels.put("team", chance.percent(85) ? name.replaceAll("-.*", "") : "green");
      }
      if (chance.percent(40)) {
        labels.put("env", chance.one("prod", "dev"));
      }
      return Tree.of("metadata", Tree.of("name", name, "labels", labels));
    }

    private void owners() {
      if (theme.priorities() && chance.percent(50)) {
        tree.put("pdbs", chance.many(1, 3, this::budget));
        var names = tree.trees("pdbs");
        for (int i = 0; i < names.size(); i++) {
          names.get(i).child("metadata").put("name", "pdb" + i);
        }
      }
      if (theme.defaultSpread()) {
        tree.put("services", chance.many(0, 2, this::service));
        var services = tree.trees("services");
        for (int i = 0; i < services.size(); i++) {
          services.get(i).child("metadata").put("name", "svc" + i);
        }
        tree.put("replicaSets", owners("own-a"));
        tree.put("statefulSets", owners("own-b"));
      }
    }

    private Tree budget() {
      var budget =
          Tree.of(
              "metadata",
              Tree.of("namespace", chance.one(NAMESPACES)),
              "spec",
              Tree.of("selector", selectors.labelSelector()),
              "status",
              Tree.of("disruptionsAllowed", chance.one(0, 0, 1, 2)));
      if (chance.percent(10)) {
        budget
            .child("status")
            .put("disruptedPods", Tree.of("p" + chance.between(0, 5), "2026-01-01T00:00:00Z"));
      }
      return budget;
    }

    private Tree service() {
      return Tree.of(
          "metadata", Tree.of("namespace", chance.one(NAMESPACES)),
          "spec", Tree.of("selector", Tree.of("app", chance.one("a", "b", "c"))));
    }

    private List<Object> owners(String name) {
      var list = new ArrayList<Object>();
      for (var namespace : chance.some(0, 3, NAMESPACES)) {
        list.add(
            Tree.of(
                "metadata", Tree.of("name", name, "namespace", namespace),
                "spec", Tree.of("selector", selectors.labelSelector())));
      }
      return list;
    }
  }
}
