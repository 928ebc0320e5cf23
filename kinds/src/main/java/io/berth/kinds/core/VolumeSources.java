package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The rules of volume sources, of pods and of persistent volumes.
final class VolumeSources {

  static final String FILE_MODE = "must be a number between 0 and 0777 (octal), both inclusive";

  private static final List<String> HOST_PATH_TYPES =
      List.of(
          "",
          "BlockDevice",
          "CharDevice",
          "Directory",
          "DirectoryOrCreate",
          "File",
          "FileOrCreate",
          "Socket");

  private static final Pattern IQN =
      Pattern.compile("iqn\\.\\d{4}-\\d{2}\\.([a-z0-9-.]+)(:[^,;*&$|\\s]+)?");
  private static final Pattern EUI = Pattern.compile("eui\\.[0-9A-Fa-f]{16}");
  private static final Pattern NAA = Pattern.compile("naa\\.[0-9A-Fa-f]{32}");

  private final FieldErrors errors;
  private final ProjectedVolumes projected;
  private final String badIscsiName;

  VolumeSources(FieldErrors errors) {
    this(errors, "must be valid format starting with iqn, eui, or naa");
  }

  private VolumeSources(FieldErrors errors, String badIscsiName) {
    this.errors = errors;
    this.projected = new ProjectedVolumes(errors);
    this.badIscsiName = badIscsiName;
  }

  static VolumeSources ofPersistentVolume(FieldErrors errors) {
    return new VolumeSources(errors, "must be valid format");
  }

  /// `path` is that of the volume; the source stands below it.
  void validate(String kind, Tree source, FieldPath path) {
    var at = path.child(kind);
    switch (kind) {
      case "emptyDir" -> emptyDir(source, at);
      case "hostPath" -> hostPath(source, at);
      case "gitRepo" -> {
        required(source, at, "repository");
        Checks.descendingPath(at.child("directory"), source.textOrEmpty("directory"), errors);
      }
      case "gcePersistentDisk" -> disk(source, "pdName", path.child("persistentDisk"));
      case "awsElasticBlockStore" -> disk(source, "volumeID", at);
      case "secret" -> projected.keys(source, "secretName", at);
      case "configMap" -> projected.keys(source, "name", at);
      case "nfs" -> nfs(source, at);
      case "iscsi" -> iscsi(source, at);
      case "glusterfs" -> required(source, at, "endpoints", "path");
      case "flocker" -> flocker(source, at);
      case "persistentVolumeClaim" -> required(source, at, "claimName");
      case "rbd" -> {
        requiredList(source, at, "monitors");
        required(source, at, "image");
      }
      case "cinder" -> {
        required(source, at, "volumeID");
        secretName(source, at);
      }
      case "cephfs" -> requiredList(source, at, "monitors");
      case "quobyte" -> quobyte(source, at);
      case "downwardAPI" -> projected.downward(source, at);
      case "fc" -> fibreChannel(source, at);
      case "flexVolume" -> flexVolume(source, at);
      case "azureFile" -> required(source, at, "secretName", "shareName");
      case "vsphereVolume" -> required(source, at, "volumePath");
      case "photonPersistentDisk" -> required(source, at, "pdID");
      case "portworxVolume" -> required(source, at, "volumeID");
      case "azureDisk" -> azureDisk(source, at);
      case "storageos" -> storageOs(source, at);
      case "projected" -> projected.validate(source, at);
      case "scaleIO" -> required(source, at, "gateway", "system", "volumeName");
      case "csi" -> csi(source, at);
      case "ephemeral" -> ephemeral(source, at);
      case "image" -> {
        required(source, at, "reference");
        Checks.oneOf(
            at.child("pullPolicy"),
            source.textOrEmpty("pullPolicy"),
            List.of("Always", "IfNotPresent", "Never"),
            errors);
      }
      default -> throw new IllegalArgumentException("unknown volume source " + kind);
    }
  }

