package io.berth.app;

import io.berth.answers.live.LiveCluster;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.LocalCluster;
import io.berth.cli.SchedulerSettings;
import io.berth.cluster.Cluster;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.controllers.ControllerManager;
import io.berth.controllers.StandardControllers;
import io.berth.controllers.cloud.Cloud;
import io.berth.controllers.kubelet.Behaviour;
import io.berth.controllers.kubelet.Kubelets;
import io.berth.controllers.kubelet.NodeDefaults;
import io.berth.controllers.kubelet.NodeFleets;
import io.berth.controllers.runtime.Selector;
import io.berth.scheduler.SchedulerOptions;
import io.berth.scheduler.extender.HttpExtender;
import io.berth.server.identity.Authority;
import io.berth.server.registry.Registry;
import io.berth.server.registry.RoleAggregation;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;

/// What makes an API a cluster: nodes, their kubelets, controllers and the scheduler, each a client
/// of the API under the name Kubernetes gives it.
final class Components implements AutoCloseable {

  /// Ties between equal nodes fall the same way in every run.
  private static final long SEED = 1;

  /// Containers take a moment to stop: clients look at what they have just deleted.
  private static final Duration STOPS_AFTER = Duration.ofMillis(500);

  private final ControllerManager kubelets;
  private final ControllerManager controllers;
  private final ReloadingScheduler scheduler;
  private final LiveCluster live;

  Components(
      Registry registry,
      Authority authority,
      LocalCluster.Simulation simulation,
      SchedulerSettings settings)
      throws InterruptedException, IOException {
    var clock = InstantSource.system();
    new RoleAggregation(registry, clock).start();
    NodeFleets.install(as("berth", registry, clock));
    new StarterNodes(as("berth", registry, clock)).create(simulation);
    if (!simulation.bare()) {
      Cloud.install(as("berth", registry, clock));
    }
    var behaviour =
        new Behaviour(
            Duration.ZERO, Duration.ofSeconds(simulation.jobsRunForSeconds()), STOPS_AFTER);
    this.kubelets =
        ControllerManager.on(as("kubelet", registry, clock), clock)
            .with(environment ->
                new Kubelets(environment, behaviour, NodeDefaults.PLAIN, Selector.EVERYTHING))
            .start();
    var standard =
        StandardControllers.controllers(
                ControllerManager.on(as("kube-controller-manager", registry, clock), clock),
                authority.certificatePem(),
                authority::signClient)
            .with(NodeFleets::new);
    var furnished =
        simulation.bare()
            ? StandardControllers.withoutCloud(standard)
            : StandardControllers.withCloud(standard);
    this.controllers =
        (servesPodGroups(registry) ? StandardControllers.withPodGroups(furnished) : furnished)
            .start();
    var cluster = as("kube-scheduler", registry, clock);
    this.scheduler =
        new ReloadingScheduler(cluster, settings, with -> options(cluster, with), clock).start();
    this.live = new LiveCluster(new SchedulerAnswers(scheduler, cluster, SEED));
  }

  /// What decisions follow from beside the objects of the cluster: the seed, and the configuration
  /// if it is not the default.
  Tree scheduler() {
    var tree = Tree.of("seed", SEED);
    var source = scheduler.settings().source();
    return source == null ? tree : tree.put("config", source);
  }

  /// Answers beside the scheduler.
  LiveCluster live() {
    return live;
  }

  private static boolean servesPodGroups(Registry registry) {
    var groups = Resource.POD_GROUPS;
    return registry.catalog().find(groups.group(), groups.version(), groups.plural()).isPresent();
  }

  private static SchedulerOptions options(Cluster cluster, SchedulerSettings settings) {
    return SchedulerOptions.of(settings.configuration(), SEED)
        .withRules(settings.rules())
        .withJournal(FileJournal.of(settings, SEED))
        .withExtenders(HttpExtender.all(settings.configuration(), cluster));
  }

  private static Cluster as(String component, Registry registry, InstantSource clock) {
    return new InProcessCluster(registry, component, clock);
  }

  @Override
  public void close() {
    scheduler.close();
    controllers.close();
    kubelets.close();
  }
}
