package io.berth.app;

import io.berth.admission.AdmissionChain;
import io.berth.api.ApiException;
import io.berth.api.FeatureGates;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.ClusterScheduler;
import io.berth.cli.ClusterScheduler.Mode;
import io.berth.cli.LocalCluster.Simulation;
import io.berth.cli.SchedulerSettings;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.controllers.kubelet.NodeFleet;
import io.berth.server.ApiServer;
import io.berth.server.ServerSettings;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A whole cluster without nodes of its own: each test brings those it needs, and puts its pods on
/// them by their label `test`.
///
/// It stands in this process, or, with `-Dberth.kubeconfig=FILE`, it is a real control plane
/// without a scheduler, whose nodes and pods KWOK keeps alive: then `berth scheduler` runs in this
/// process, and what tests leave behind is taken away at the end.
final class Stage implements AutoCloseable {

  private static final String KUBECONFIG = System.getProperty("berth.kubeconfig", "");

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final long LOOK_AGAIN_MILLIS = 20;
  private static final String PROBES = "probes";

  private static final Map<String, Resource> KINDS =
      Stream.of(
              Resource.PODS,
              Resource.SERVICES,
              Resource.POD_GROUPS,
              Resource.PRIORITY_CLASSES,
              Resource.REPLICA_SETS,
              Resource.REPLICATION_CONTROLLERS,
              Resource.PERSISTENT_VOLUMES,
              Resource.PERSISTENT_VOLUME_CLAIMS,
              Resource.STORAGE_CLASSES,
              Resource.STATEFUL_SETS,
              new Resource("networking.k8s.io", "v1", "ingresses", "Ingress", true),
              new Resource("", "v1", "limitranges", "LimitRange", true),
              new Resource("node.k8s.io", "v1", "runtimeclasses", "RuntimeClass", false))
          .collect(Collectors.toMap(Resource::kind, resource -> resource));

  private final List<AutoCloseable> parts = new ArrayList<>();
  private final List<Named> created = new ArrayList<>();
  private final Cluster cluster;

  Stage() throws Exception {
    this(new Simulation(0, null, 1));
  }

  /// One that is simulated in another way, if it is ours.
  Stage(Simulation simulation) throws Exception {
    this.cluster = KUBECONFIG.isEmpty() ? embedded(simulation) : real(Path.of(KUBECONFIG));
    createNamespace(PROBES);
  }

  private Cluster embedded(Simulation simulation) throws Exception {
    var store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
    parts.add(store);
    var authority = Authority.open(null);
    var server =
        new ApiServer(
            store,
            authority,
            AdmissionChain.of(List.of(), List.of()),
            ServerSettings.plain().withGates(FeatureGates.ALL));
    parts.add(server);
    parts.add(new Components(server.registry(), authority, simulation, SchedulerSettings.DEFAULT));
    return new InProcessCluster(server.registry(), "stage", InstantSource.system());
  }

  private Cluster real(Path kubeconfig) {
    var settings =
        SchedulerSettings.of(null, configuration -> configuration.withLeaderElection(false));
    var options =
        new ClusterScheduler.Options(kubeconfig, "", settings, Mode.BIND, "127.0.0.1", 0, null);
    parts.add(new RealClusterScheduler(InstantSource.system()).start(options));
    var connection = RealCluster.connect(kubeconfig, "", "stage", Set.of());
    parts.add(connection);
    return connection;
  }

  /// Whether the whole cluster is ours, and nobody else provisions or serves what tests ask for.
  static boolean isEmbedded() {
    return KUBECONFIG.isEmpty();
  }

  @Override
  public void close() {
    if (!isEmbedded()) {
      takeAway();
    }
    for (var part : parts.reversed()) {
      try {
        part.close();
      } catch (Exception e) {
        throw new AssertionError("a part of the cluster did not stop", e);
      }
    }
  }

  // Namespaces first: their pods hold on to volumes, and need their nodes to end.
  private void takeAway() {
    takeAway(created.stream().filter(Named::isNamespace).toList());
    takeAway(created.stream().filter(named -> !named.isNamespace()).toList());
  }

  private void takeAway(List<Named> objects) {
    for (var named : objects) {
      cluster.delete(named.resource(), "", named.name(), DeleteOptions.DEFAULT);
    }
    for (var named : objects) {
      await(named.name() + " is gone", () -> !exists(named.resource(), "", named.name()));
    }
  }

  private void createNamespace(String name) {
    make(Resource.NAMESPACES, Tree.of("metadata", Tree.of("name", name)));
    await(
        "the service account of " + name, () -> exists(Resource.SERVICE_ACCOUNTS, name, "default"));
  }

  private void make(Resource resource, Tree object) {
    cluster.create(resource, object);
    if (!resource.namespaced()) {
      created.add(new Named(resource, object.textOrEmpty("metadata", "name")));
    }
  }

  private record Named(Resource resource, String name) {

    boolean isNamespace() {
      return resource.equals(Resource.NAMESPACES);
    }
  }

