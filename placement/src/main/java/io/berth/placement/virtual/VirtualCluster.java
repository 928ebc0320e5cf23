package io.berth.placement.virtual;

import io.berth.admission.AdmissionChain;
import io.berth.admission.User;
import io.berth.admission.webhook.Unreachable;
import io.berth.api.ApiException;
import io.berth.api.FeatureGates;
import io.berth.api.Resource;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.codec.Json;
import io.berth.controllers.ControllerManager;
import io.berth.controllers.StandardControllers;
import io.berth.controllers.kubelet.Behaviour;
import io.berth.controllers.kubelet.Kubelets;
import io.berth.controllers.kubelet.NodeDefaults;
import io.berth.controllers.kubelet.NodeFleets;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Informers;
import io.berth.controllers.runtime.Selector;
import io.berth.engine.rule.RuleCatalog;
import io.berth.scheduler.Scheduler;
import io.berth.scheduler.SchedulerOptions;
import io.berth.schema.FieldValidation;
import io.berth.server.ApiServer;
import io.berth.server.ServerSettings;
import io.berth.server.aggregation.FrontProxy;
import io.berth.server.identity.Authority;
import io.berth.server.registry.Context;
import io.berth.server.registry.Registry;
import io.berth.server.registry.Served;
import io.berth.server.registry.WriteOptions;
import io.berth.store.Codec;
import io.berth.store.Key;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/// A cluster of its own on a clock that is moved: no port, no disk, no thread.
///
/// ```java
/// try (var cluster = VirtualCluster.start(VirtualCluster.Options.DEFAULT)) {
///   cluster.apply(deployment);
///   cluster.rest();
/// }
/// ```
///
/// The same inputs lead to the same objects, to the letter. Used by one thread at a time; several
/// clusters do not know each other.
public final class VirtualCluster implements AutoCloseable {

  /// Longer than anything a step waits for.
  private static final Duration LONGEST_STEP = Duration.ofDays(1);

  /// A Monday, at midnight: where no date is given, every run has the same.
  private static final Instant BEGIN = Instant.parse("2026-01-05T00:00:00Z");

  private static final String MANAGER = "kubectl";
  private static final User ADMIN =
      User.of("kubernetes-admin", "system:masters", "system:authenticated");

  private final VirtualTime time;
  private final Store store;
  private final Registry registry;
  private final InProcessCluster api;
  private final ControllerManager kubelets;
  private final ControllerManager controllers;
  private final Scheduler scheduler;

  /// How a cluster works beside its objects.
  ///
  /// @param seed decides ties between equal nodes
  /// @param begin when it begins, by its own clock
  public record Options(
      SchedulerConfiguration configuration,
      RuleCatalog rules,
      long seed,
      FeatureGates gates,
      Instant begin) {

    public static final Options DEFAULT =
        new Options(
            SchedulerConfiguration.DEFAULT, RuleCatalog.NONE, 1, FeatureGates.DEFAULT, BEGIN);

    public Options with(SchedulerConfiguration other) {
      return new Options(other, rules, seed, gates, begin);
    }

    /// Begins at this time if it is later.
    public Options notBefore(Instant time) {
      return time.isAfter(begin) ? new Options(configuration, rules, seed, gates, time) : this;
    }
  }

  private VirtualCluster(VirtualTime time, Store store, Options options)
      throws InterruptedException {
    this.time = time;
    this.store = store;
    this.registry = serve(options);
    this.api = as(MANAGER).as(ADMIN);
    var fleets = NodeFleets.RESOURCE;
    if (registry.catalog().findKind(fleets.apiVersion(), fleets.kind()).isEmpty()) {
      NodeFleets.install(as("berth"));
    }
    this.kubelets =
        manager("kubelet")
            .with(environment ->
                new Kubelets(
                    environment, Behaviour.DEFAULT, NodeDefaults.PLAIN, Selector.EVERYTHING))
            .start();
    var authority = Keys.AUTHORITY;
    this.controllers =
        StandardControllers.controllers(
                manager("kube-controller-manager"),
                authority.certificatePem(),
                authority::signClient)
            .with(NodeFleets::new)
            .start();
    this.scheduler =
        new Scheduler(
                as("kube-scheduler"),
                SchedulerOptions.of(options.configuration(), options.seed())
                    .withRules(options.rules())
                    .withMillis(() -> 1 + time.nanos() / 1_000_000),
                time)
            .start();
  }

  /// A cluster without nodes, at rest.
  public static VirtualCluster start(Options options) {
    var time = new VirtualTime(options.begin(), 1);
    return options.gates().equals(FeatureGates.DEFAULT)
        ? start(time, Store.inMemory(settings(time), Origin.STORE), options)
        : start(time, Store.inMemory(settings(time)), options);
  }

  private static Settings settings(VirtualTime time) {
    return Settings.of(new Codec(Json::write, Json::readLenient)).withClock(time).withCrew(time);
  }

