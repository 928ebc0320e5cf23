package io.berth.app;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Cluster.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/// Random operations of impatient users and unlucky operators: the same seed, the same operations.
///
/// What is chosen depends on the seed and on earlier choices alone, never on the cluster.
final class Turmoil {

  private static final String NAMESPACE = "turmoil";
  private static final int MAX_REPLICAS = 12;
  private static final int MAX_OWNERS = 6;

  private final Restartable cluster;
  private final Invariants invariants;
  private final int nodeCount;
  private final RandomGenerator random;
  private final Map<String, Integer> deployments = new TreeMap<>();
  private final Map<String, Integer> statefulSets = new TreeMap<>();
  private final TreeSet<String> jobs = new TreeSet<>();
  private final TreeSet<String> broken = new TreeSet<>();
  private final TreeSet<String> cordoned = new TreeSet<>();
  private final List<String> history = new ArrayList<>();
  private int next;

  Turmoil(Restartable cluster, Invariants invariants, int nodeCount, long seed) {
    this.cluster = cluster;
    this.invariants = invariants;
    this.nodeCount = nodeCount;
    this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    cluster.client().create(Resource.NAMESPACES, Tree.of("metadata", Tree.of("name", NAMESPACE)));
  }

  List<String> history() {
    return history;
  }

  /// One operation; refusals are part of life.
  void step() throws Exception {
    try {
      switch (random.nextInt(20)) {
        case 0, 1 -> createDeployment();
        case 2, 3, 4 -> resize(Resource.DEPLOYMENTS, deployments);
        case 5, 6, 7 -> rollOut();
        case 8 -> remove(Resource.DEPLOYMENTS, deployments);
        case 9 -> createStatefulSet();
        case 10 -> resize(Resource.STATEFUL_SETS, statefulSets);
        case 11 -> remove(Resource.STATEFUL_SETS, statefulSets);
        case 12, 13 -> createJob();
        case 14 -> drain();
        case 15 -> uncordon();
        case 16 -> breakNode();
        case 17 -> breakZone();
        case 18 -> mend();
        default -> deletePods();
      }
    } catch (ApiException e) {
      note("refused: " + e.getMessage());
    }
  }

  void restart() throws Exception {
    note("restart");
    cluster.restart();
  }

  /// Everything is mended; from here on it must come to rest.
  void end() {
    for (var node : nodes()) {
      patchNode(node, "metadata", "annotations", Tree.of("berth.io/failure", null));
      patchNode(node, "spec", "unschedulable", null);
    }
    broken.clear();
    cordoned.clear();
  }

  /// What is not yet as asked for; empty when the cluster has come to rest.
  List<String> unsettled() {
    var open = new ArrayList<String>();
    deployments.forEach(
        (name, size) -> compare(open, Resource.DEPLOYMENTS, name, size, "availableReplicas"));
    statefulSets.forEach(
        (name, size) -> compare(open, Resource.STATEFUL_SETS, name, size, "readyReplicas"));
    for (var name : jobs) {
      var job = cluster.client().fetch(Resource.JOBS, NAMESPACE, name);
      if (job.number(0, "status", "succeeded") != job.number(1, "spec", "completions")) {
        open.add("Job " + name + " has " + job.treeOrEmpty("status"));
      }
    }
    var expected = new TreeMap<String, Integer>();
    expected.putAll(deployments);
    expected.putAll(statefulSets);
    var counts = new TreeMap<String, Integer>();
    for (var pod : list(Resource.PODS)) {
      var phase = pod.textOrEmpty("status", "phase");
      var app = pod.textOrEmpty("metadata", "labels", "app");
      if (phase.equals("Running") && pod.text("metadata", "deletionTimestamp") == null) {
        counts.merge(app, 1, Integer::sum);
      } else if (!jobs.contains(app)) {
        open.add("pod %s of %s is %s".formatted(name(pod), app, phase));
      }
    }
    expected.values().removeIf(size -> size == 0);
    if (!counts.equals(expected)) {
      open.add("pods are %s instead of %s".formatted(counts, expected));
    }
    var orphans = list(Resource.REPLICA_SETS);
    for (var set : orphans) {
      if (!deployments.containsKey(set.textOrEmpty("metadata", "labels", "app"))) {
        open.add("ReplicaSet %s has no Deployment".formatted(name(set)));
      }
    }
    return open;
  }

