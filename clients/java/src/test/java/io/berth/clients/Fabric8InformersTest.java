package io.berth.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.clients.EventLog.Seen;
import io.berth.clients.RandomWrites.View;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// fabric8's shared informers over 10,000 random writes, 20 cut connections and 5 expired
/// revisions.
///
/// A cut connection is resumed, so nothing may be missed or told twice. An expired revision makes
/// an informer list anew: it may miss what was overwritten, but ends where the server is.
/// `-Dclients.writes=N` sets how many writes, `-Dclients.seed=S` which.
class Fabric8InformersTest {

  private static final int WRITES = Integer.getInteger("clients.writes", 10_000);
  private static final long SEED = Long.getLong("clients.seed", 5);
  private static final int CUTS = 20;
  private static final int EXPIRIES = 5;
  private static final List<View> VIEWS =
      List.of(View.ALL, new View("south", ""), new View("", "blue"), new View("west", "blue"));

  @Test
  void informersFollowWhateverHappensToTheirConnections() throws Exception {
    try (var cluster = new TestCluster();
        var client = client(cluster)) {
      var writes = new RandomWrites(cluster.admin(), SEED);
      var informers = new ArrayList<Informer>();
      for (var view : VIEWS) {
        informers.add(new Informer(client, view));
      }

      writeAndCut(cluster, writes, informers);
      for (var informer : informers) {
        informer.log.awaitRevisions(writes.revisions(informer.view));
        informer.log.awaitLists(1);
        assertThat(informer.log.history(RandomWrites.NAMESPACES))
            .as("%s, seed %d", informer.view, SEED)
            .isEqualTo(writes.history(informer.view));
        assertThat(informer.log.lists()).as("lists of %s", informer.view).isEqualTo(1);
      }

      for (int i = 1; i <= EXPIRIES; i++) {
        writeAndExpire(cluster, writes);
        for (var informer : informers) {
          informer.log.awaitRevisions(writes.revisions(informer.view));
          informer.log.awaitLists(1 + i);
        }
      }
      for (var informer : informers) {
        assertThat(informer.log.complaints()).as("%s, seed %d", informer.view, SEED).isEmpty();
        assertThat(informer.stored()).isEqualTo(writes.revisions(informer.view));
        assertThat(informer.log.lists()).as("lists of %s", informer.view).isEqualTo(1 + EXPIRIES);
        informer.log.awaitResyncs(1);
        informer.shared.stop();
      }
    }
  }

  /// Cuts all connections while events flow through them.
  private static void writeAndCut(
      TestCluster cluster, RandomWrites writes, List<Informer> informers) throws Exception {
    for (int i = 0; i < CUTS; i++) {
      var seen = new ArrayList<Integer>();
      for (var informer : informers) {
        informer.log.awaitRevisions(writes.revisions(informer.view));
        seen.add(informer.log.events());
      }
      writes.write(WRITES * 8 / 10 / CUTS);
      // fabric8 takes a connection that ends without a word for an expired revision.
      for (int j = 0; j < seen.size(); j++) {
        informers.get(j).log.awaitEvents(seen.get(j) + 1);
      }
      cluster.proxy().cut();
    }
  }

  /// Keeps clients away until the revisions they know are forgotten.
  private static void writeAndExpire(TestCluster cluster, RandomWrites writes) {
    cluster.proxy().refuse(true);
    cluster.proxy().cut();
    writes.write(WRITES * 2 / 10 / EXPIRIES);
    cluster.expireRevisions();
    cluster.proxy().refuse(false);
  }

  private static KubernetesClient client(TestCluster cluster) {
    var config = Config.fromKubeconfig(cluster.kubeconfig());
    config.setWatchReconnectInterval(20);
    config.setRequestRetryBackoffInterval(20);
    config.setRequestRetryBackoffLimit(1000);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  private static final class Informer implements ResourceEventHandler<ConfigMap> {

    private static final long RESYNC_MILLIS = 1000;

    private final View view;
    private final EventLog log = new EventLog();
    private final SharedIndexInformer<ConfigMap> shared;

    Informer(KubernetesClient client, View view) {
      this.view = view;
      var all = client.configMaps();
      var some =
          view.namespace().isEmpty() ? all.inAnyNamespace() : all.inNamespace(view.namespace());
      this.shared =
          (view.color().isEmpty() ? some : some.withLabel("color", view.color()))
              .runnableInformer(RESYNC_MILLIS)
              .exceptionHandler((_, _) -> true)
              .addEventHandler(this);
      shared.run();
    }

    Map<String, String> stored() {
      var stored = new TreeMap<String, String>();
      for (var object : shared.getStore().list()) {
        var seen = seen(object);
        stored.put(seen.key(), seen.revision());
      }
      return stored;
    }

    @Override
    public void onList(String revision, boolean remainedEmpty) {
      log.listed();
    }

    @Override
    public void onAdd(ConfigMap object) {
      log.added(seen(object));
    }

    @Override
    public void onUpdate(ConfigMap before, ConfigMap object) {
      log.updated(seen(before), seen(object));
    }

    @Override
    public void onDelete(ConfigMap object, boolean finalStateUnknown) {
      log.deleted(seen(object));
    }

    private static Seen seen(ConfigMap object) {
      var meta = object.getMetadata();
      return new Seen(
          meta.getNamespace() + "/" + meta.getName(),
          meta.getResourceVersion(),
          object.getData().getOrDefault("number", ""));
    }
  }
}