  private static VirtualCluster start(VirtualTime time, Store store, Options options) {
    var cluster =
        time.within(() -> {
          try {
            return new VirtualCluster(time, store, options);
          } catch (InterruptedException e) {
            throw new IllegalStateException("nobody is waited for in virtual time", e);
          }
        });
    cluster.rest();
    return cluster;
  }

  private Registry serve(Options options) {
    var settings =
        ServerSettings.plain()
            .withClock(time)
            .withGates(options.gates())
            .withFrontProxy(Keys.FRONT_PROXY);
    // It listens to nobody, so there is nothing to close.
    return new ApiServer(
            store,
            Keys.AUTHORITY,
            AdmissionChain.of(List.of(), List.of(), Unreachable.FAILS, time),
            settings)
        .registry();
  }

  private ControllerManager manager(String component) {
    var cluster = as(component);
    return new ControllerManager(
        new Environment(
            cluster, new Informers(cluster), time.timers(), time, new Events(cluster, time)));
  }

  private InProcessCluster as(String component) {
    return new InProcessCluster(registry, component, time);
  }

  /// What `kubectl apply` does with one object; objects that name no namespace go to `default`.
  ///
  /// Throws an [ApiException] when it is refused.
  public void apply(Tree object) {
    var apiVersion = object.textOrEmpty("apiVersion");
    var kind = object.textOrEmpty("kind");
    var served =
        registry
            .catalog()
            .findKind(apiVersion, kind)
            .orElseThrow(() ->
                new ApiException(
                    404,
                    "NotFound",
                    "no matches for kind \"%s\" in version \"%s\"".formatted(kind, apiVersion)));
    var own = object.textOrEmpty("metadata", "namespace");
    var namespace = !served.resource().namespaced() ? "" : own.isEmpty() ? "default" : own;
    var name = object.textOrEmpty("metadata", "name");
    var options = new WriteOptions(false, MANAGER, FieldValidation.STRICT, true);
    time.within(() ->
        registry.apply(
            served,
            "",
            namespace,
            name,
            object.copy(),
            new Context(ADMIN, time.instant(), options)));
    time.run();
  }

  /// Puts objects of a cluster where they are: with their uids and their states, as they were read.
  /// Namespaces they need are made. Call it before anything else.
  public void restore(List<Tree> objects) {
    time.within(() -> {
      objects.forEach(object -> ensureNamespace(object.textOrEmpty("metadata", "namespace")));
      return store.transact(transaction -> {
        for (var object : objects) {
          registry
              .catalog()
              .findKind(object.textOrEmpty("apiVersion"), object.textOrEmpty("kind"))
              .ifPresent(
                  served -> transaction.put(key(served, object), served.store(bare(object))));
        }
        return objects.size();
      });
    });
    time.run();
  }

  private void ensureNamespace(String name) {
    var served = registry.catalog().of(Resource.NAMESPACES);
    if (!name.isEmpty() && store.find(served.key("", name)).isEmpty()) {
      api.create(
          Resource.NAMESPACES,
          Tree.of("apiVersion", "v1", "kind", "Namespace", "metadata", Tree.of("name", name)));
    }
  }

  private static Key key(Served served, Tree object) {
    return served.key(
        object.textOrEmpty("metadata", "namespace"), object.textOrEmpty("metadata", "name"));
  }

  private static Tree bare(Tree object) {
    var copy = object.copy();
    copy.child("metadata").remove("resourceVersion");
    return copy;
  }

  /// The resource of a kind such as `Deployment`; custom kinds too.
  public Resource resourceOf(String kind) {
    return registry.catalog().all().stream()
        .map(Served::resource)
        .filter(resource -> resource.kind().equals(kind))
        .findFirst()
        .orElseThrow(
            () -> new ApiException(404, "NotFound", "no matches for kind \"%s\"".formatted(kind)));
  }

  /// Calls the API as an administrator does, and lets the cluster react; time stands still.
  public <T> T call(Function<Cluster, T> request) {
    var answer = time.within(() -> request.apply(api));
    time.run();
    return answer;
  }

  /// The API for those who only read.
  public Cluster api() {
    return api;
  }

  /// Lets time pass until no bind, start, eviction or controller's work is due.
  ///
  /// Throws [UnrestException] when that is not so after a day.
  public void rest() {
    time.rest(LONGEST_STEP);
  }

  public void pass(Duration duration) {
    time.pass(duration);
  }

  public Instant now() {
    return time.instant();
  }

  @Override
  public void close() {
    stop();
    store.close();
  }

  private void stop() {
    scheduler.close();
    controllers.close();
    kubelets.close();
  }

  /// What every cluster begins with (roles, namespaces, their accounts) is made once, and shared.
  private static final class Origin {
    private static final Store STORE = begun();

    private static Store begun() {
      var time = new VirtualTime(BEGIN, 0);
      var store = Store.inMemory(settings(time));
      var cluster = VirtualCluster.start(time, store, Options.DEFAULT);
      cluster.stop();
      return store;
    }
  }

  /// Made once: nobody connects, but service accounts are given a certificate to trust.
  private static final class Keys {
    private static final Authority AUTHORITY = Authority.open(null);
    private static final FrontProxy FRONT_PROXY = new FrontProxy();
  }
}
