package io.berth.answers.plan;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Ownership;
import io.berth.answers.source.Survey;
import io.berth.api.ClusterObject;
import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.SelectorOwner;
import io.berth.api.Tree;
import io.berth.codec.ClusterKind;
import io.berth.codec.NodeReader;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Plan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// A cluster in which things happen that have not: the nodes and pods there would be.
///
/// All of it is a plan over an engine: closing it leaves the engine as it was. One thread owns it.
final class ImaginedCluster implements AutoCloseable {

  private final Survey survey;
  private final Engine engine;
  private final Plan plan;
  private final Chronicle chronicle;
  private final Map<String, Tree> nodeTrees = new TreeMap<>();
  private final Map<String, Node> nodes = new TreeMap<>();
  private final Map<String, Resident> pods = new LinkedHashMap<>();
  private final WaitingRoom waiting;
  private final BudgetBook budgets = new BudgetBook();
  private final Map<String, Set<String>> onNode = new HashMap<>();
  private final Map<ObjectReference, Set<String>> ofOwner = new HashMap<>();
  private final Map<ObjectReference, Manifest> manifests = new LinkedHashMap<>();
  private int freed;
  private int placed;
  private int lineages;
  private int names;

  /// `engine` knows the survey and nothing else.
  ImaginedCluster(Survey survey, Engine engine, Chronicle chronicle) {
    this.survey = survey;
    this.engine = engine;
    this.plan = engine.plan();
    this.waiting = new WaitingRoom(new Like.Labels(engine::selects));
    this.chronicle = chronicle;
    takeObjects();
    var ownership = Ownership.of(survey);
    for (var each : survey.pods()) {
      if (!each.isOfTemplate() && !each.pod().isFinished()) {
        var pod = each.pod();
        chronicle.put(each::tree);
        if (each.isWaiting() && !pod.status().nominatedNodeName().isEmpty()) {
          chronicle.nominated(pod, pod.status().nominatedNodeName());
        }
        add(new Resident(lineages++, pod, ownership.topOf(each), pod, each, pod.terminating()));
      }
    }
  }

  private void takeObjects() {
    var written = new LinkedHashSet<ObjectReference>();
    for (var manifest : survey.manifests()) {
      manifests.put(manifest.reference(), manifest);
      if (manifest.kind().equals(Node.KIND)) {
        nodeTrees.put(manifest.name(), manifest.tree());
        nodes.put(manifest.name(), NodeReader.read(manifest.tree()));
      }
      if (manifest.kind().equals(PodDisruptionBudget.KIND)) {
        budgets.open(manifest.tree());
      }
      if (!manifest.kind().equals(Pod.KIND) && ClusterKind.find(manifest.kind()).isPresent()) {
        written.add(manifest.reference());
        chronicle.put(manifest::tree);
      }
    }
    for (var object : survey.surroundings()) {
      if (!written.contains(object.reference())) {
        chronicle.put(() -> tree(object));
      }
    }
  }

  /// Of objects that nobody wrote: namespaces, and what Deployments make.
  private static Tree tree(ClusterObject object) {
    var meta = Tree.of("name", object.name());
    if (!object.namespace().isEmpty()) {
      meta.put("namespace", object.namespace());
    }
    var tree = Tree.of("kind", object.kind(), "metadata", meta);
    if (object instanceof Namespace namespace) {
      meta.put("labels", Tree.ofMap(namespace.labels()));
    } else if (object instanceof SelectorOwner(_, _, _, var selector) && selector != null) {
      var labels = Tree.of("matchLabels", Tree.ofMap(selector.matchLabels()));
      tree.put("spec", Tree.of("selector", labels));
    }
    return tree;
  }

  Survey survey() {
    return survey;
  }

  Collection<Node> nodes() {
    return nodes.values();
  }

  List<Node> nodes(NodeChoice choice) {
    var chosen = nodes.values().stream().filter(choice::means).toList();
    if (chosen.isEmpty()) {
      throw new PlanStepException(
          "no node is meant by %s".formatted(choice) + choice.hint(nodes()));
    }
    return chosen;
  }

  Tree nodeTree(String name) {
    var tree = nodeTrees.get(name);
    if (tree == null) {
      throw new PlanStepException(
          "there is no node %s; the nodes are %s"
              .formatted(name, String.join(", ", nodes.keySet().stream().limit(10).toList())));
    }
    return tree;
  }

