package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.admission.AdmissionChain;
import io.berth.answers.live.LiveCluster;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.server.ApiServer;
import io.berth.server.ServerSettings;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import io.berth.workloads.AuditSink;
import io.berth.workloads.Workloads;
import io.berth.workloads.door.Door;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The API server asks the workload layer before it stores an object of the layer's kinds.
class WorkloadDoorTest {

  private static final Resource POOLS =
      new Resource("berth.io", "v1alpha1", "nodepools", "NodePool", false);
  private static final Resource PROJECTS =
      new Resource("berth.io", "v1alpha1", "projects", "Project", false);

  private final WorkloadDoor plugin = new WorkloadDoor("system:berth-workloads");
  private final ApiServer server =
      new ApiServer(
          Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient))),
          Authority.open(null),
          AdmissionChain.of(List.of(), List.of()).and(plugin),
          ServerSettings.plain());
  private final InProcessCluster admin =
      new InProcessCluster(server.registry(), "admin", InstantSource.system());
  private final Workloads workloads;
  private final CompletableFuture<Door> opening = new CompletableFuture<>();

  WorkloadDoorTest() throws Exception {
    plugin.open(opening);
    var cluster =
        new InProcessCluster(server.registry(), "berth-workloads", InstantSource.system());
    this.workloads =
        Workloads.start(
            cluster,
            new LiveCluster(new Spectator(cluster)),
            InstantSource.system(),
            AuditSink.NONE);
  }

  @AfterEach
  void stop() {
    workloads.close();
    server.close();
  }

  /// One object right after another that it refers to, as `kubectl apply` writes them.
  @Test
  void takesInWhatIsRight() {
    opening.complete(workloads.door());
    for (int i = 0; i < 20; i++) {
      admin.create(POOLS, pool("pool-" + i));
      var project =
          admin.create(PROJECTS, project("team-" + i, "{defaultNodePools: [pool-%d]}", i));

      assertThat(project.number(0, "spec", "id")).isPositive();
      assertThat(project.text("spec", "createdBy")).isEqualTo("kubectl");
    }
  }

  @Test
  void refusesTheRest() {
    opening.complete(workloads.door());

    assertThatThrownBy(
            () -> admin.create(PROJECTS, project("team", "{defaultNodePools: [none-%d]}", 1)))
        .isInstanceOf(ApiException.class)
        .hasMessage("Bad request - defaultNodePools: there is no node pool \"none-1\"");
    assertThat(admin.list(PROJECTS, "", io.berth.cluster.Cluster.Selection.ALL).items()).isEmpty();
    assertThatThrownBy(() -> admin.delete(POOLS, "", "default", DeleteOptions.DEFAULT))
        .hasMessage("Bad request - the default node pool cannot be deleted");
  }

  /// Deletions are judged in a transaction, and the layer writes while it starts.
  @Test
  void deletionsDoNotWaitForTheLayer() {
    assertThatThrownBy(() -> admin.delete(POOLS, "", "default", DeleteOptions.DEFAULT))
        .hasMessageContaining("is starting");
  }

  private static Tree pool(String name) {
    return Yaml.read(
        """
        apiVersion: berth.io/v1alpha1
        kind: NodePool
        metadata: {name: %s}
        spec: {labelKey: pool, labelValue: %s}
        """
            .formatted(name, name));
  }

  private static Tree project(String name, String spec, int number) {
    return Yaml.read(
        """
        apiVersion: berth.io/v1alpha1
        kind: Project
        metadata: {name: %s}
        spec: %s
        """
            .formatted(name, spec.formatted(number)));
  }
}