  private void compare(List<String> open, Resource kind, String name, int size, String field) {
    var object = cluster.client().fetch(kind, NAMESPACE, name);
    var status = object.treeOrEmpty("status");
    if (status.number(0, field) != size
        || status.number(0, "replicas") != size
        || status.number(0, "updatedReplicas") != size
        || status.number(0, "observedGeneration") != object.number(0, "metadata", "generation")) {
      open.add("%s %s of %d has %s".formatted(kind.kind(), name, size, status));
    }
  }

  private void createDeployment() {
    if (deployments.size() >= MAX_OWNERS) {
      return;
    }
    var name = "d" + ++next;
    var size = random.nextInt(MAX_REPLICAS + 1);
    note("create Deployment %s of %d".formatted(name, size));
    cluster.client().create(Resource.DEPLOYMENTS, workload(name, size));
    deployments.put(name, size);
    if (random.nextBoolean()) {
      var selector = Tree.of("matchLabels", Tree.of("app", name));
      note("and a budget for it");
      cluster
          .client()
          .create(
              Resource.POD_DISRUPTION_BUDGETS,
              Tree.of("metadata", metadata(name))
                  .put("spec", Tree.of("minAvailable", size / 2, "selector", selector)));
    }
  }

  private void createStatefulSet() {
    if (statefulSets.size() >= MAX_OWNERS / 2) {
      return;
    }
    var name = "s" + ++next;
    var size = random.nextInt(5);
    note("create StatefulSet %s of %d".formatted(name, size));
    var set = workload(name, size);
    set.child("spec").put("serviceName", name);
    cluster.client().create(Resource.STATEFUL_SETS, set);
    statefulSets.put(name, size);
  }

  private void createJob() {
    if (jobs.size() >= 4 * MAX_OWNERS) {
      return;
    }
    var name = "j" + ++next;
    var completions = 1 + random.nextInt(6);
    note("create Job %s of %d".formatted(name, completions));
    var template = template(name);
    template.child("spec").put("restartPolicy", "Never");
    var spec =
        Tree.of("completions", completions, "parallelism", 1 + random.nextInt(3))
            .put("backoffLimit", 1000)
            .put("template", template);
    cluster.client().create(Resource.JOBS, Tree.of("metadata", metadata(name), "spec", spec));
    jobs.add(name);
  }

  private void resize(Resource kind, Map<String, Integer> owners) {
    var name = any(owners.keySet());
    if (name == null) {
      return;
    }
    var size = random.nextInt(kind.equals(Resource.STATEFUL_SETS) ? 5 : MAX_REPLICAS + 1);
    note("scale %s to %d".formatted(name, size));
    patch(kind, name, Tree.of("spec", Tree.of("replicas", size)));
    owners.put(name, size);
  }

  private void rollOut() {
    var stateful = random.nextInt(4) == 0;
    var name = any(stateful ? statefulSets.keySet() : deployments.keySet());
    if (name == null) {
      return;
    }
    note("roll out %s".formatted(name));
    var annotations = Tree.of("annotations", Tree.of("version", "v" + ++next));
    patch(
        stateful ? Resource.STATEFUL_SETS : Resource.DEPLOYMENTS,
        name,
        Tree.of("spec", Tree.of("template", Tree.of("metadata", annotations))));
  }

  private void remove(Resource kind, Map<String, Integer> owners) {
    var name = any(owners.keySet());
    if (name == null) {
      return;
    }
    note("delete %s".formatted(name));
    cluster.client().delete(kind, NAMESPACE, name, DeleteOptions.DEFAULT);
    owners.remove(name);
  }

  private void drain() {
    var node = any(nodes());
    if (node == null || cordoned.size() > nodeCount / 3) {
      return;
    }
    note("drain " + node);
    cordoned.add(node);
    patchNode(node, "spec", "unschedulable", true);
    for (var pod : on(node)) {
      try {
        cluster
            .client()
            .post(
                Resource.PODS,
                NAMESPACE,
                name(pod),
                "eviction",
                Tree.of("metadata", metadata(name(pod))));
      } catch (ApiException e) {
        // The budget does not allow it, or the pod is gone.
      }
    }
  }

