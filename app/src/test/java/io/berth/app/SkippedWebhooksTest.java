package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.admission.AdmissionChain;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Informer;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.server.ApiServer;
import io.berth.server.ServerSettings;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A request goes on without a webhook that nobody answers for, and an event tells of it.
class SkippedWebhooksTest {

  private static final Resource CONFIGURATIONS =
      new Resource(
          "admissionregistration.k8s.io",
          "v1",
          "validatingwebhookconfigurations",
          "ValidatingWebhookConfiguration",
          false);
  private static final String CONFIGURATION =
      """
      metadata: {name: hooks}
      webhooks:
      - name: hook.example.com
        admissionReviewVersions: [v1]
        sideEffects: None
        rules:
        - {apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}
        clientConfig: {service: {namespace: default, name: gone}}
      """;

  @Test
  void anEventTellsOfIt() throws Exception {
    try (var store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
        var skipped = new SkippedWebhooks();
        var server =
            new ApiServer(
                store,
                Authority.open(null),
                AdmissionChain.of(List.of(), List.of(), skipped),
                ServerSettings.plain())) {
      var cluster = new InProcessCluster(server.registry(), "test", InstantSource.system());
      skipped.writeTo(cluster);
      var events = new Collected();
      try (var _ = new Informer(cluster, Resource.CORE_EVENTS).on(events).start()) {
        cluster.create(CONFIGURATIONS, Yaml.read(CONFIGURATION));
        cluster.create(
            Resource.CONFIG_MAPS,
            Tree.of("metadata", Tree.of("namespace", "default", "name", "a")));

        var event = events.next();
        assertThat(event.textOrEmpty("reason")).isEqualTo("WebhookSkipped");
        assertThat(event.textOrEmpty("involvedObject", "name")).isEqualTo("hooks");
        assertThat(event.textOrEmpty("message"))
            .isEqualTo(
                "admission webhook \"hook.example.com\" was skipped: failed to call webhook: Post"
                    + " \"https://gone.default.svc:443\": service \"gone\" not found");
      }
    }
  }

  private static final class Collected implements Informer.Handler {

    private final ArrayBlockingQueue<Tree> events = new ArrayBlockingQueue<>(10);

    Tree next() throws InterruptedException {
      var event = events.poll(1, TimeUnit.MINUTES);
      if (event == null) {
        throw new AssertionError("no event came");
      }
      return event;
    }

    @Override
    public void changed(@Nullable Tree previous, Tree object) {
      events.add(object);
    }

    @Override
    public void removed(Tree object) {}
  }
}
