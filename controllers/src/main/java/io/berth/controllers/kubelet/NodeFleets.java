package io.berth.controllers.kubelet;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.codec.Yaml;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.SlowStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/// Keeps the nodes of `NodeFleet` objects: makes those that are missing, takes those that are too
/// many. Nodes go with their fleet, which owns them.
///
/// A node is never changed: what a fleet says holds for nodes made from then on.
public final class NodeFleets implements Controller {

  public static final Resource RESOURCE =
      new Resource("berth.io", "v1alpha1", "nodefleets", "NodeFleet", false);

  private static final int WORKERS = 2;

  private final Environment environment;
  private final Cache fleets;
  private final Cache nodes;
  private final Loop loop;

  public NodeFleets(Environment environment) {
    this.environment = environment;
    this.fleets = environment.informers().of(RESOURCE);
    this.nodes = environment.informers().of(Resource.NODES);
    this.loop = new Loop("node-fleets", WORKERS, environment.timers(), this::reconcile);
    fleets.onAny(fleet -> loop.add(Key.of(fleet)));
    nodes.onAny(node -> {
      var owner = Meta.controllerOf(node);
      if (owner != null && owner.textOrEmpty("kind").equals(RESOURCE.kind())) {
        loop.add(new Key("", owner.textOrEmpty("name")));
      }
    });
  }

  /// Defines the kind where it is not yet, or not as this version knows it.
  public static void install(Cluster cluster) {
    var definition = definition();
    var name = Meta.name(definition);
    try {
      cluster.create(Resource.CUSTOM_RESOURCE_DEFINITIONS, definition);
    } catch (ApiException e) {
      if (!e.is("AlreadyExists")) {
        throw e;
      }
      var current = cluster.fetch(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", name);
      var changed = current.copy();
      changed.child("spec").put("versions", definition.at("spec", "versions"));
      if (!changed.equals(current)) {
        cluster.update(Resource.CUSTOM_RESOURCE_DEFINITIONS, null, changed);
      }
    }
  }

  private static Tree definition() {
    try (var in = NodeFleets.class.getResourceAsStream("nodefleets.yaml")) {
      return Yaml.read(
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String name() {
    return "node-fleets";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void reconcile(Key key) {
    var fleet = fleets.find(key).orElse(null);
    if (fleet == null || Meta.isDeleting(fleet)) {
      return;
    }
    try {
      settle(fleet, NodeFleet.of(fleet).nodes());
    } catch (ApiException e) {
      if (!e.is("Invalid")) {
        throw e;
      }
      report(fleet, String.valueOf(e.getMessage()));
    }
  }

  private void settle(Tree fleet, List<Tree> wanted) {
    var missing = new ArrayList<Tree>();
    var names = new HashSet<String>();
    var strangers = new ArrayList<String>();
    for (var node : wanted) {
      names.add(Meta.name(node));
      var existing = nodes.find(Key.of(node)).orElse(null);
      if (existing == null) {
        missing.add(node);
      } else if (!Meta.isControlledBy(existing, fleet)) {
        strangers.add(Meta.name(node));
      }
    }
    SlowStart.all(environment.crew(), missing.size(), i -> create(fleet, missing.get(i)));
    var surplus = owned(fleet);
    surplus.removeIf(node -> names.contains(Meta.name(node)) || Meta.isDeleting(node));
    SlowStart.all(environment.crew(), surplus.size(), i -> delete(surplus.get(i)));
    report(
        fleet,
        strangers.isEmpty()
            ? ""
            : "there are nodes of these names already: " + String.join(", ", strangers));
  }

  private void create(Tree fleet, Tree node) {
    var owned = node.copy();
    owned.child("metadata").put("ownerReferences", List.of(Meta.controllerRef(RESOURCE, fleet)));
    try {
      environment.cluster().create(Resource.NODES, owned);
    } catch (ApiException e) {
      // The cache was behind; the node's event brings the fleet back.
      if (!e.is("AlreadyExists")) {
        throw e;
      }
    }
  }

  private void delete(Tree node) {
    try {
      environment
          .cluster()
          .delete(Resource.NODES, "", Meta.name(node), DeleteOptions.background(Meta.uid(node)));
    } catch (ApiException e) {
      if (!e.is("NotFound") && !e.is("Conflict")) {
        throw e;
      }
    }
  }

  private List<Tree> owned(Tree fleet) {
    var owned = new ArrayList<Tree>();
    for (var node : nodes.all()) {
      if (Meta.isControlledBy(node, fleet)) {
        owned.add(node);
      }
    }
    return owned;
  }

  private void report(Tree fleet, String message) {
    var reported = fleet.copy();
    var status = reported.child("status");
    status.put("observedGeneration", Meta.generation(fleet)).put("nodes", owned(fleet).size());
    if (message.isEmpty()) {
      status.remove("message");
    } else {
      status.put("message", message);
    }
    if (!reported.equals(fleet)) {
      environment.cluster().update(RESOURCE, "status", reported);
    }
  }
}
