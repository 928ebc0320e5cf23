package io.berth.server.custom;

import io.berth.admission.User;
import io.berth.admission.webhook.WebhookClient;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.custom.DefinitionConditions;
import io.berth.server.discovery.Advertised;
import io.berth.server.discovery.Discovery;
import io.berth.server.discovery.OpenApiPaths;
import io.berth.server.registry.Context;
import io.berth.server.registry.DeleteOptions;
import io.berth.server.registry.ListOptions;
import io.berth.server.registry.Registry;
import io.berth.server.registry.Served;
import io.berth.server.registry.WriteOptions;
import io.berth.store.Key;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves what definitions define, from the moment one is written to the moment it is gone.
///
/// It hears of every write before the writer gets its answer, so that a client that has created a
/// definition may use it at once. One thread at a time settles definitions; the writes this makes
/// are heard by the same thread, which then goes round once more.
public final class CustomResources {

  private static final Logger LOG = LoggerFactory.getLogger(CustomResources.class);
  private static final String MANAGER = "kube-apiserver";

  private final Registry registry;
  private final Discovery discovery;
  private final OpenApiPaths openApi;
  private final InstantSource clock;
  private final Served definitions;
  private final WebhookClient client = new WebhookClient();
  private Map<String, Installed> installed = new TreeMap<>();
  private Set<String> groupVersions = Set.of();
  private boolean settling;
  private boolean again;

  /// What has objects that must go before its definition does: `group/plural`.
  private volatile Set<String> terminating = Set.of();

  private CustomResources(
      Registry registry, Discovery discovery, OpenApiPaths openApi, InstantSource clock) {
    this.registry = registry;
    this.discovery = discovery;
    this.openApi = openApi;
    this.clock = clock;
    this.definitions = registry.catalog().of(Resource.CUSTOM_RESOURCE_DEFINITIONS);
  }

  /// Serves the definitions that are there now and all that come.
  public static void serve(
      Registry registry, Discovery discovery, OpenApiPaths openApi, InstantSource clock) {
    var custom = new CustomResources(registry, discovery, openApi, clock);
    registry.observe(custom::written);
    custom.settle();
  }

  private void written(Resource resource) {
    if (resource.equals(Resource.CUSTOM_RESOURCE_DEFINITIONS)
        || terminating.contains(resource.group() + "/" + resource.plural())) {
      settle();
    }
  }

  private synchronized void settle() {
    if (settling) {
      again = true;
      return;
    }
    settling = true;
    try {
      do {
        again = false;
        var statuses = new ArrayList<Tree>();
        install(accepted(statuses));
        // Whoever sees that a definition is established may use it.
        statuses.forEach(this::updateStatus);
        cleanUp();
      } while (again);
    } finally {
      settling = false;
    }
  }

  private List<Tree> stored() {
    var stored = new ArrayList<Tree>();
    registry
        .store()
        .list(definitions.range(""))
        .entries()
        .forEach(entry -> stored.add(entry.object()));
    return stored;
  }

  /// The definitions with the names they get; those whose status must be written are added to
  /// `changed`.
  private List<Tree> accepted(List<Tree> changed) {
    var all = stored();
    for (int i = 0; i < all.size(); i++) {
      var definition = all.get(i);
      if (definition.at("metadata", "deletionTimestamp") == null) {
        var status = NameClaims.settle(definition, all, clock.instant());
        if (status != null) {
          // Names that one definition gets here, the next must not get as well.
          all.set(i, definition.copy().put("status", status));
          changed.add(all.get(i));
        }
      }
    }
    return all;
  }

  private ConversionWebhook webhook(Tree webhook) {
    return new ConversionWebhook(webhook, client, registry::lookup);
  }

