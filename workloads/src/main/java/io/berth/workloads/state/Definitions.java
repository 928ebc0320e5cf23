package io.berth.workloads.state;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.codec.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// The definitions of the layer's custom resources, and their installation.
public final class Definitions {

  private static final int MAX_ATTEMPTS = 600;
  private static final long PAUSE_MILLIS = 50;

  private static final Resource CRDS =
      new Resource(
          "apiextensions.k8s.io",
          "v1",
          "customresourcedefinitions",
          "CustomResourceDefinition",
          false);

  private Definitions() {}

  public static List<Tree> all() {
    try (var in = Definitions.class.getResourceAsStream("crds.yaml")) {
      return Yaml.readAll(
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Creates the definitions that are missing and updates those that differ.
  public static void install(Cluster cluster) {
    for (var definition : all()) {
      try {
        cluster.create(CRDS, definition);
      } catch (ApiException e) {
        if (e.code() != 409) {
          throw e;
        }
        update(cluster, definition);
      }
    }
  }

  /// Waits until the cluster serves a resource whose definition was just created.
  static void awaitServed(Cluster cluster, io.berth.workloads.state.Objects table)
      throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        cluster.list(table.resource(), table.namespace(), Cluster.Selection.ALL);
        return;
      } catch (ApiException e) {
        // A definition is not served at once, and then its storage is not ready at once.
        boolean early = e.code() == 404 || e.code() == 429 || e.code() == 503;
        if (!early || attempt == MAX_ATTEMPTS) {
          throw e;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  private static void update(Cluster cluster, Tree definition) {
    var current = cluster.fetch(CRDS, "", definition.textOrEmpty("metadata", "name"));
    var versions = definition.at("spec", "versions");
    if (!Objects.equals(current.at("spec", "versions"), versions)) {
      cluster.update(CRDS, null, current.copy().putAt(versions, "spec", "versions"));
    }
  }
}
