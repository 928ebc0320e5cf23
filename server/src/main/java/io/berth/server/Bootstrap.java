package io.berth.server;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.FeatureGates;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.TextResource;
import io.berth.server.access.BootstrapRoles;
import io.berth.server.access.FlowSchemas;
import io.berth.server.access.Rbac;
import io.berth.server.registry.Context;
import io.berth.server.registry.Registry;
import io.berth.server.registry.WriteOptions;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// What every cluster has from the beginning; missing objects are made at each start.
final class Bootstrap {

  private static final List<String> NAMESPACES =
      List.of("default", "kube-node-lease", "kube-public", "kube-system");

  private static final Resource API_SERVICES =
      new Resource("apiregistration.k8s.io", "v1", "apiservices", "APIService", false);

  private Bootstrap() {}

  /// `trust` is what other API servers must know to believe this one.
  static void run(
      Registry registry, Supplier<Tree> trust, FeatureGates gates, InstantSource clock) {
    together(registry, NAMESPACES.stream().map(name -> namespace(registry, name, clock)));
    together(
        registry,
        Stream.of(
                BootstrapRoles.all().stream().map(object -> role(registry, object, clock)),
                priorityClasses(registry, clock),
                TextResource.lines(Bootstrap.class, "flowcontrol.txt").stream()
                    .map(line -> flowControl(registry, Json.read(line), clock)),
                TextResource.lines(Bootstrap.class, "apiservices.txt").stream()
                    .map(line -> line.split(" ", -1))
                    .filter(words -> words.length < 4 || gates.isOn(words[3]))
                    .map(words -> apiService(registry, words, clock)),
                Stream.of(authentication(registry, trust, clock), tokenTracking(registry, clock)))
            .flatMap(steps -> steps));
  }

