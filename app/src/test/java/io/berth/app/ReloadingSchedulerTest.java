package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.SchedulerSettings;
import io.berth.scheduler.SchedulerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
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
    scheduler =
        new ReloadingScheduler(
            server.admin(),
            SchedulerSettings.of(file, UnaryOperator.identity()),
            settings -> SchedulerOptions.of(settings.configuration(), 1),
            InstantSource.system());
    scheduler.start();
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
}