  private void install(List<Tree> definitions) {
    var current = new TreeMap<String, Installed>();
    for (var definition : definitions) {
      if (DefinitionConditions.isTrue(definition, "NamesAccepted")
          || DefinitionConditions.isTrue(definition, "Established")) {
        var name = definition.textOrEmpty("metadata", "name");
        var known = installed.get(name);
        current.put(
            name,
            known != null && known.isOf(definition)
                ? known
                : Installed.of(definition, this::webhook));
      }
    }
    var gone = new HashSet<Resource>();
    installed.values().forEach(each -> each.served().forEach(s -> gone.add(s.resource())));
    for (var each : current.values()) {
      for (var served : each.served()) {
        registry.catalog().put(served);
        gone.remove(served.resource());
      }
    }
    gone.forEach(registry.catalog()::remove);
    boolean changed = !current.equals(installed);
    installed = current;
    if (changed) {
      advertise();
    }
  }

  private void advertise() {
    var resources = new TreeMap<String, List<Advertised>>();
    for (var each : installed.values()) {
      for (var resource : each.advertised()) {
        resources
            .computeIfAbsent(resource.resource().apiVersion(), _ -> new ArrayList<>())
            .add(resource);
      }
    }
    resources.forEach(discovery::advertise);
    for (var before : groupVersions) {
      if (!resources.containsKey(before)) {
        discovery.withdraw(before);
      }
    }
    groupVersions = Set.copyOf(resources.keySet());
    openApi.refresh(discovery);
  }

  /// Takes the objects of definitions that are to go, and then the definitions.
  private void cleanUp() {
    var waiting = new HashSet<String>();
    for (var definition : stored()) {
      if (definition.at("metadata", "deletionTimestamp") != null
          && definition.list("metadata", "finalizers").contains(DefinitionConditions.CLEANUP)) {
        var resource =
            definition.textOrEmpty("spec", "group")
                + "/"
                + definition.textOrEmpty("spec", "names", "plural");
        // Before the deletion: an object whose finalizer goes meanwhile must be heard.
        waiting.add(resource);
        terminating = Set.copyOf(waiting);
        if (cleanedUp(definition)) {
          waiting.remove(resource);
        }
      }
    }
    terminating = Set.copyOf(waiting);
  }

  private boolean cleanedUp(Tree definition) {
    var known = installed.get(definition.textOrEmpty("metadata", "name"));
    if (known != null) {
      if (!isEmptied(known.stored())) {
        progress(definition);
        return false;
      }
    }
    var done = definition.copy();
    DefinitionConditions.set(
        done,
        "Terminating",
        false,
        known == null ? "NeverEstablished" : "InstanceDeletionCompleted",
        known == null ? "resource was never established" : "removed all instances",
        clock.instant());
    done.child("metadata").childList("finalizers").remove(DefinitionConditions.CLEANUP);
    updateStatus(done);
    return true;
  }

  private boolean isEmptied(Served stored) {
    for (var entry : registry.list(stored, "", ListOptions.ALL).entries()) {
      if (entry.object().at("metadata", "deletionTimestamp") == null) {
        delete(stored, entry.key());
      }
    }
    return registry.list(stored, "", ListOptions.ALL).entries().isEmpty();
  }

  private void delete(Served stored, Key key) {
    try {
      registry.delete(stored, key.namespace(), key.name(), DeleteOptions.DEFAULT, context());
    } catch (ApiException e) {
      if (!e.is("NotFound")) {
        throw e;
      }
    }
  }

  private void progress(Tree definition) {
    var inProgress = definition.copy();
    DefinitionConditions.set(
        inProgress,
        "Terminating",
        true,
        "InstanceDeletionInProgress",
        "CustomResource deletion is in progress",
        clock.instant());
    if (!inProgress.equals(definition)) {
      updateStatus(inProgress);
    }
  }

  /// Somebody else may have written meanwhile: then this was heard, and there is another round.
  private void updateStatus(Tree definition) {
    var name = definition.textOrEmpty("metadata", "name");
    try {
      registry.update(definitions, "status", "", name, definition, context());
    } catch (ApiException e) {
      if (!e.is("Conflict") && !e.is("NotFound")) {
        throw e;
      }
      LOG.debug("{} changed while its status was being written", name);
    }
  }

  private Context context() {
    return new Context(
        User.of("system:apiserver", "system:masters"), clock.instant(), WriteOptions.by(MANAGER));
  }
}
