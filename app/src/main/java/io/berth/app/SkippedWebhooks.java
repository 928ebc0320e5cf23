package io.berth.app;

import io.berth.admission.webhook.Unreachable;
import io.berth.admission.webhook.Webhook;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.cluster.Cluster;
import io.berth.controllers.runtime.Events;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Lets requests go on without webhooks that nobody answers for, as those of charts whose pods are
/// simulated, and leaves an event at their configuration.
final class SkippedWebhooks implements Unreachable, AutoCloseable {

  // Set once there is a server to write to; before that nothing is skipped, nor written.
  private volatile @Nullable Recorder recorder;

  /// Writes events to this cluster from now on.
  void writeTo(Cluster cluster) {
    var events = new Events(cluster, InstantSource.system()).start();
    recorder = new Recorder(cluster, events, events.from("kube-apiserver"));
  }

  @Override
  public boolean skips(Resource configurations, Webhook webhook, String why) {
    var known = recorder;
    if (known == null) {
      return false;
    }
    known.tell(configurations, webhook, why);
    return true;
  }

  @Override
  public void close() {
    var known = recorder;
    if (known != null) {
      known.events().close();
    }
  }

  private record Recorder(Cluster cluster, Events events, Events.Source source) {

    void tell(Resource configurations, Webhook webhook, String why) {
      try {
        var configuration = cluster.fetch(configurations, "", webhook.configuration());
        source.warning(
            configurations,
            configuration,
            "WebhookSkipped",
            "admission webhook \"%s\" was skipped: %s".formatted(webhook.name(), why));
      } catch (ApiException e) {
        // Deleted meanwhile: there is nothing left to hang an event on.
      }
    }
  }
}
