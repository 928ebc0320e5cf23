package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.SchedulerSettings;
import io.berth.cluster.Cluster;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.KubernetesCluster;
import io.berth.scheduler.Scheduler;
import io.berth.scheduler.SchedulerOptions;
import io.berth.testing.CuttingProxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A configuration file that changes under a scheduler at work.
class ReloadingSchedulerTest {

  @TempDir Path folder;
  private Path file;
  private WiredServer server;
  private PodLog log;
  private ReloadingScheduler scheduler;

  @BeforeEach
  void start() throws Exception {
    server = new WiredServer();
    server.node("a", "4");
    log = new PodLog(server.admin(), "4");
    file = folder.resolve("scheduler.yaml");
    configure("profiles: [{schedulerName: old}]");
    scheduler = scheduler(server.admin());
    scheduler.start();
  }

  private ReloadingScheduler scheduler(Cluster cluster) {
    return new ReloadingScheduler(
        cluster,
        SchedulerSettings.of(file, UnaryOperator.identity()),
        settings -> SchedulerOptions.of(settings.configuration(), 1),
        InstantSource.system());
  }

  @AfterEach
  void stop() {
    scheduler.close();
    log.close();
    server.close();
  }

  private void configure(String rest) throws Exception {
    Files.writeString(
        file,
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" + rest);
  }

  private void pod(String name, String schedulerName) {
    server
        .admin()
        .create(
            Resource.PODS,
            Tree.of("apiVersion", "v1", "kind", "Pod")
                .put("metadata", Tree.of("namespace", "default", "name", name))
                .put("spec", spec(schedulerName)));
  }

  private static Tree spec(String schedulerName) {
    var container =
        Tree.of("name", "c", "image", "example/app:1")
            .put("resources", Tree.of("requests", Tree.of("cpu", "100m")));
    return Tree.of("schedulerName", schedulerName, "containers", List.of(container));
  }

  @Test
  void takesUpWhatIsNewAndBindsWhatWaitedForIt() throws Exception {
    pod("waits", "new");
    pod("goes", "old");
    log.await("the old profile at work", pods -> PodLog.isBound(pods, "goes"));
    assertThat(log.isBound("waits")).isFalse();

    configure("profiles: [{schedulerName: new}]");
    scheduler.reload();

    log.await("the new profile at work", pods -> PodLog.isBound(pods, "waits"));
    assertThat(log.complaints()).isEmpty();
  }

  @Test
  void whatIsWrongChangesNothing() throws Exception {
    configure("profiles: [{schedulerName: new}]\nparallelism: -3");
    scheduler.reload();
    pod("goes", "old");
    log.await("the old profile at work", pods -> PodLog.isBound(pods, "goes"));

    configure("profiles: [{schedulerName: new}]");
    scheduler.reload();
    pod("too", "new");
    log.await("the mended file in force", pods -> PodLog.isBound(pods, "too"));
  }

  @Test
  void aFileThatIsGoneOrUnchangedIsNoChange() throws Exception {
    var before = scheduler.running();
    scheduler.reload();
    Files.delete(file);
    scheduler.reload();

    assertThat(scheduler.running()).isSameAs(before);
  }

  @Test
  void anApiServerThatIsAwayIsWaitedFor() throws Exception {
    scheduler.close();
    configure("profiles: [{schedulerName: new}]");
    pod("waits", "new");
    try (var proxy = new CuttingProxy(server.port());
        var connection = new KubernetesCluster(access(proxy.port()), "test", Set.of())) {
      proxy.refuse(true);
      scheduler = scheduler(connection);
      var starting = Thread.ofVirtual().start(this::startAgain);
      var first = await(null);
      await(first);
      proxy.refuse(false);
      starting.join();
      log.await("its first bind", pods -> PodLog.isBound(pods, "waits"));
      scheduler.close();
    }
  }

  private Access access(int port) throws Exception {
    return Access.kubeconfig(server.kubeconfig(folder, port), "");
  }

  private void startAgain() {
    try {
      scheduler.start();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Waits until there is another attempt than `before`.
  private Scheduler await(@Nullable Scheduler before) throws InterruptedException {
    while (scheduler.running() == null || scheduler.running() == before) {
      Thread.sleep(10);
    }
    return scheduler.running();
  }
}