  private void required(Tree source, FieldPath path, String... fields) {
    for (var field : fields) {
      Checks.required(path.child(field), source.textOrEmpty(field), errors);
    }
  }

  private void requiredList(Tree source, FieldPath path, String field) {
    if (source.list(field).isEmpty()) {
      errors.required(path.child(field));
    }
  }

  private void secretName(Tree source, FieldPath path) {
    if (source.get("secretRef") instanceof Tree secret) {
      required(secret, path.child("secretRef"), "name");
    }
  }

  private void emptyDir(Tree source, FieldPath path) {
    if (source.has("sizeLimit")
        && ResourceList.quantity(source.get("sizeLimit")).amount().signum() < 0) {
      errors.forbidden(
          path.child("sizeLimit"), "SizeLimit field must be a valid resource quantity");
    }
  }

  private void hostPath(Tree source, FieldPath path) {
    if (Checks.required(path.child("path"), source.textOrEmpty("path"), errors)) {
      Checks.noBacksteps(path.child("path"), source.textOrEmpty("path"), errors);
      if (source.get("type") instanceof String type) {
        Checks.supported(path.child("type"), type, HOST_PATH_TYPES, errors);
      }
    }
  }

  private void disk(Tree source, String idField, FieldPath path) {
    required(source, path, idField);
    long partition = source.number(0, "partition");
    if (partition < 0 || partition > 255) {
      errors.invalid(path.child("partition"), partition, "must be between 1 and 255, inclusive");
    }
  }

  private void nfs(Tree source, FieldPath path) {
    required(source, path, "server", "path");
    if (!source.textOrEmpty("path").startsWith("/")) {
      errors.invalid(path.child("path"), source.textOrEmpty("path"), "must be an absolute path");
    }
  }

  void iscsi(Tree source, FieldPath path) {
    required(source, path, "targetPortal");
    var iqn = source.textOrEmpty("iqn");
    if (Checks.required(path.child("iqn"), iqn, errors)) {
      iscsiName(iqn, path.child("iqn"));
    }
    Checks.inRange(path.child("lun"), source.number(0, "lun"), 0, 255, errors);
    if ((source.flag("chapAuthDiscovery") || source.flag("chapAuthSession"))
        && source.tree("secretRef") == null) {
      errors.required(path.child("secretRef"));
    }
    if (source.get("initiatorName") instanceof String initiator) {
      iscsiName(initiator, path.child("initiatorname"));
    }
  }

  private void iscsiName(String name, FieldPath path) {
    if (!name.startsWith("iqn") && !name.startsWith("eui") && !name.startsWith("naa")) {
      errors.invalid(path, name, badIscsiName);
    } else if (!(name.startsWith("iqn") ? IQN : name.startsWith("eui") ? EUI : NAA)
        .matcher(name)
        .matches()) {
      errors.invalid(path, name, "must be valid format");
    }
  }

  private void flocker(Tree source, FieldPath path) {
    var name = source.textOrEmpty("datasetName");
    var uuid = source.textOrEmpty("datasetUUID");
    if (name.isEmpty() && uuid.isEmpty()) {
      errors.required(path, "one of datasetName and datasetUUID is required");
    }
    if (!name.isEmpty() && !uuid.isEmpty()) {
      errors.invalid(
          path, "resource", "datasetName and datasetUUID can not be specified simultaneously");
    }
    if (name.contains("/")) {
      errors.invalid(path.child("datasetName"), name, "must not contain '/'");
    }
  }

  private void quobyte(Tree source, FieldPath path) {
    var pairs = "must be a host:port pair or multiple pairs separated by commas";
    var registry = source.textOrEmpty("registry");
    if (registry.isEmpty()) {
      errors.required(path.child("registry"), pairs);
    } else if (Names.bytes(source.textOrEmpty("tenant")) >= 65) {
      errors.required(
          path.child("tenant"), "must be a UUID and may not exceed a length of 64 characters");
    } else {
      for (var pair : registry.split(",", -1)) {
        if (pair.indexOf(':') < 0 || pair.indexOf(':') != pair.lastIndexOf(':')) {
          errors.invalid(path.child("registry"), registry, pairs);
        }
      }
    }
    required(source, path, "volume");
  }

