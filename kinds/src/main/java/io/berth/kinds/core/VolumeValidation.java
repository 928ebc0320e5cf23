package io.berth.kinds.core;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of a pod's volumes.
///
/// Mirrors: core/validation.ValidateVolumes
final class VolumeValidation {

  // In the order Kubernetes looks at them; the first one counts, others are refused.
  private static final List<String> SOURCES =
      List.of(
          "emptyDir",
          "hostPath",
          "gitRepo",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "secret",
          "nfs",
          "iscsi",
          "glusterfs",
          "flocker",
          "persistentVolumeClaim",
          "rbd",
          "cinder",
          "cephfs",
          "quobyte",
          "downwardAPI",
          "fc",
          "flexVolume",
          "configMap",
          "azureFile",
          "vsphereVolume",
          "photonPersistentDisk",
          "portworxVolume",
          "azureDisk",
          "storageos",
          "projected",
          "scaleIO",
          "csi",
          "ephemeral",
          "image");

  private final String pod;

  private VolumeValidation(String pod) {
    this.pod = pod;
  }

  /// Checks all volumes and returns those without fault by name; only these can be mounted. `meta`
  /// is the pod's metadata, absent in a template.
  static Map<String, Tree> validate(Cursor spec, @Nullable Tree meta) {
    return new VolumeValidation(meta == null ? "" : meta.textOrEmpty("name")).all(spec);
  }

  private Map<String, Tree> all(Cursor spec) {
    var volumes = spec.each("volumes");
    var created = claimsCreatedFor(volumes);
    var valid = new HashMap<String, Tree>();
    for (var volume : volumes) {
      int before = volume.errors().size();
      source(volume);
      var name = volume.at("name");
      name.required().follows(Names::dnsLabel);
      if (valid.containsKey(name.text())) {
        name.duplicate();
      }
      if (volume.errors().size() == before) {
        valid.put(name.text(), volume.tree());
      }
      var claim = volume.at("persistentVolumeClaim").ifSet().at("claimName");
      if (created.contains(claim.text())) {
        claim.invalid("must not reference a PVC that gets created for an ephemeral volume");
      }
    }
    return valid;
  }

  private Set<String> claimsCreatedFor(List<Cursor> volumes) {
    var created = new HashSet<String>();
    for (var volume : volumes) {
      if (!pod.isEmpty() && volume.has("ephemeral")) {
        created.add(pod + "-" + volume.text("name"));
      }
    }
    return created;
  }

  private void source(Cursor volume) {
    boolean found = false;
    for (var kind : SOURCES) {
      if (!volume.has(kind)) {
        continue;
      }
      if (found) {
        volume.at(misspelt(kind)).forbidden("may not specify more than 1 volume type");
      } else {
        found = true;
        VolumeSources.OF_PODS.validate(volume, kind);
        if (kind.equals("ephemeral")) {
          claimName(volume.at("name").ifFilled());
        }
      }
      if (kind.equals("iscsi")) {
        portalName(volume.at("name"), volume.at(kind));
      }
    }
    if (!found) {
      volume.missing("must specify a volume type");
    }
  }

  static void portalName(Cursor name, Cursor iscsi) {
    if (iscsi.has("initiatorName")
        && Names.bytes(name.text() + ":" + iscsi.text("targetPortal")) > 64) {
      name.invalidText(
          "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
              + " iscsi.initiatorName is specified.");
    }
  }

  // Clients read these field names in errors as Kubernetes writes them.
  private static String misspelt(String kind) {
    return switch (kind) {
      case "cephfs" -> "cephFS";
      case "downwardAPI" -> "downwarAPI";
      default -> kind;
    };
  }

  private void claimName(Cursor volume) {
    if (!pod.isEmpty()) {
      var claim = pod + "-" + volume.text();
      for (var wrong : Names.dnsSubdomain(claim)) {
        volume.invalid("PVC name \"" + claim + "\": " + wrong);
      }
    }
  }
}
