package io.berth.engine.rule.volume;

import io.berth.api.CsiNode;
import io.berth.api.Node;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Volume;
import io.berth.engine.Blame;
import io.berth.engine.Cause;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Causes.Why;
import io.berth.engine.rule.CycleException;
import io.berth.engine.rule.NodeMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What the objections of the volume rules rest on: which claim, which volume, which pods.
final class VolumeCauses {

  private static final String CLAIM = "spec.volumes[*].persistentVolumeClaim.claimName";

  private final Shape shape;
  private final ClusterModel cluster;
  private @Nullable ClaimPlaces places;

  VolumeCauses(Shape shape, ClusterModel cluster) {
    this.shape = shape;
    this.cluster = cluster;
  }

  /// Claims whose volume is out of reach, is gone, or cannot be had on the node.
  Why binding(int index) {
    var causes = new ArrayList<Cause>();
    var node = cluster.nodes().node(index);
    for (var claim : claims()) {
      if (claim.isBound()) {
        var volume = cluster.volumes().volume(claim.volumeName());
        if (volume == null) {
          add(causes, claim, "volume " + claim.volumeName(), "it does not exist");
        } else if (!isReachable(volume, node)) {
          add(causes, claim, "volume " + volume.name(), "other nodes reach it");
        }
      }
    }
    unserved(index, node, causes);
    return new Why(causes, null);
  }

  private static boolean isReachable(PersistentVolume volume, Node node) {
    var terms = volume.nodeAffinity();
    return terms == null || NodeMatcher.of(terms).matches(node);
  }

  private void unserved(int index, Node node, List<Cause> causes) {
    var served = new ArrayList<PersistentVolumeClaim>();
    try {
      var places = places().on(index);
      places.bindings().forEach(binding -> served.add(binding.claim()));
      places.provisions().forEach(provision -> served.add(provision.claim()));
    } catch (CycleException e) {
      return;
    }
    for (var claim : claims()) {
      if (!claim.isBound() && !served.contains(claim)) {
        add(causes, claim, "a volume of " + claim.size(), why(claim, node));
        return;
      }
    }
  }

  private ClaimPlaces places() {
    var known = places;
    if (known == null) {
      known = ClaimPlaces.of(PodClaims.of(shape, cluster), cluster);
      places = known;
    }
    return known;
  }

  private String why(PersistentVolumeClaim claim, Node node) {
    var selected = claim.selectedNode();
    if (selected != null && !selected.equals(node.name())) {
      return "it waits for one on node " + selected;
    }
    var asks = "no free one is reachable from the node, and ";
    var storageClass = cluster.volumes().storageClass(claim.storageClassName());
    if (storageClass == null || !storageClass.provisions()) {
      return asks + "its class makes none";
    }
    return storageClass.allows(node.labels())
        ? asks + "not enough storage is left there"
        : asks + "its class makes none for the node";
  }

  private static void add(
      List<Cause> causes, PersistentVolumeClaim claim, String wanted, String found) {
    var text = "for claim %s %s".formatted(claim.key(), wanted);
    causes.add(Cause.ofPod("VolumeBinding", CLAIM, text, found));
  }

  /// Where volumes are, and where the node is.
  Why zone(int index) {
    var causes = new ArrayList<Cause>();
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
            if (isPlace && (here == null || !List.of(value.split("__")).contains(here))) {
              var wanted =
                  "volume %s of claim %s is in %s=%s"
                      .formatted(volume.name(), claim.key(), key, value);
              var found = here == null ? "no such label" : key + "=" + here;
              causes.add(Cause.ofPod("VolumeZone", CLAIM, wanted, found));
            }
          });
    }
    return new Why(causes, null);
  }

  /// The limits of the node's drivers.
  Why limits(int index) {
    var csiNode = cluster.volumes().csiNode(cluster.nodes().name(index));
    var causes = new ArrayList<Cause>();
    if (csiNode != null) {
      new TreeMap<>(csiNode.limits())
          .forEach((driver, limit) -> {
            if (limit != CsiNode.UNLIMITED) {
              var found = "%s attaches at most %d".formatted(driver, limit);
              causes.add(Cause.ofPod("NodeVolumeLimits", CLAIM, "one volume more", found));
            }
          });
    }
    return new Why(causes, null);
  }

  /// The pods, on whichever node, that hold a claim which cannot be shared, and those on the node
  /// that hold a disk.
  Why restrictions(int index, Predicate<Shape> holdsDisk) {
    var causes = new ArrayList<Cause>();
    var parts = new ArrayList<List<RunningPod>>();
    var holders = new ArrayList<RunningPod>();
    var pods = cluster.nodes().pods(index);
    for (int i = 0; i < pods.size(); i++) {
      if (holdsDisk.test(pods.get(i).shape())) {
        holders.add(pods.get(i));
      }
    }
    if (!holders.isEmpty()) {
      parts.add(holders);
      causes.add(
          Cause.ofPod("VolumeRestrictions", "spec.volumes[*]", "a disk", "in use on the node"));
    }
    users()
        .forEach((claim, users) -> {
          parts.add(users);
          var wanted = "claim %s, which is for one pod at a time".formatted(claim);
          causes.add(Cause.ofPod("VolumeRestrictions", CLAIM, wanted, "in use"));
        });
    return new Why(causes, parts.isEmpty() ? null : new Blame(parts));
  }

  private @Nullable Map<String, List<RunningPod>> users;

  /// Who uses the claims of the pod that are for one pod at a time.
  private Map<String, List<RunningPod>> users() {
    var known = users;
    if (known == null) {
      known = new TreeMap<>();
      for (var claim : claims()) {
        if (claim.accessModes().contains(PersistentVolumeClaim.READ_WRITE_ONCE_POD)) {
          var names = new ArrayList<RunningPod>();
          boolean used = cluster.claimUsers(claim.namespace(), claim.name()) > 0;
          for (var pod : used ? cluster.pods() : List.<RunningPod>of()) {
            if (uses(pod, claim) && cluster.nodes().isPresent(pod.node())) {
              names.add(pod);
            }
          }
          if (!names.isEmpty()) {
            known.put(claim.key(), names);
          }
        }
      }
      users = known;
    }
    return known;
  }

  private static boolean uses(RunningPod pod, PersistentVolumeClaim claim) {
    for (var volume : pod.shape().spec().volumes()) {
      if (volume instanceof Volume.Claim used
          && !used.ephemeral()
          && used.claimName().equals(claim.name())) {
        return pod.namespace().equals(claim.namespace());
      }
    }
    return false;
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