  private void uncordon() {
    var node = any(cordoned);
    if (node != null) {
      note("uncordon " + node);
      patchNode(node, "spec", "unschedulable", null);
      cordoned.remove(node);
    }
  }

  private void breakNode() {
    var node = any(nodes());
    if (node != null && broken.size() < nodeCount / 3) {
      fail(node, random.nextBoolean() ? "partition" : "power-loss");
    }
  }

  private void breakZone() {
    if (!broken.isEmpty() || random.nextInt(3) != 0) {
      return;
    }
    var zone = random.nextInt(3);
    for (var i = zone; i < nodeCount; i += 3) {
      fail("node-" + (i + 1), "partition");
    }
  }

  private void fail(String node, String how) {
    note("%s of %s".formatted(how, node));
    patchNode(node, "metadata", "annotations", Tree.of("berth.io/failure", how));
    broken.add(node);
  }

  private void mend() {
    for (var node : List.copyOf(broken)) {
      note("mend " + node);
      patchNode(node, "metadata", "annotations", Tree.of("berth.io/failure", null));
    }
    broken.clear();
  }

  private void deletePods() {
    var app = any(deployments.keySet());
    if (app == null) {
      return;
    }
    note("delete a pod of " + app);
    var pods =
        cluster.client().list(Resource.PODS, NAMESPACE, Selection.labels("app=" + app)).items();
    if (!pods.isEmpty()) {
      var pod = pods.getFirst();
      invariants.deletes(pod.textOrEmpty("metadata", "uid"));
      cluster.client().delete(Resource.PODS, NAMESPACE, name(pod), DeleteOptions.DEFAULT);
    }
  }

  private List<Tree> on(String node) {
    return cluster
        .client()
        .list(Resource.PODS, NAMESPACE, Selection.fields("spec.nodeName=" + node))
        .items();
  }

  private List<Tree> list(Resource resource) {
    return cluster.client().list(resource, NAMESPACE, Selection.ALL).items();
  }

  private List<String> nodes() {
    var names = new ArrayList<String>();
    for (var i = 1; i <= nodeCount; i++) {
      names.add("node-" + i);
    }
    return names;
  }

  private @Nullable String any(java.util.Collection<String> names) {
    return names.isEmpty() ? null : List.copyOf(names).get(random.nextInt(names.size()));
  }

  private void patch(Resource kind, String name, Tree change) {
    cluster.client().patch(kind, NAMESPACE, name, null, PatchType.MERGE, change);
  }

  private void patchNode(String node, String part, String field, @Nullable Object value) {
    cluster
        .client()
        .patch(
            Resource.NODES,
            "",
            node,
            null,
            PatchType.MERGE,
            Tree.of(part, new Tree().put(field, value)));
  }

  private static Tree workload(String name, int size) {
    var labels = Tree.of("app", name);
    return Tree.of("metadata", metadata(name))
        .put(
            "spec",
            Tree.of("replicas", size, "selector", Tree.of("matchLabels", labels))
                .put("template", template(name)));
  }

  private static Tree metadata(String name) {
    return Tree.of("name", name, "namespace", NAMESPACE, "labels", Tree.of("app", name));
  }

  /// Pods leave a lost node after five seconds instead of five minutes.
  private static Tree template(String name) {
    var requests = Tree.of("cpu", "500m", "memory", "1Gi");
    var container =
        Tree.of("name", "c", "image", "example/c:1", "resources", Tree.of("requests", requests));
    var tolerations = new ArrayList<Tree>();
    for (var key : List.of("not-ready", "unreachable")) {
      tolerations.add(
          Tree.of("key", "node.kubernetes.io/" + key, "operator", "Exists")
              .put("effect", "NoExecute")
              .put("tolerationSeconds", 5));
    }
    return Tree.of("metadata", Tree.of("labels", Tree.of("app", name)))
        .put("spec", Tree.of("containers", List.of(container), "tolerations", tolerations));
  }

  private void note(String what) {
    history.add(what);
  }

  private static String name(Tree object) {
    return object.textOrEmpty("metadata", "name");
  }
}
