package io.berth.controllers.runtime;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Informer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Follows custom resources as they are defined and go, one informer for each.
public final class CustomResources implements AutoCloseable {

  private static final Duration SERVED_AFTER = Duration.ofMillis(200);

  private final Environment environment;
  private final Catalog catalog;
  private final Function<Resource, Informer.Handler> handlers;
  private final Map<Resource, Informer> informers = new ConcurrentHashMap<>();

  public CustomResources(
      Environment environment, Catalog catalog, Function<Resource, Informer.Handler> handlers) {
    this.environment = environment;
    this.catalog = catalog;
    this.handlers = handlers;
    catalog.definitions().onAny(this::follow);
  }

  /// Those that are followed now.
  public Set<Resource> all() {
    return Set.copyOf(informers.keySet());
  }

  public List<Tree> in(Resource resource, String namespace) {
    var informer = informers.get(resource);
    return informer == null ? List.of() : informer.inNamespace(namespace);
  }

  @Override
  public void close() {
    informers.values().forEach(Informer::close);
  }

  private void follow(Tree definition) {
    var resource = Catalog.custom(definition).orElse(null);
    if (resource == null) {
      return;
    }
    if (catalog.definitions().find(Key.of(definition)).isEmpty()) {
      end(resource);
      return;
    }
    // One that is being deleted is followed to the end: its objects go first.
    // A definition is established a moment before its resource is served.
    environment.timers().after(SERVED_AFTER, () -> begin(definition, resource));
  }

  /// With a definition all its objects are gone, also those whose end has not been heard of yet.
  private void end(Resource resource) {
    var informer = informers.remove(resource);
    if (informer != null) {
      informer.close();
      var handler = handlers.apply(resource);
      informer.all().forEach(handler::removed);
    }
  }

  private void begin(Tree definition, Resource resource) {
    if (catalog.definitions().find(Key.of(definition)).isPresent()) {
      informers.computeIfAbsent(
          resource, r -> new Informer(environment.cluster(), r).on(handlers.apply(r)).start());
    }
  }
}
