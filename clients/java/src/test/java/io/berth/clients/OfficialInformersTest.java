package io.berth.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.clients.EventLog.Seen;
import io.berth.clients.RandomWrites.View;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.io.StringReader;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Informers of the official Java client over random writes, cut connections and an expired
/// revision.
///
/// This client lists anew after every cut, a second later, so it may miss what was overwritten
/// meanwhile; where it ends is where the server is, and it never tells nonsense on the way.
class OfficialInformersTest {

  private static final int WRITES = Integer.getInteger("clients.writes", 10_000) / 10;
  private static final long SEED = Long.getLong("clients.seed", 5);
  private static final int CUTS = 3;
  private static final long NO_RESYNC = 0;

  @Test
  void informersFollowWhateverHappensToTheirConnections() throws Exception {
    try (var cluster = new TestCluster()) {
      var client =
          ClientBuilder.kubeconfig(
                  KubeConfig.loadKubeConfig(new StringReader(cluster.kubeconfig())))
              .build();
      var api =
          new GenericKubernetesApi<>(
              V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
      var factory = new SharedInformerFactory(client);
      var informer = factory.sharedIndexInformerFor(api, V1ConfigMap.class, NO_RESYNC);
      var log = new EventLog();
      informer.addEventHandler(new Handler(log));
      var writes = new RandomWrites(cluster.admin(), SEED);
      factory.startAllRegisteredInformers();
      writes.write(WRITES / 5);
      log.awaitRevisions(writes.revisions(View.ALL));

      for (int i = 0; i < CUTS; i++) {
        int seen = log.events();
        writes.write(WRITES / 5);
        log.awaitEvents(seen + 1);
        cluster.proxy().cut();
        log.awaitRevisions(writes.revisions(View.ALL));
      }
      cluster.proxy().refuse(true);
      cluster.proxy().cut();
      writes.write(WRITES / 5);
      cluster.expireRevisions();
      cluster.proxy().refuse(false);
      log.awaitRevisions(writes.revisions(View.ALL));

      assertThat(log.complaints()).as("seed %d", SEED).isEmpty();
      assertThat(stored(informer)).isEqualTo(writes.revisions(View.ALL));
      factory.stopAllRegisteredInformers();
    }
  }

  private static Map<String, String> stored(SharedIndexInformer<V1ConfigMap> informer) {
    var stored = new TreeMap<String, String>();
    for (var object : informer.getIndexer().list()) {
      var seen = Handler.seen(object);
      stored.put(seen.key(), seen.revision());
    }
    return stored;
  }

  private record Handler(EventLog log) implements ResourceEventHandler<V1ConfigMap> {

    @Override
    public void onAdd(V1ConfigMap object) {
      log.added(seen(object));
    }

    @Override
    public void onUpdate(V1ConfigMap before, V1ConfigMap object) {
      log.updated(seen(before), seen(object));
    }

    @Override
    public void onDelete(V1ConfigMap object, boolean finalStateUnknown) {
      log.deleted(seen(object));
    }

    static Seen seen(V1ConfigMap object) {
      var meta = object.getMetadata();
      return new Seen(
          meta.getNamespace() + "/" + meta.getName(),
          meta.getResourceVersion(),
          object.getData().getOrDefault("number", ""));
    }
  }
}
