package io.berth.controllers.core;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Selector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds claims to volumes, and asks for volumes of classes that have a provisioner.
///
/// A claim takes the smallest volume that fits; when there is none, a provisioner is asked at once,
/// or, for `WaitForFirstConsumer`, when the scheduler has chosen a node.
public final class PersistentVolumes implements Controller {

  private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
  private static final String BOUND_BY = "pv.kubernetes.io/bound-by-controller";
  private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";
  // What a claim tells about its volume, as long as it has one.
  private static final List<String> VOLUME_FIELDS =
      List.of("accessModes", "capacity", "currentVolumeAttributesClassName");
  private static final int WORKERS = 4;

  private final Environment environment;
  private final Provisioner provisioner;
  private final Cache claims;
  private final Cache volumes;
  private final Cache classes;
  private final Events.Source events;
  private final Loop claimLoop;
  private final Loop volumeLoop;

  public PersistentVolumes(Environment environment, Provisioner provisioner) {
    this.environment = environment;
    this.provisioner = provisioner;
    this.claims = environment.informers().of(Resource.PERSISTENT_VOLUME_CLAIMS);
    this.volumes = environment.informers().of(Resource.PERSISTENT_VOLUMES);
    this.classes = environment.informers().of(Resource.STORAGE_CLASSES);
    this.events = environment.events().from("persistentvolume-controller");
    this.claimLoop = new Loop("persistentvolumeclaims", WORKERS, environment.timers(), this::bind);
    this.volumeLoop =
        new Loop("persistentvolumes", WORKERS, environment.timers(), this::followClaim);
    claims.onAny(claim -> {
      claimLoop.add(Key.of(claim));
      var volume = claim.textOrEmpty("spec", "volumeName");
      if (!volume.isEmpty()) {
        volumeLoop.add(new Key("", volume));
      }
    });
    volumes.onAny(volume -> {
      volumeLoop.add(Key.of(volume));
      wakeClaims(volume);
    });
    classes.onAny(_ -> claims.all().forEach(claim -> claimLoop.add(Key.of(claim))));
  }

  @Override
  public String name() {
    return "persistentvolumes";
  }

  @Override
  public void start() {
    claimLoop.start();
    volumeLoop.start();
  }

  @Override
  public void close() {
    claimLoop.close();
    volumeLoop.close();
  }

  private void wakeClaims(Tree volume) {
    for (var claim : claims.all()) {
      if (!claim.textOrEmpty("status", "phase").equals("Bound")
          || claim.textOrEmpty("spec", "volumeName").equals(Meta.name(volume))) {
        claimLoop.add(Key.of(claim));
      }
    }
  }

  // ---- claims --------------------------------------------------------------------------------

  private void bind(Key key) {
    var claim = claims.find(key).orElse(null);
    if (claim == null || Meta.isDeleting(claim)) {
      return;
    }
    var name = claim.textOrEmpty("spec", "volumeName");
    if (!name.isEmpty()) {
      bindTo(name, claim);
      return;
    }
    var volume = matching(claim);
    if (volume != null) {
      join(claim, volume);
      return;
    }
    setPhase(claim, "Pending");
    provision(claim);
  }

