package io.berth.controllers.core;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Informer;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.OwnWrites;
import io.berth.controllers.runtime.PodControl;
import io.berth.controllers.runtime.Selector;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps the EndpointSlices and the old Endpoints of every Service with a selector.
///
/// Endpoints that somebody wrote by hand, for a Service without a selector, are mirrored into
/// slices.
public final class Endpoints implements Controller {

  private static final String SERVICE = "kubernetes.io/service-name";
  private static final String MANAGER = "endpointslice.kubernetes.io/managed-by";
  private static final String OURS = "endpointslice-controller.k8s.io";
  private static final String MIRROR = "endpointslicemirroring-controller.k8s.io";
  private static final String HEADLESS = "service.kubernetes.io/headless";
  private static final int WORKERS = 8;
  private static final Duration STALE_CACHE = Duration.ofSeconds(1);

  private final Environment environment;
  private final Cache services;
  private final Cache pods;
  private final Cache nodes;
  private final Cache slices;
  private final Cache endpoints;
  private final OwnWrites written;
  private final TriggerTimes times = new TriggerTimes();
  private final Loop loop;

  public Endpoints(Environment environment) {
    this.environment = environment;
    this.services = environment.informers().of(Resource.SERVICES).indexed(Index.NAMESPACE);
    this.pods =
        environment.informers().of(Resource.PODS).indexed(Index.NAMESPACE).indexed(Index.NODE);
    this.nodes = environment.informers().of(Resource.NODES);
    this.slices = environment.informers().of(Resource.ENDPOINT_SLICES).indexed(Index.NAMESPACE);
    this.endpoints = environment.informers().of(Resource.ENDPOINTS);
    this.written = new OwnWrites(slices);
    this.loop = new Loop("endpoints", WORKERS, environment.timers(), this::reconcile);
    services.onAny(service -> loop.add(Key.of(service)));
    endpoints.onAny(object -> loop.add(Key.of(object)));
    slices.onAny(this::wakeService);
    var podHandler = new PodHandler();
    pods.on(podHandler);
    nodes.on(new NodeHandler(podHandler));
  }

