package io.berth.server;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.server.registry.Context;
import io.berth.server.registry.Registry;
import io.berth.server.registry.WriteOptions;
import java.time.InstantSource;
import java.util.List;

/// What every cluster has from the beginning; missing objects are made at each start.
final class Bootstrap {

  private static final List<String> NAMESPACES =
      List.of("default", "kube-node-lease", "kube-public", "kube-system");

  private Bootstrap() {}

  static void run(Registry registry, InstantSource clock) {
    for (var name : NAMESPACES) {
      ensure(
          registry,
          Resource.NAMESPACES,
          "",
          Tree.of("kind", "Namespace", "apiVersion", "v1", "metadata", Tree.of("name", name)),
          clock);
    }
  }

  private static void ensure(
      Registry registry, Resource resource, String namespace, Tree object, InstantSource clock) {
    var served = registry.catalog().of(resource);
    var name = object.textOrEmpty("metadata", "name");
    if (registry.store().find(served.key(namespace, name)).isPresent()) {
      return;
    }
    var context =
        new Context(
            User.of("system:apiserver", "system:masters"),
            clock.instant(),
            WriteOptions.by("kube-apiserver"));
    try {
      registry.create(served, namespace, object, context);
    } catch (ApiException e) {
      if (!e.is("AlreadyExists")) {
        throw e;
      }
    }
  }
}