  /// A namespace and `count` nodes of its own, `<name>-1` and so on, one in each zone.
  void set(String name, int count, String capacity, String taints) {
    createNamespace(name);
    var fleet =
        Yaml.read(
            """
            metadata: {name: %s}
            spec:
              count: %d
              zones: [zone-a, zone-b]
              labels: {test: %s}
              capacity: %s
              taints: %s
            """
                .formatted(name, count, name, capacity, taints));
    NodeFleet.of(fleet).nodes().forEach(node -> make(Resource.NODES, node));
    for (int i = 1; i <= count; i++) {
      var node = name + "-" + i;
      await(node + " is ready", () -> isUsable(node, taints));
      create(probe(node, taints));
      awaitRunning(PROBES, node);
    }
  }

  /// A pod that asks for nothing and runs on a node for good: when it runs, the scheduler knows
  /// that the node is ready, which it learns a moment after everybody else.
  private static String probe(String node, String taints) {
    var tolerated =
        Yaml.read("taints: " + taints).trees("taints").stream()
            .map(taint -> "{key: %s, operator: Exists}".formatted(taint.textOrEmpty("key")))
            .toList();
    return """
    kind: Pod
    metadata: {namespace: %s, name: %s}
    spec:
      nodeSelector: {kubernetes.io/hostname: %s}
      tolerations: %s
      containers: [{name: c, image: example/probe:1}]
    """
        .formatted(PROBES, node, node, tolerated);
  }

  private boolean isUsable(String name, String taints) {
    var node = cluster.fetch(Resource.NODES, "", name);
    boolean ready =
        node.trees("status", "conditions").stream()
            .anyMatch(condition ->
                condition.textOrEmpty("type").equals("Ready")
                    && condition.textOrEmpty("status").equals("True"));
    int expected = Yaml.read("taints: " + taints).list("taints").size();
    return ready && node.list("spec", "taints").size() == expected;
  }

  /// Creates everything in the documents.
  void create(String documents) {
    for (var object : Yaml.readAll(documents)) {
      var resource = KINDS.get(object.textOrEmpty("kind"));
      if (resource == null) {
        throw new IllegalArgumentException("unknown kind: " + object);
      }
      make(resource, object);
    }
  }

  void delete(String namespace, String pod) {
    delete(Resource.PODS, namespace, pod);
  }

  void delete(Resource resource, String namespace, String name) {
    cluster.delete(resource, namespace, name, DeleteOptions.DEFAULT);
    created.remove(new Named(resource, name));
  }

  void update(Resource resource, Tree object) {
    cluster.update(resource, null, object);
  }

  List<Tree> list(Resource resource, String labels) {
    return cluster.list(resource, "", Selection.labels(labels)).items();
  }

  void patchPod(String namespace, String name, String patch) {
    patch(Resource.PODS, namespace, name, patch);
  }

  void patch(Resource resource, String namespace, String name, String patch) {
    cluster.patch(resource, namespace, name, null, Cluster.PatchType.MERGE, Yaml.read(patch));
  }

  Tree fetch(Resource resource, String namespace, String name) {
    return cluster.fetch(resource, namespace, name);
  }

  boolean exists(String namespace, String pod) {
    return exists(Resource.PODS, namespace, pod);
  }

  private boolean exists(Resource resource, String namespace, String name) {
    try {
      cluster.fetch(resource, namespace, name);
      return true;
    } catch (ApiException e) {
      return false;
    }
  }

  List<Tree> pods(String namespace) {
    return cluster.list(Resource.PODS, namespace, Selection.ALL).items();
  }

  /// Waits until the pod runs, and says where.
  String awaitRunning(String namespace, String name) {
    try {
      await(name + " runs", () -> phase(namespace, name).equals("Running"));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; pods: " + pods(namespace), e);
    }
    return fetch(Resource.PODS, namespace, name).textOrEmpty("spec", "nodeName");
  }

  private String phase(String namespace, String pod) {
    return fetch(Resource.PODS, namespace, pod).textOrEmpty("status", "phase");
  }

  /// Waits until the scheduler has said that the pod does not fit, and why.
  String awaitUnschedulable(String namespace, String pod) {
    await(pod + " is refused", () -> !message(namespace, pod).isEmpty());
    return message(namespace, pod);
  }

  private String message(String namespace, String pod) {
    return fetch(Resource.PODS, namespace, pod).trees("status", "conditions").stream()
        .filter(condition -> condition.textOrEmpty("reason").equals("Unschedulable"))
        .map(condition -> condition.textOrEmpty("message"))
        .findFirst()
        .orElse("");
  }

  void await(String what, BooleanSupplier condition) {
    var end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("did not happen: " + what);
      }
      try {
        Thread.sleep(LOOK_AGAIN_MILLIS);
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted while waiting for: " + what, e);
      }
    }
  }

  /// A pod for the nodes of its namespace; `spec` are further lines of its spec.
  static String pod(String namespace, String name, String spec) {
    var labels = "labels: {app: it}";
    var selector =
        spec.contains("nodeSelector:") ? "" : "nodeSelector: {test: %s}\n".formatted(namespace);
    var containers =
        spec.contains("containers:") ? "" : "containers: [{name: c, image: example/app:1}]\n";
    return """
    kind: Pod
    metadata:
      namespace: %s
      name: %s
      %s
    spec:
      terminationGracePeriodSeconds: 1
    """
            .formatted(namespace, name, labels)
        + (selector + containers + spec).indent(2);
  }

  static String requests(String amounts) {
    return "containers: [{name: c, image: example/app:1, resources: {requests: {%s}}}]\n"
        .formatted(amounts);
  }
}