  /// The claim names its volume: a user chose it, or they are bound already.
  private void bindTo(String name, Tree claim) {
    var wasBound = Meta.annotation(claim, BIND_COMPLETED) != null;
    var volume = volumes.find(new Key("", name)).orElse(null);
    if (volume == null) {
      if (wasBound) {
        lose(
            claim,
            "ClaimLost",
            "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
      }
    } else if (isFor(volume, claim)) {
      join(claim, volume);
    } else if (volume.tree("spec", "claimRef") != null) {
      if (wasBound) {
        lose(
            claim,
            "ClaimMisbound",
            "Two claims are bound to the same volume, this one is bound incorrectly");
      } else {
        warn(
            claim,
            "FailedBinding",
            "volume \"%s\" already bound to a different claim.".formatted(name));
      }
    } else {
      var mismatch = wasBound ? null : VolumeFit.mismatch(volume, claim);
      if (mismatch == null) {
        join(claim, volume);
      } else {
        warn(
            claim,
            "VolumeMismatch",
            "Cannot bind to requested volume \"%s\": %s".formatted(name, mismatch));
      }
    }
  }

  private void lose(Tree claim, String reason, String message) {
    if (!claim.textOrEmpty("status", "phase").equals("Lost")) {
      setPhase(claim, "Lost");
      warn(claim, reason, message);
    }
  }

  private void warn(Tree claim, String reason, String message) {
    events.warning(Resource.PERSISTENT_VOLUME_CLAIMS, claim, reason, message);
  }

  /// The smallest free volume that gives what the claim asks for; one reserved for it goes first.
  private @Nullable Tree matching(Tree claim) {
    // Which free volume suits the node is the scheduler's to say: it reserves one, or asks for a
    // new one.
    var waits = waitsForConsumer(claim);
    Tree best = null;
    for (var volume : volumes.all()) {
      if (Meta.isDeleting(volume)) {
        continue;
      }
      if (isFor(volume, claim)) {
        return volume;
      }
      if (waits || volume.tree("spec", "claimRef") != null || !fits(volume, claim)) {
        continue;
      }
      if (best == null || VolumeFit.capacity(volume).compareTo(VolumeFit.capacity(best)) < 0) {
        best = volume;
      }
    }
    return best;
  }

  private static boolean isFor(Tree volume, Tree claim) {
    var reference = volume.tree("spec", "claimRef");
    if (reference == null
        || !reference.textOrEmpty("namespace").equals(Meta.namespace(claim))
        || !reference.textOrEmpty("name").equals(Meta.name(claim))) {
      return false;
    }
    var uid = reference.textOrEmpty("uid");
    return uid.isEmpty() || uid.equals(Meta.uid(claim));
  }

  private static boolean fits(Tree volume, Tree claim) {
    var phase = volume.textOrEmpty("status", "phase");
    var selector = claim.tree("spec", "selector");
    return (phase.isEmpty() || phase.equals("Available") || phase.equals("Pending"))
        && VolumeFit.mismatch(volume, claim) == null
        && (selector == null || Selector.of(selector).matches(volume));
  }

  private void join(Tree claim, Tree volume) {
    if (!isFor(volume, claim) || volume.textOrEmpty("spec", "claimRef", "uid").isEmpty()) {
      var reserved = volume.copy();
      reserved.child("spec").put("claimRef", reference(claim));
      if (volume.tree("spec", "claimRef") == null) {
        reserved.child("metadata").child("annotations").put(BOUND_BY, "yes");
      }
      environment.cluster().update(Resource.PERSISTENT_VOLUMES, null, reserved);
      return; // The change comes back here.
    }
    if (!claim.textOrEmpty("spec", "volumeName").equals(Meta.name(volume))
        || Meta.annotation(claim, BIND_COMPLETED) == null) {
      var bound = claim.copy();
      bound.child("spec").put("volumeName", Meta.name(volume));
      var annotations = bound.child("metadata").child("annotations");
      annotations.put(BIND_COMPLETED, "yes");
      if (claim.textOrEmpty("spec", "volumeName").isEmpty()) {
        annotations.put(BOUND_BY, "yes");
      }
      environment.cluster().update(Resource.PERSISTENT_VOLUME_CLAIMS, null, bound);
      return;
    }
    write(Resource.PERSISTENT_VOLUME_CLAIMS, claim, boundTo(volume, claim));
  }

  /// As in Kubernetes, capacity and attributes are taken over once, when the claim becomes bound;
  /// from then on they are the driver's to change.
  private static Tree boundTo(Tree volume, Tree claim) {
    var status = claim.treeOrEmpty("status").copy();
    var isNew = !status.textOrEmpty("phase").equals("Bound");
    status
        .put("phase", "Bound")
        .put("accessModes", Tree.copyOf(volume.list("spec", "accessModes")));
    if (isNew) {
      status.put("capacity", volume.treeOrEmpty("spec", "capacity").copy());
      if (!VolumeFit.attributesClass(volume).isEmpty()) {
        status.put("currentVolumeAttributesClassName", VolumeFit.attributesClass(volume));
      }
    }
    return status;
  }

  private void provision(Tree claim) {
    var storageClass = classes.find(new Key("", VolumeFit.className(claim))).orElse(null);
    if (VolumeFit.className(claim).isEmpty()) {
      events.normal(
          Resource.PERSISTENT_VOLUME_CLAIMS,
          claim,
          "FailedBinding",
          "no persistent volumes available for this claim and no storage class is set");
      return;
    }
    if (storageClass == null) {
      warn(
          claim,
          "ProvisioningFailed",
          "storageclass.storage.k8s.io \"%s\" not found".formatted(VolumeFit.className(claim)));
      return;
    }
    if (waitsForConsumer(claim) && Meta.annotation(claim, Provisioner.SELECTED_NODE) == null) {
      events.normal(
          Resource.PERSISTENT_VOLUME_CLAIMS,
          claim,
          "WaitForFirstConsumer",
          "waiting for first consumer to be created before binding");
      return;
    }
    if (!storageClass.textOrEmpty("provisioner").equals(NO_PROVISIONER)
        && volumes.find(new Key("", Provisioner.volumeName(claim))).isEmpty()) {
      provisioner.provision(claim, storageClass);
    }
  }

  // ---- volumes -------------------------------------------------------------------------------

  private void followClaim(Key key) {
    var volume = volumes.find(key).orElse(null);
    if (volume == null) {
      return;
    }
    var reference = volume.tree("spec", "claimRef");
    if (reference == null) {
      phase(volume, "Available");
      return;
    }
    if (reference.textOrEmpty("uid").isEmpty()) {
      phase(volume, "Available");
      return;
    }
    var claim =
        claims
            .find(new Key(reference.textOrEmpty("namespace"), reference.textOrEmpty("name")))
            .filter(found -> Meta.uid(found).equals(reference.text("uid")))
            .orElse(null);
    if (claim != null) {
      phase(volume, "Bound");
      return;
    }
    if (volume.textOrEmpty("status", "phase").equals("Bound")) {
      phase(volume, "Released");
    }
    if (volume.textOrEmpty("status", "phase").equals("Released")
        && volume.textOrEmpty("spec", "persistentVolumeReclaimPolicy").equals("Delete")) {
      provisioner.reclaim(volume);
    }
  }

  // ---- reading and writing -------------------------------------------------------------------

  private boolean waitsForConsumer(Tree claim) {
    return classes
        .find(new Key("", VolumeFit.className(claim)))
        .filter(c -> c.textOrEmpty("volumeBindingMode").equals("WaitForFirstConsumer"))
        .isPresent();
  }

  static Tree reference(Tree claim) {
    return Tree.of("apiVersion", "v1", "kind", "PersistentVolumeClaim")
        .put("namespace", Meta.namespace(claim))
        .put("name", Meta.name(claim))
        .put("uid", Meta.uid(claim))
        .put("resourceVersion", Meta.revision(claim));
  }

  private void setPhase(Tree claim, String phase) {
    var status = claim.treeOrEmpty("status").copy().put("phase", phase);
    VOLUME_FIELDS.forEach(status::remove);
    write(Resource.PERSISTENT_VOLUME_CLAIMS, claim, status);
  }

  private void phase(Tree volume, String phase) {
    var status = volume.treeOrEmpty("status").copy();
    if (!phase.equals(status.text("phase"))) {
      status.put("phase", phase).put("lastPhaseTransitionTime", environment.timestamp());
      write(Resource.PERSISTENT_VOLUMES, volume, status);
    }
  }

  private void write(Resource resource, Tree object, Tree status) {
    if (!status.equals(object.treeOrEmpty("status"))) {
      environment
          .cluster()
          .update(resource, "status", Tree.ofMap(object.fields()).put("status", status));
    }
  }
}