  /// All at once, because writes that come together share a sync of the disk.
  private static void together(Registry registry, Stream<Runnable> steps) {
    try {
      var crew = registry.store().crew();
      var started = steps.map(step -> CompletableFuture.runAsync(step, crew::fork)).toList();
      started.forEach(CompletableFuture::join);
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private static Runnable namespace(Registry registry, String name, InstantSource clock) {
    var object =
        Tree.of("kind", "Namespace", "apiVersion", "v1", "metadata", Tree.of("name", name));
    return () -> ensure(registry, Resource.NAMESPACES, "", object, clock);
  }

  private static Runnable role(Registry registry, Tree object, InstantSource clock) {
    var resource =
        switch (object.textOrEmpty("kind")) {
          case "ClusterRole" -> Rbac.CLUSTER_ROLES;
          case "Role" -> Rbac.ROLES;
          case "ClusterRoleBinding" -> Rbac.CLUSTER_ROLE_BINDINGS;
          default -> Rbac.ROLE_BINDINGS;
        };
    var namespace = object.textOrEmpty("metadata", "namespace");
    return () -> ensure(registry, resource, namespace, object, clock);
  }

  private static Stream<Runnable> priorityClasses(Registry registry, InstantSource clock) {
    return Stream.of(
            priorityClass(
                "system-node-critical",
                2_000_001_000L,
                "Used for system critical pods that must not be moved from their current node."),
            priorityClass(
                "system-cluster-critical",
                2_000_000_000L,
                "Used for system critical pods that must run in the cluster, but can be moved to"
                    + " another node if necessary."))
        .map(object -> () -> ensure(registry, Resource.PRIORITY_CLASSES, "", object, clock));
  }

  /// How other API servers know whom this one trusts.
  private static Runnable authentication(
      Registry registry, Supplier<Tree> trust, InstantSource clock) {
    var map =
        Tree.of("kind", "ConfigMap", "apiVersion", "v1")
            .put("metadata", Tree.of("name", "extension-apiserver-authentication"));
    return () ->
        replace(registry, Resource.CONFIG_MAPS, "kube-system", map.put("data", trust.get()), clock);
  }

  /// Since when it is noted which tokens of secrets are used.
  private static Runnable tokenTracking(Registry registry, InstantSource clock) {
    var today = clock.instant().atOffset(ZoneOffset.UTC).toLocalDate().toString();
    var map =
        Tree.of("kind", "ConfigMap", "apiVersion", "v1")
            .put(
                "metadata", Tree.of("name", "kube-apiserver-legacy-service-account-token-tracking"))
            .put("data", Tree.of("since", today));
    return () -> ensure(registry, Resource.CONFIG_MAPS, "kube-system", map, clock);
  }

  /// Of a group and version that is served from the beginning, with its rank.
  private static Runnable apiService(Registry registry, String[] words, InstantSource clock) {
    int dot = words[0].indexOf('.');
    var spec = Tree.of("version", words[0].substring(0, dot));
    if (dot < words[0].length() - 1) {
      spec.put("group", words[0].substring(dot + 1));
    }
    spec.put("groupPriorityMinimum", Long.parseLong(words[1]));
    spec.put("versionPriority", Long.parseLong(words[2]));
    var labels = Tree.of("kube-aggregator.kubernetes.io/automanaged", "onstart");
    var service =
        Tree.of("kind", "APIService", "apiVersion", "apiregistration.k8s.io/v1")
            .put("metadata", Tree.of("name", words[0], "labels", labels))
            .put("spec", spec);
    return () -> ensure(registry, API_SERVICES, "", service, clock);
  }

  private static Runnable flowControl(Registry registry, Tree object, InstantSource clock) {
    if (object.textOrEmpty("kind").equals("PriorityLevelConfiguration")) {
      return () -> ensure(registry, FlowSchemas.PRIORITY_LEVELS, "", object, clock);
    }
    return () -> {
      ensure(registry, FlowSchemas.FLOW_SCHEMAS, "", object.copy(), clock);
      ensureStatus(
          registry, FlowSchemas.FLOW_SCHEMAS, object.put("status", found(object, clock)), clock);
    };
  }

  /// Of a flow schema whose priority level is there.
  private static Tree found(Tree schema, InstantSource clock) {
    var level = schema.textOrEmpty("spec", "priorityLevelConfiguration", "name");
    var message =
        "This FlowSchema references the PriorityLevelConfiguration object named \"%s\" and it exists"
            .formatted(level);
    return Tree.of(
        "conditions",
        List.of(
            Tree.of(
                "type",
                "Dangling",
                "status",
                "False",
                "lastTransitionTime",
                clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(),
                "reason",
                "Found",
                "message",
                message)));
  }

  private static Tree priorityClass(String name, long value, String description) {
    return Tree.of(
        "kind",
        "PriorityClass",
        "apiVersion",
        "scheduling.k8s.io/v1",
        "metadata",
        Tree.of("name", name),
        "value",
        value,
        "description",
        description,
        "preemptionPolicy",
        "PreemptLowerPriority");
  }

  /// Creates the object, unless one of its name is there.
  static void ensure(
      Registry registry, Resource resource, String namespace, Tree object, InstantSource clock) {
    var served = registry.catalog().of(resource);
    var name = object.textOrEmpty("metadata", "name");
    if (registry.store().find(served.key(namespace, name)).isPresent()) {
      return;
    }
    try {
      registry.create(served, namespace, object, context(clock));
    } catch (ApiException e) {
      if (!e.is("AlreadyExists")) {
        throw e;
      }
    }
  }

  /// Makes the object what is given here, whatever it was.
  static void replace(
      Registry registry, Resource resource, String namespace, Tree object, InstantSource clock) {
    var served = registry.catalog().of(resource);
    var name = object.textOrEmpty("metadata", "name");
    if (registry.store().find(served.key(namespace, name)).isPresent()) {
      registry.update(served, "", namespace, name, object, context(clock));
    } else {
      registry.create(served, namespace, object, context(clock));
    }
  }

  /// Gives the object the status given here, unless it has one.
  static void ensureStatus(Registry registry, Resource resource, Tree object, InstantSource clock) {
    var served = registry.catalog().of(resource);
    var name = object.textOrEmpty("metadata", "name");
    var known = registry.store().find(served.key("", name));
    if (known.isPresent() && known.get().object().treeOrEmpty("status").isEmpty()) {
      registry.update(served, "status", "", name, object, context(clock));
    }
  }

  private static Context context(InstantSource clock) {
    return new Context(
        User.of("system:apiserver", "system:masters"),
        clock.instant(),
        WriteOptions.by("kube-apiserver"));
  }
}
