package io.berth.app;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.LocalCluster.Simulation;
import io.berth.cli.UserError;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import io.berth.codec.SyntaxException;
import io.berth.codec.Yaml;
import io.berth.controllers.kubelet.Fleets;
import io.berth.controllers.kubelet.NodeFleet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The nodes a cluster begins with: those of a fleet file, and in a new cluster some plain ones.
final class StarterNodes {

  private final Cluster cluster;

  StarterNodes(Cluster cluster) {
    this.cluster = cluster;
  }

  void create(Simulation simulation) throws IOException {
    var fleets = new ArrayList<NodeFleet>();
    if (cluster.list(Resource.NODES, "", Selection.ALL).items().isEmpty()) {
      fleets.addAll(
          simulation.nodes() < 0
              ? NodeFleet.standard()
              : List.of(NodeFleet.plain(simulation.nodes())));
    }
    if (simulation.fleet() != null) {
      fleets.addAll(read(simulation.fleet()));
    }
    Fleets.create(cluster, fleets);
  }

  static List<NodeFleet> read(Path file) throws IOException {
    var fleets = new ArrayList<NodeFleet>();
    for (var document : documents(file)) {
      if (!document.textOrEmpty("kind").equals("NodeFleet")) {
        throw new UserError(
            "%s: kind \"%s\" is not NodeFleet".formatted(file, document.textOrEmpty("kind")));
      }
      fleets.add(fleet(file, document));
    }
    return fleets;
  }

  private static List<Tree> documents(Path file) throws IOException {
    try {
      return Yaml.readAll(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new UserError("the fleet file %s does not exist".formatted(file));
    } catch (SyntaxException e) {
      throw new UserError("%s: %s".formatted(file, e.getMessage()));
    }
  }

  private static NodeFleet fleet(Path file, Tree document) {
    try {
      return NodeFleet.of(document);
    } catch (ApiException e) {
      throw new UserError("%s: %s".formatted(file, e.getMessage()));
    }
  }
}