  private void fibreChannel(Tree source, FieldPath path) {
    var wwns = source.list("targetWWNs");
    var wwids = source.list("wwids");
    if (wwns.isEmpty() && wwids.isEmpty()) {
      errors.required(
          path.child("targetWWNs"), "must specify either targetWWNs or wwids, but not both");
    }
    if (!wwns.isEmpty() && !wwids.isEmpty()) {
      errors.invalid(
          path.child("targetWWNs"),
          wwns,
          "targetWWNs and wwids can not be specified simultaneously");
    }
    if (!wwns.isEmpty()) {
      if (source.get("lun") instanceof Long lun) {
        Checks.inRange(path.child("lun"), lun, 0, 255, errors);
      } else {
        errors.required(path.child("lun"), "lun is required if targetWWNs is specified");
      }
    }
  }

  private void flexVolume(Tree source, FieldPath path) {
    required(source, path, "driver");
    for (var option : source.texts("options").keySet()) {
      int slash = option.indexOf('/');
      var domain = "." + (slash < 0 ? option : option.substring(0, slash)).toLowerCase(Locale.ROOT);
      if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io")) {
        errors.invalid(
            path.child("options").key(option),
            option,
            "kubernetes.io and k8s.io namespaces are reserved");
      }
    }
  }

  private void azureDisk(Tree source, FieldPath path) {
    required(source, path, "diskName", "diskURI");
    if (source.get("cachingMode") instanceof String mode) {
      Checks.supported(
          path.child("cachingMode"), mode, List.of("None", "ReadOnly", "ReadWrite"), errors);
    }
    if (source.get("kind") instanceof String kind) {
      Checks.supported(path.child("kind"), kind, List.of("Dedicated", "Managed", "Shared"), errors);
      var uri = source.textOrEmpty("diskURI");
      boolean managed = kind.equals("Managed");
      if (!uri.startsWith(managed ? "/subscriptions/" : "https://")) {
        errors.notSupported(
            path.child("diskURI"),
            uri,
            List.of(
                managed
                    ? "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/"
                        + "microsoft.compute/disks/{disk-id}"
                    : "https://{account-name}.blob.core.windows.net/{container-name}/"
                        + "{disk-name}.vhd"));
      }
    }
  }

  private void storageOs(Tree source, FieldPath path) {
    var name = source.textOrEmpty("volumeName");
    if (Checks.required(path.child("volumeName"), name, errors)) {
      Checks.dnsLabel(path.child("volumeName"), name, errors);
    }
    var namespace = source.textOrEmpty("volumeNamespace");
    if (!namespace.isEmpty()) {
      Checks.dnsLabel(path.child("volumeNamespace"), namespace, errors);
    }
    secretName(source, path);
  }

  private void csi(Tree source, FieldPath path) {
    driverName(source.textOrEmpty("driver"), path.child("driver"));
    if (source.get("nodePublishSecretRef") instanceof Tree secret) {
      var name = secret.textOrEmpty("name");
      if (Checks.required(path.child("nodePublishSecretRef", "name"), name, errors)) {
        Checks.dnsSubdomain(path.child("name"), name, errors);
      }
    }
  }

  void driverName(String driver, FieldPath path) {
    if (Checks.required(path, driver, errors)) {
      if (Names.bytes(driver) > 63) {
        errors.tooLong(path, 63);
      }
      Checks.complaints(path, driver, Names.dnsSubdomain(driver.toLowerCase(Locale.ROOT)), errors);
    }
  }

  private void ephemeral(Tree source, FieldPath path) {
    if (source.get("volumeClaimTemplate") instanceof Tree template) {
      PersistentVolumeClaimValidation.template(template, path.child("volumeClaimTemplate"), errors);
    } else {
      errors.required(path.child("volumeClaimTemplate"));
    }
  }
}
