package io.berth.kinds.core;

import io.berth.api.ResourceList;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The rules of volume sources, of pods and of persistent volumes.
///
/// Mirrors: core/validation.validateVolumeSource
final class VolumeSources {

  static final String FILE_MODE = "must be a number between 0 and 0777 (octal), both inclusive";

  private static final Pattern IQN =
      Pattern.compile("iqn\\.\\d{4}-\\d{2}\\.([a-z0-9-.]+)(:[^,;*&$|\\s]+)?");
  private static final Pattern EUI = Pattern.compile("eui\\.[0-9A-Fa-f]{16}");
  private static final Pattern NAA = Pattern.compile("naa\\.[0-9A-Fa-f]{32}");

  static final VolumeSources OF_PODS =
      new VolumeSources("must be valid format starting with iqn, eui, or naa");
  static final VolumeSources OF_PERSISTENT_VOLUMES = new VolumeSources("must be valid format");

  private final String badIscsiName;

  private VolumeSources(String badIscsiName) {
    this.badIscsiName = badIscsiName;
  }

  /// Checks the source that stands in the field `kind` of the volume.
  void validate(Cursor volume, String kind) {
    var source = volume.at(kind);
    switch (kind) {
      case "emptyDir" -> emptyDir(source.at("sizeLimit").ifSet());
      case "hostPath" -> hostPath(source);
      case "gitRepo" -> {
        source.require("repository");
        Checks.descendingPath(source.at("directory"));
      }
      case "gcePersistentDisk" -> disk(volume.at("persistentDisk").with(source.value()), "pdName");
      case "awsElasticBlockStore" -> disk(source, "volumeID");
      case "secret" -> ProjectedVolumes.keys(source, "secretName");
      case "configMap" -> ProjectedVolumes.keys(source, "name");
      case "nfs" -> nfs(source);
      case "iscsi" -> iscsi(source);
      case "glusterfs" -> source.require("endpoints", "path");
      case "flocker" -> flocker(source);
      case "persistentVolumeClaim" -> source.require("claimName");
      case "rbd" -> source.require("monitors", "image");
      case "cinder" -> {
        source.require("volumeID");
        secretName(source);
      }
      case "cephfs" -> source.require("monitors");
      case "quobyte" -> quobyte(source);
      case "downwardAPI" -> ProjectedVolumes.downward(source);
      case "fc" -> fibreChannel(source);
      case "flexVolume" -> flexVolume(source);
      case "azureFile" -> source.require("secretName", "shareName");
      case "vsphereVolume" -> source.require("volumePath");
      case "photonPersistentDisk" -> source.require("pdID");
      case "portworxVolume" -> source.require("volumeID");
      case "azureDisk" -> azureDisk(source);
      case "storageos" -> storageOs(source);
      case "projected" -> ProjectedVolumes.validate(source);
      case "scaleIO" -> source.require("gateway", "system", "volumeName");
      case "csi" -> csi(source);
      case "ephemeral" ->
          source
              .at("volumeClaimTemplate")
              .required()
              .ifSet(PersistentVolumeClaimValidation::template);
      case "image" -> {
        source.require("reference");
        source.at("pullPolicy").oneOf();
      }
      default -> throw new IllegalArgumentException("unknown volume source " + kind);
    }
  }

  private static void secretName(Cursor source) {
    source.at("secretRef").ifSet().require("name");
  }

  private static void emptyDir(Cursor limit) {
    if (ResourceList.quantity(limit.value()).amount().signum() < 0) {
      limit.forbidden("SizeLimit field must be a valid resource quantity");
    }
  }

  private static void hostPath(Cursor source) {
    var path = source.at("path").required();
    Checks.noBacksteps(path);
    if (path.isSet()) {
      source.at("type").ifSet().supported();
    }
  }

  private static void disk(Cursor source, String idField) {
    source.require(idField);
    var partition = source.at("partition");
    if (partition.number() < 0 || partition.number() > 255) {
      partition.invalid("must be between 1 and 255, inclusive");
    }
  }

  private static void nfs(Cursor source) {
    source.require("server", "path");
    if (!source.text("path").startsWith("/")) {
      source.at("path").invalidText("must be an absolute path");
    }
  }