  Optional<Node> findNode(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  Optional<Manifest> find(ObjectReference reference) {
    return Optional.ofNullable(manifests.get(reference));
  }

  Collection<Manifest> manifests() {
    return List.copyOf(manifests.values());
  }

  /// Every pod, those on their way out as well. Not to be held while any comes or goes.
  Collection<Resident> pods() {
    return Collections.unmodifiableCollection(pods.values());
  }

  Optional<Resident> findPod(String key) {
    return Optional.ofNullable(pods.get(key));
  }

  WaitingRoom waiting() {
    return waiting;
  }

  WaitingRoom.News news() {
    return new WaitingRoom.News(freed, placed);
  }

  BudgetBook budgets() {
    return budgets;
  }

  List<Resident> podsOn(String node) {
    var here = new ArrayList<Resident>();
    for (var key : onNode.getOrDefault(node, Set.of())) {
      here.add(pods.get(key));
    }
    return here;
  }

  List<Resident> podsOf(ObjectReference owner) {
    var own = new ArrayList<Resident>();
    for (var key : ofOwner.getOrDefault(owner, Set.of())) {
      var pod = pods.get(key);
      if (pod != null && !pod.leftOver()) {
        own.add(pod);
      }
    }
    return own;
  }

  /// Adds or replaces an object that is no pod.
  void put(Tree object, Manifest manifest) {
    freed++;
    manifests.put(manifest.reference(), manifest);
    if (manifest.kind().equals(Node.KIND)) {
      nodeTrees.put(manifest.name(), object);
      nodes.put(manifest.name(), NodeReader.read(object));
    }
    ClusterKind.find(manifest.kind())
        .ifPresent(kind -> {
          plan.put(kind.read(object));
          chronicle.put(() -> object);
        });
    if (manifest.kind().equals(PodDisruptionBudget.KIND)) {
      countAnew();
    }
  }

  private void countAnew() {
    budgets.clear();
    for (var manifest : manifests.values()) {
      if (manifest.kind().equals(PodDisruptionBudget.KIND)) {
        budgets.open(manifest.tree());
      }
    }
    pods.values().forEach(pod -> budgets.count(pod, 1));
  }

  void putNode(Tree node) {
    put(node, Manifest.ofCluster(node));
  }

  void remove(ObjectReference object) {
    freed++;
    manifests.remove(object);
    if (object.kind().equals(Node.KIND)) {
      nodes.remove(object.name());
      nodeTrees.remove(object.name());
    }
    plan.remove(object);
    chronicle.removed(object);
    if (object.kind().equals(PodDisruptionBudget.KIND)) {
      countAnew();
    }
  }

  /// A pod that waits, or that its manifest puts on a node.
  void add(Resident pod) {
    replace(pod);
    if (pod.isWaiting()) {
      // Nobody decides about a pod that is on its way out.
      if (!pod.pod().terminating()) {
        waiting.add(pod);
      }
    } else {
      waiting.remove(pod.key());
      onNode.computeIfAbsent(pod.node(), _ -> new LinkedHashSet<>()).add(pod.key());
    }
  }

  private void replace(Resident pod) {
    var before = pods.put(pod.key(), pod);
    if (before == null) {
      ofOwner.computeIfAbsent(pod.owner(), _ -> new LinkedHashSet<>()).add(pod.key());
    } else {
      budgets.count(before, -1);
    }
    budgets.count(pod, 1);
  }

  /// A pod that nobody knew yet.
  void addNew(Resident pod) {
    placed++;
    chronicle.put(pod::tree);
    if (!pod.isWaiting()) {
      plan.put(pod.pod());
    }
    add(pod);
  }

  Decision decide(Resident pod) {
    var decision = plan.decide(pod.pod());
    chronicle.decided(pod.pod(), decision);
    return decision;
  }

  boolean fits(Pod pod, String node) {
    return plan.fits(pod, node);
  }

  /// The engine in the state that the plan has brought it to.
  Engine engine() {
    return engine;
  }

  Plan plan() {
    return plan;
  }

  void place(Resident pod, String node) {
    placed++;
    plan.place(pod.pod(), node);
    chronicle.assumed(pod.pod(), node);
    add(pod.on(node));
  }

  /// The pod is no more.
  void vanish(Resident pod) {
    freed++;
    if (pods.remove(pod.key()) != null) {
      budgets.count(pod, -1);
      ofOwner.getOrDefault(pod.owner(), Set.of()).remove(pod.key());
    }
    waiting.remove(pod.key());
    if (!pod.isWaiting()) {
      onNode.getOrDefault(pod.node(), Set.of()).remove(pod.key());
    }
    plan.remove(pod.pod().reference());
    chronicle.removed(pod.pod().reference());
  }

  /// The pod is on its way out, and nobody confirms that it is gone.
  void leaveBehind(Resident pod) {
    placed++;
    var ending = pod.ending();
    plan.put(ending.pod());
    chronicle.put(ending::tree);
    replace(ending);
  }

  int nextLineage() {
    return lineages++;
  }

  /// A name that no pod has: `web-5d9c-r1` for one in the place of `web-5d9c-x7k2p`.
  String nameLike(Resident pod) {
    int dash = pod.pod().name().lastIndexOf('-');
    var stem = dash < 0 ? pod.pod().name() : pod.pod().name().substring(0, dash);
    return newName(pod.pod().namespace(), stem, "-r");
  }

  String newName(String namespace, String stem, String infix) {
    String name;
    do {
      names++;
      name = stem + infix + names;
    } while (pods.containsKey(namespace + "/" + name));
    return name;
  }

  @Override
  public void close() {
    plan.close();
  }
}
