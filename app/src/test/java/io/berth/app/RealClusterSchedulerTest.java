package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.ClusterScheduler.Mode;
import io.berth.cli.ClusterScheduler.Options;
import io.berth.cli.ClusterScheduler.Running;
import io.berth.cli.SchedulerSettings;
import io.berth.codec.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth scheduler` over HTTPS, with the configuration and the rights of `deploy/`.
class RealClusterSchedulerTest {

  @TempDir Path folder;
  private WiredServer server;
  private PodLog log;

  @BeforeEach
  void start() throws Exception {
    server = new WiredServer();
    log = new PodLog(server.admin(), "4");
  }

  @AfterEach
  void stop() {
    log.close();
    server.close();
  }

  private Running scheduler(Mode mode, int port, boolean elects) throws Exception {
    var file = folder.resolve("scheduler.yaml");
    for (var object :
        Yaml.readAll(Files.readString(WiredServer.DEPLOY.resolve("deployment.yaml")))) {
      if (object.textOrEmpty("kind").equals("ConfigMap")) {
        var text = object.textOrEmpty("data", "scheduler.yaml");
        Files.writeString(file, text.replace("leaderElect: true", "leaderElect: " + elects));
      }
    }
    var settings = SchedulerSettings.of(file, UnaryOperator.identity());
    return new RealClusterScheduler(InstantSource.system())
        .start(
            new Options(server.kubeconfig(folder, port), "", settings, mode, "127.0.0.1", 0, null));
  }

  @Test
  void bindsAndReportsWithTheRightsOfTheManifest() throws Exception {
    server.node("a", "4");
    server.pod("small", "1");
    server.pod("large", "8");

    try (var _ = scheduler(Mode.BIND, server.port(), true)) {
      log.await("a bind", pods -> PodLog.isBound(pods, "small"));
      log.await("a condition", pods -> message(pods, "large").contains("Insufficient cpu"));
    }

    assertThat(message(log, "large")).startsWith("0/1 nodes are available: 1 Insufficient cpu.");
    assertThat(log.complaints()).isEmpty();
  }

  @Test
  void anotherInstanceTakesOverAtOnceWhenTheFirstStops() throws Exception {
    server.node("a", "4");
    var first = scheduler(Mode.BIND, server.port(), true);
    server.pod("p", "100m");
    log.await("the first at work", pods -> PodLog.isBound(pods, "p"));

    try (var _ = scheduler(Mode.BIND, server.port(), true)) {
      first.close();
      server.pod("q", "100m");
      log.await("the second at work", pods -> PodLog.isBound(pods, "q"));
    }

    assertThat(holder()).isEmpty();
    assertThat(log.complaints()).isEmpty();
  }

  @Test
  void anInstanceThatLosesTheLeadEnds() throws Exception {
    var settings =
        SchedulerSettings.of(
            Files.writeString(folder.resolve("hasty.yaml"), HASTY), UnaryOperator.identity());
    var options =
        new Options(
            server.kubeconfig(folder, server.port()),
            "",
            settings,
            Mode.BIND,
            "127.0.0.1",
            0,
            null);
    try (var running = new RealClusterScheduler(InstantSource.system()).start(options);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(threads.submit(running::awaitStop).get()).isEqualTo(1);
    }
  }

  /// No API answers within two milliseconds all the time: the lead is lost as soon as it is won.
  private static final String HASTY =
      """
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: KubeSchedulerConfiguration
      leaderElection:
        leaderElect: true
        leaseDuration: 1s
        renewDeadline: 2ms
        retryPeriod: 1ms
        resourceName: berth-scheduler
      """;

  private String holder() {
    return server
        .admin()
        .fetch(Resource.LEASES, "kube-system", "berth-scheduler")
        .textOrEmpty("spec", "holderIdentity");
  }

  private String message(PodLog from, String name) throws InterruptedException {
    var found = new String[] {""};
    from.await(
        "pod " + name,
        pods -> {
          found[0] = message(pods, name);
          return !found[0].isEmpty();
        });
    return found[0];
  }

  private static String message(Map<String, Tree> pods, String name) {
    var pod = pods.getOrDefault(name, new Tree());
    for (var condition : pod.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("PodScheduled")) {
        return condition.textOrEmpty("message");
      }
    }
    return "";
  }
}