  void iscsi(Cursor source) {
    source.require("targetPortal");
    iscsiName(source.at("iqn").required());
    source.at("lun").inRange(0, 255);
    if ((source.flag("chapAuthDiscovery") || source.flag("chapAuthSession"))
        && !source.has("secretRef")) {
      source.at("secretRef").missing();
    }
    iscsiName(source.at("initiatorname").with(source.at("initiatorName").value()).ifSet());
  }

  private void iscsiName(Cursor field) {
    var name = field.text();
    if (!name.startsWith("iqn") && !name.startsWith("eui") && !name.startsWith("naa")) {
      field.invalid(badIscsiName);
    } else if (!(name.startsWith("iqn") ? IQN : name.startsWith("eui") ? EUI : NAA)
        .matcher(name)
        .matches()) {
      field.invalid("must be valid format");
    }
  }

  private static void flocker(Cursor source) {
    var name = source.at("datasetName");
    var uuid = source.at("datasetUUID");
    if (name.isEmpty() && uuid.isEmpty()) {
      source.missing("one of datasetName and datasetUUID is required");
    }
    if (!name.isEmpty() && !uuid.isEmpty()) {
      source.invalid("resource", "datasetName and datasetUUID can not be specified simultaneously");
    }
    if (name.text().contains("/")) {
      name.invalid("must not contain '/'");
    }
  }

  private static void quobyte(Cursor source) {
    var pairs = "must be a host:port pair or multiple pairs separated by commas";
    var registry = source.at("registry").required(pairs);
    if (registry.isSet() && Names.bytes(source.text("tenant")) >= 65) {
      source.at("tenant").missing("must be a UUID and may not exceed a length of 64 characters");
    } else {
      for (var pair : registry.text().split(",", -1)) {
        if (pair.indexOf(':') < 0 || pair.indexOf(':') != pair.lastIndexOf(':')) {
          registry.invalid(pairs);
        }
      }
    }
    source.require("volume");
  }

  private static void fibreChannel(Cursor source) {
    var wwns = source.at("targetWWNs");
    boolean identified = !source.at("wwids").isEmpty();
    if (wwns.isEmpty() && !identified) {
      wwns.missing("must specify either targetWWNs or wwids, but not both");
    }
    if (!wwns.isEmpty() && identified) {
      wwns.invalid("targetWWNs and wwids can not be specified simultaneously");
    }
    if (!wwns.isEmpty()) {
      source.at("lun").required("lun is required if targetWWNs is specified").inRange(0, 255);
    }
  }

  private static void flexVolume(Cursor source) {
    source.require("driver");
    for (var option : source.at("options").texts().keySet()) {
      int slash = option.indexOf('/');
      var domain = "." + (slash < 0 ? option : option.substring(0, slash)).toLowerCase(Locale.ROOT);
      if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io")) {
        source
            .at("options")
            .key(option)
            .invalid(option, "kubernetes.io and k8s.io namespaces are reserved");
      }
    }
  }

  private static void azureDisk(Cursor source) {
    source.require("diskName", "diskURI");
    source.at("cachingMode").ifSet().supported();
    var kind = source.at("kind").ifSet().supported();
    boolean managed = kind.is("Managed");
    if (kind.isSet()
        && !source.text("diskURI").startsWith(managed ? "/subscriptions/" : "https://")) {
      source
          .at("diskURI")
          .notSupported(
              List.of(
                  managed
                      ? "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/"
                          + "microsoft.compute/disks/{disk-id}"
                      : "https://{account-name}.blob.core.windows.net/{container-name}/"
                          + "{disk-name}.vhd"));
    }
  }

  private static void storageOs(Cursor source) {
    source.at("volumeName").required().follows(Names::dnsLabel);
    source.at("volumeNamespace").ifFilled().follows(Names::dnsLabel);
    secretName(source);
  }

  private static void csi(Cursor source) {
    driverName(source.at("driver"));
    var secret = source.at("nodePublishSecretRef").ifSet().at("name").required();
    if (secret.isSet()) {
      source.at("name").with(secret.value()).follows(Names::dnsSubdomain);
    }
  }

  static void driverName(Cursor driver) {
    driver
        .required()
        .atMostBytes(63)
        .follows(name -> Names.dnsSubdomain(name.toLowerCase(Locale.ROOT)));
  }
}