  @Override
  public String name() {
    return "endpoints";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void wakeService(Tree slice) {
    var name = Meta.label(slice, SERVICE);
    if (name != null) {
      loop.add(new Key(Meta.namespace(slice), name));
    }
  }

  private void reconcile(Key key) {
    if (!written.areSeen(key)) {
      loop.addAfter(key, STALE_CACHE); // The event that shows the last write comes earlier.
      return;
    }
    var service = services.find(key).orElse(null);
    if (service == null || Meta.isDeleting(service)) {
      times.forget(key);
      var object = endpoints.find(key).orElse(null);
      if (service == null && object != null && isOurs(object)) {
        delete(Resource.ENDPOINTS, object);
      }
      writeSlices(key, null, List.of(), MIRROR, null);
      return;
    }
    if (service.textOrEmpty("spec", "type").equals("ExternalName")) {
      return;
    }
    var labels = service.texts("spec", "selector");
    if (labels.isEmpty()) {
      mirror(key, service);
      return;
    }
    var selector = Selector.ofLabels(labels);
    var mine = new ArrayList<>(pods.by(Index.NAMESPACE, key.namespace()));
    mine.removeIf(pod -> !selector.matches(pod));
    var builder = new EndpointBuilder(service, mine, nodes);
    var time = times.next(key, service, mine);
    writeSlices(key, service, builder.slices(), OURS, time);
    writeSlices(key, null, List.of(), MIRROR, null);
    writeEndpoints(key, service, builder.subsets(), time);
  }

  private static boolean isOurs(Tree object) {
    return Meta.label(object, "endpoints.kubernetes.io/managed-by") != null;
  }

  // ---- Endpoints -----------------------------------------------------------------------------

  private void writeEndpoints(Key key, Tree service, List<Tree> subsets, @Nullable String time) {
    var labels = new Tree();
    Meta.labels(service).forEach(labels::put);
    labels.put("endpoints.kubernetes.io/managed-by", "endpoint-controller");
    if (service.textOrEmpty("spec", "clusterIP").equals("None")) {
      labels.put(HEADLESS, "");
    }
    var known = endpoints.find(key).orElse(null);
    if (known == null) {
      var metadata = Tree.of("name", key.name(), "namespace", key.namespace(), "labels", labels);
      var object =
          Tree.of("apiVersion", "v1", "kind", "Endpoints", "metadata", metadata)
              .put("subsets", subsets);
      TriggerTimes.write(object, time);
      create(Resource.ENDPOINTS, object);
      return;
    }
    if (!Trees.equivalent(subsets, known.get("subsets"))
        || !labels.equals(known.treeOrEmpty("metadata", "labels"))) {
      var changed = known.copy();
      changed.child("metadata").put("labels", labels);
      changed.put("subsets", subsets);
      TriggerTimes.write(changed, time);
      environment.cluster().update(Resource.ENDPOINTS, null, changed);
    }
  }

  // ---- EndpointSlices ------------------------------------------------------------------------

  /// Makes the slices of one manager exactly these, changing as few objects as possible.
  private void writeSlices(
      Key key, @Nullable Tree service, List<Tree> wanted, String manager, @Nullable String time) {
    var known = new ArrayList<>(slices.by(Index.NAMESPACE, key.namespace()));
    known.removeIf(slice ->
        !key.name().equals(Meta.label(slice, SERVICE))
            || !manager.equals(Meta.label(slice, MANAGER))
            || Meta.isDeleting(slice));
    known.sort(Comparator.comparing(Meta::created).thenComparing(Meta::name));
    var spare = new ArrayList<>(known);
    for (var slice : wanted) {
      var match = spare.stream().filter(s -> samePorts(s, slice)).findFirst().orElse(null);
      var target = match == null && !spare.isEmpty() ? spare.getFirst() : match;
      if (target == null) {
        createSlice(key, Objects.requireNonNull(service), slice, manager, time);
        continue;
      }
      spare.remove(target);
      var labels = sliceLabels(key, Objects.requireNonNull(service), manager);
      if (!samePorts(target, slice)
          || !labels.equals(target.treeOrEmpty("metadata", "labels"))
          || !Trees.equivalent(target.get("endpoints"), slice.get("endpoints"))) {
        var changed = target.copy();
        changed.child("metadata").put("labels", labels);
        changed.put("endpoints", slice.get("endpoints")).put("ports", slice.get("ports"));
        TriggerTimes.write(changed, time);
        written.wrote(key, environment.cluster().update(Resource.ENDPOINT_SLICES, null, changed));
      }
    }
    for (var slice : spare) {
      if (delete(Resource.ENDPOINT_SLICES, slice)) {
        written.deleted(key, slice);
      }
    }
  }

  private static boolean samePorts(Tree one, Tree other) {
    return Trees.equivalent(one.get("ports"), other.get("ports"))
        && one.textOrEmpty("addressType").equals(other.textOrEmpty("addressType"));
  }

  private void createSlice(Key key, Tree owner, Tree slice, String manager, @Nullable String time) {
    var resource = manager.equals(MIRROR) ? Resource.ENDPOINTS : Resource.SERVICES;
    var metadata =
        Tree.of("generateName", key.name() + "-", "namespace", key.namespace())
            .put("labels", sliceLabels(key, owner, manager))
            .put("ownerReferences", List.of(Meta.controllerRef(resource, owner)));
    var object =
        Tree.of("apiVersion", "discovery.k8s.io/v1", "kind", "EndpointSlice")
            .put("metadata", metadata)
            .put("addressType", slice.get("addressType"))
            .put("endpoints", slice.get("endpoints"))
            .put("ports", slice.get("ports"));
    TriggerTimes.write(object, time);
    var created = create(Resource.ENDPOINT_SLICES, object);
    if (created != null) {
      written.wrote(key, created);
    }
  }

  private static Tree sliceLabels(Key key, Tree owner, String manager) {
    var labels = new Tree();
    Meta.labels(owner).forEach(labels::put);
    labels.put(MANAGER, manager).put(SERVICE, key.name());
    if (manager.equals(OURS) && owner.textOrEmpty("spec", "clusterIP").equals("None")) {
      labels.put(HEADLESS, "");
    }
    return labels;
  }

  private void mirror(Key key, Tree service) {
    writeSlices(key, service, List.of(), OURS, null);
    var object = endpoints.find(key).orElse(null);
    if (object == null
        || "true".equals(Meta.label(object, "endpointslice.kubernetes.io/skip-mirror"))
        || Meta.annotation(object, "control-plane.alpha.kubernetes.io/leader") != null) {
      writeSlices(key, service, List.of(), MIRROR, null);
      return;
    }
    var wanted = new ArrayList<Tree>();
    for (var subset : object.trees("subsets")) {
      wanted.add(mirrored(subset));
    }
    writeSlices(key, object, wanted, MIRROR, null);
  }

  private static Tree mirrored(Tree subset) {
    var list = new ArrayList<Tree>();
    var type = "IPv4";
    for (var state : List.of("addresses", "notReadyAddresses")) {
      for (var address : subset.trees(state)) {
        var ip = address.textOrEmpty("ip");
        type = ip.contains(":") ? "IPv6" : type;
        var endpoint =
            Tree.of("addresses", List.of(ip))
                .put("conditions", Tree.of("ready", state.equals("addresses")));
        for (var kept : List.of("hostname", "nodeName", "targetRef")) {
          if (address.get(kept) != null) {
            endpoint.put(kept, Tree.copyOf(address.get(kept)));
          }
        }
        list.add(endpoint);
      }
    }
    var ports = new ArrayList<Tree>();
    for (var port : subset.trees("ports")) {
      ports.add(port.copy().putIfAbsent("name", ""));
    }
    return Tree.of("addressType", type).put("endpoints", list).put("ports", ports);
  }

  // ---- writes --------------------------------------------------------------------------------

  private @Nullable Tree create(Resource resource, Tree object) {
    try {
      return environment.cluster().create(resource, object);
    } catch (ApiException e) {
      if (!e.is("AlreadyExists") && !PodControl.isNamespaceEnding(e)) {
        throw e;
      }
      return null;
    }
  }

  /// Whether the object was there and is deleted now.
  private boolean delete(Resource resource, Tree object) {
    try {
      environment
          .cluster()
          .delete(
              resource,
              Meta.namespace(object),
              Meta.name(object),
              DeleteOptions.background(Meta.uid(object)));
      return true;
    } catch (ApiException e) {
      if (!e.is("NotFound") && !e.is("Conflict")) {
        throw e;
      }
      return false;
    }
  }

  /// Wakes the services of a pod whose address, readiness or labels changed.
  private final class PodHandler implements Informer.Handler {

    @Override
    public void changed(@Nullable Tree previous, Tree pod) {
      var found = matching(pod);
      if (previous != null) {
        found.addAll(matching(previous));
      }
      found.forEach(loop::add);
    }

    @Override
    public void removed(Tree pod) {
      wake(pod);
    }

    void wake(Tree pod) {
      matching(pod).forEach(loop::add);
    }

    private Set<Key> matching(Tree pod) {
      var found = new HashSet<Key>();
      for (var service : services.by(Index.NAMESPACE, Meta.namespace(pod))) {
        var labels = service.texts("spec", "selector");
        if (!labels.isEmpty() && Selector.ofLabels(labels).matches(pod)) {
          found.add(Key.of(service));
        }
      }
      return found;
    }
  }

  /// Wakes the services of pods that were there before their node.
  private final class NodeHandler implements Informer.Handler {

    private final PodHandler podHandler;

    NodeHandler(PodHandler podHandler) {
      this.podHandler = podHandler;
    }

    @Override
    public void changed(@Nullable Tree previous, Tree node) {
      if (previous == null) {
        pods.by(Index.NODE, Meta.name(node)).forEach(podHandler::wake);
      }
    }

    @Override
    public void removed(Tree node) {}
  }
}
