package io.berth.admission.webhook;

import io.berth.admission.Lookup;
import io.berth.api.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The webhooks of one kind, by name of their configuration.
///
/// Built from stored objects when it is first asked for and after every change of them. Safe for
/// many threads.
public final class WebhookSet {

  private final Resource configurations;
  private final AtomicLong changes = new AtomicLong();
  private volatile @Nullable Snapshot snapshot;

  public WebhookSet(Resource configurations) {
    this.configurations = configurations;
  }

  private record Snapshot(long change, List<Webhook> webhooks) {}

  /// Hears that an object of this resource was written.
  public void changed(Resource resource) {
    if (resource.plural().equals(configurations.plural())
        && resource.group().equals(configurations.group())) {
      changes.incrementAndGet();
    }
  }

  public List<Webhook> all(Lookup lookup) {
    var known = snapshot;
    // Counted before the objects are read: what is written meanwhile makes this one outdated.
    long change = changes.get();
    if (known == null || known.change != change) {
      var webhooks = new ArrayList<Webhook>();
      for (var configuration : lookup.list(configurations, "")) {
        for (var spec : configuration.trees("webhooks")) {
          webhooks.add(Webhook.of(configuration.textOrEmpty("metadata", "name"), spec));
        }
      }
      known = new Snapshot(change, List.copyOf(webhooks));
      snapshot = known;
    }
    return known.webhooks;
  }
}
