package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of a pod's volumes.
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

  private final @Nullable Tree meta;
  private final FieldErrors errors;

  private VolumeValidation(@Nullable Tree meta, FieldErrors errors) {
    this.meta = meta;
    this.errors = errors;
  }

  /// Checks all volumes and returns those without fault by name; only these can be mounted.
  static Map<String, Tree> validate(
      Tree spec, @Nullable Tree meta, FieldPath path, FieldErrors errors) {
    return new VolumeValidation(meta, errors).all(spec.trees("volumes"), path);
  }

  private Map<String, Tree> all(List<Tree> volumes, FieldPath path) {
    var created = claimsCreatedFor(volumes);
    var valid = new HashMap<String, Tree>();
    for (int i = 0; i < volumes.size(); i++) {
      var volume = volumes.get(i);
      var at = path.index(i);
      var name = volume.textOrEmpty("name");
      int before = errors.size();
      source(volume, name, at);
      if (Checks.required(at.child("name"), name, errors)) {
        Checks.dnsLabel(at.child("name"), name, errors);
      }
      if (valid.containsKey(name)) {
        errors.duplicate(at.child("name"), name);
      }
      if (errors.size() == before) {
        valid.put(name, volume);
      }
      var claim = volume.textOrEmpty("persistentVolumeClaim", "claimName");
      if (volume.has("persistentVolumeClaim") && created.contains(claim)) {
        errors.invalid(
            at.child("persistentVolumeClaim", "claimName"),
            claim,
            "must not reference a PVC that gets created for an ephemeral volume");
      }
    }
    return valid;
  }

  private Set<String> claimsCreatedFor(List<Tree> volumes) {
    var created = new HashSet<String>();
    var pod = meta == null ? "" : meta.textOrEmpty("name");
    if (!pod.isEmpty()) {
      for (var volume : volumes) {
        if (volume.has("ephemeral")) {
          created.add(pod + "-" + volume.textOrEmpty("name"));
        }
      }
    }
    return created;
  }

  private void source(Tree volume, String name, FieldPath path) {
    boolean found = false;
    var sources = new VolumeSources(errors);
    for (var kind : SOURCES) {
      if (volume.get(kind) instanceof Tree source) {
        if (found) {
          errors.forbidden(path.child(misspelt(kind)), "may not specify more than 1 volume type");
        } else {
          found = true;
          sources.validate(kind, source, path);
          if (kind.equals("ephemeral")) {
            claimName(name, path);
          }
        }
        if (kind.equals("iscsi")
            && source.has("initiatorName")
            && Names.bytes(name + ":" + source.textOrEmpty("targetPortal")) > 64) {
          errors.invalid(
              path.child("name"),
              name,
              "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
                  + " iscsi.initiatorName is specified.");
        }
      }
    }
    if (!found) {
      errors.required(path, "must specify a volume type");
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

  private void claimName(String volume, FieldPath path) {
    var pod = meta == null ? "" : meta.textOrEmpty("name");
    if (!pod.isEmpty() && !volume.isEmpty()) {
      var claim = pod + "-" + volume;
      for (var wrong : Names.dnsSubdomain(claim)) {
        errors.invalid(path.child("name"), volume, "PVC name \"" + claim + "\": " + wrong);
      }
    }
  }
}
