package io.berth.admission.webhook;

import io.berth.admission.Derived;
import io.berth.admission.Lookup;
import io.berth.api.Resource;
import java.util.ArrayList;
import java.util.List;

/// The webhooks of one kind, by name of their configuration.
///
/// Built from stored objects when it is first asked for and after every change of them. Safe for
/// many threads.
public final class WebhookSet {

  private final Resource configurations;
  private final Derived<List<Webhook>> webhooks = new Derived<>();

  public WebhookSet(Resource configurations) {
    this.configurations = configurations;
  }

  /// Hears that an object of this resource was written.
  public void changed(Resource resource) {
    if (resource.plural().equals(configurations.plural())
        && resource.group().equals(configurations.group())) {
      webhooks.outdate();
    }
  }

  public List<Webhook> all(Lookup lookup) {
    return webhooks.get(_ -> read(lookup));
  }

  private List<Webhook> read(Lookup lookup) {
    var read = new ArrayList<Webhook>();
    for (var configuration : lookup.list(configurations, "")) {
      for (var spec : configuration.trees("webhooks")) {
        read.add(Webhook.of(configuration.textOrEmpty("metadata", "name"), spec));
      }
    }
    return List.copyOf(read);
  }
}
