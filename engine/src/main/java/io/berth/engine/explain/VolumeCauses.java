package io.berth.engine.explain;

import io.berth.api.CsiNode;
import io.berth.api.Node;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Volume;
import io.berth.engine.Explanation.Cause;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.CycleException;
import io.berth.engine.rule.NodeMatcher;
import io.berth.engine.rule.volume.VolumeBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the objections of the volume rules rest on: which claim, which volume, which pods.
final class VolumeCauses {

  private final Shape shape;
  private final ClusterModel cluster;

  VolumeCauses(Shape shape, ClusterModel cluster) {
    this.shape = shape;
    this.cluster = cluster;
  }

  /// Claims whose volume is out of reach, is gone, or cannot be had on the node.
  void binding(int index, List<Cause> causes) {
    var node = cluster.nodes().node(index);
    for (var claim : claims()) {
      if (claim.isBound()) {
        var volume = cluster.volumes().volume(claim.volumeName());
        if (volume == null) {
          add(causes, claim, "is bound to volume " + claim.volumeName() + ", which does not exist");
        } else if (!isReachable(volume, node)) {
          add(causes, claim, "is bound to volume " + volume.name() + ", which other nodes reach");
        }
      }
    }
    unserved(index, node, causes);
  }

  private static boolean isReachable(PersistentVolume volume, Node node) {
    var terms = volume.nodeAffinity();
    return terms == null || NodeMatcher.of(terms).matches(node);
  }

  private void unserved(int index, Node node, List<Cause> causes) {
    var served = new ArrayList<PersistentVolumeClaim>();
    try {
      var places = VolumeBinding.placesOf(shape, index, cluster);
      places.bindings().forEach(binding -> served.add(binding.claim()));
      places.provisions().forEach(provision -> served.add(provision.claim()));
    } catch (CycleException e) {
      return;
    }
    for (var claim : claims()) {
      if (!claim.isBound() && !served.contains(claim)) {
        add(causes, claim, why(claim, node));
        return;
      }
    }
  }

  private String why(PersistentVolumeClaim claim, Node node) {
    var selected = claim.selectedNode();
    if (selected != null && !selected.equals(node.name())) {
      return "waits for its volume on node " + selected;
    }
    var asks = "asks for " + claim.size() + ": no free volume is reachable from the node, and ";
    var storageClass = cluster.volumes().storageClass(claim.storageClassName());
    if (storageClass == null || !storageClass.provisions()) {
      return asks + "its class makes none";
    }
    return storageClass.allows(node.labels())
        ? asks + "not enough storage is left there"
        : asks + "its class makes none for the node";
  }

  private static void add(List<Cause> causes, PersistentVolumeClaim claim, String text) {
    causes.add(new Cause("VolumeBinding", "claim " + claim.key() + " " + text, List.of()));
  }

  /// Where volumes are, and where the node is.
  void zone(int index, List<Cause> causes) {
    var labels = cluster.nodes().node(index).labels();
    for (var claim : claims()) {
      var volume = cluster.volumes().volume(claim.volumeName());
      if (volume == null) {
        continue;
      }
      new TreeMap<>(volume.labels())
          .forEach((key, value) -> {
            boolean isPlace = key.endsWith("/zone") || key.endsWith("/region");
            var here = labels.get(key);
            if (isPlace && !List.of(value.split("__")).contains(here)) {
              var text =
                  "volume %s of claim %s is in %s=%s, the node has %s"
                      .formatted(
                          volume.name(),
                          claim.key(),
                          key,
                          value,
                          here == null ? "no such label" : here);
              causes.add(new Cause("VolumeZone", text, List.of()));
            }
          });
    }
  }

  /// The limits of the node's drivers, and the pods there that have claims.
  void limits(int index, List<Cause> causes) {
    var csiNode = cluster.volumes().csiNode(cluster.nodes().name(index));
    if (csiNode == null) {
      return;
    }
    var pods = new TreeSet<String>();
    var running = cluster.nodes().pods(index);
    for (int i = 0; i < running.size(); i++) {
      if (running.get(i).shape().spec().volumes().stream()
          .anyMatch(Volume.Claim.class::isInstance)) {
        pods.add(running.get(i).key());
      }
    }
    var limits = new TreeMap<String, String>();
    csiNode
        .limits()
        .forEach((driver, limit) -> {
          if (limit != CsiNode.UNLIMITED) {
            limits.put(driver, driver + " attaches at most " + limit);
          }
        });
    if (!limits.isEmpty()) {
      var text = String.join(", ", limits.values());
      causes.add(new Cause("NodeVolumeLimits", text, List.copyOf(pods)));
    }
  }

  /// The pods, on whichever node, that hold a claim which cannot be shared.
  void restrictions(List<Cause> causes) {
    for (var claim : claims()) {
      if (claim.accessModes().contains(PersistentVolumeClaim.READ_WRITE_ONCE_POD)) {
        var users = new TreeSet<String>();
        for (var pod : cluster.pods()) {
          if (uses(pod, claim)) {
            users.add(pod.key());
          }
        }
        if (!users.isEmpty()) {
          var text = "claim %s is for one pod at a time".formatted(claim.key());
          causes.add(new Cause("VolumeRestrictions", text, List.copyOf(users)));
        }
      }
    }
  }

  private static boolean uses(RunningPod pod, PersistentVolumeClaim claim) {
    return pod.namespace().equals(claim.namespace())
        && pod.shape().spec().volumes().stream()
            .anyMatch(volume ->
                volume instanceof Volume.Claim used && used.claimName().equals(claim.name()));
  }

  private List<PersistentVolumeClaim> claims() {
    var claims = new ArrayList<PersistentVolumeClaim>();
    for (var volume : shape.spec().volumes()) {
      if (volume instanceof Volume.Claim named) {
        var claim = cluster.volumes().claim(shape.namespace(), named.claimName());
        if (claim != null) {
          claims.add(claim);
        }
      }
    }
    return claims;
  }
}
