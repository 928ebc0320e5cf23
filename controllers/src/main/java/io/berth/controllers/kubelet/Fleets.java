package io.berth.controllers.kubelet;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.controllers.runtime.SlowStart;
import java.util.ArrayList;
import java.util.List;

/// Creates the nodes of fleets; those that exist already are left as they are.
public final class Fleets {

  private Fleets() {}

  public static void create(Cluster cluster, List<NodeFleet> fleets) {
    var nodes = new ArrayList<Tree>();
    fleets.forEach(fleet -> nodes.addAll(fleet.nodes()));
    SlowStart.all(
        cluster.crew(),
        nodes.size(),
        i -> {
          try {
            cluster.create(Resource.NODES, nodes.get(i));
          } catch (ApiException e) {
            if (!e.is("AlreadyExists")) {
              throw e;
            }
          }
        });
  }
}
