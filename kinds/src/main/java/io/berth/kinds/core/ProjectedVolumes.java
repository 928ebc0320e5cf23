package io.berth.kinds.core;

import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.LabelSelectors;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules of volumes whose files come from the API: secrets, config maps, the pod itself,
/// tokens, and mixtures of them.
///
/// Mirrors: core/validation.validateProjectedVolumeSource
final class ProjectedVolumes {

  private static final String[] SOURCES = {
    "secret",
    "configMap",
    "downwardAPI",
    "serviceAccountToken",
    "clusterTrustBundle",
    "podCertificate"
  };

  private static final List<String> FIELDS =
      List.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid");

  private static final List<String> KEY_TYPES =
      List.of("RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519");

  private static final long MIN_TOKEN_SECONDS = 600;
  private static final long MIN_CERTIFICATE_SECONDS = 3600;
  private static final long MAX_CERTIFICATE_SECONDS = 91L * 24 * 3600;
  private static final long MAX_KUBERNETES_CERTIFICATE_SECONDS = 24 * 3600;
  private static final long MAX_TOKEN_SECONDS = 1L << 32;

  private ProjectedVolumes() {}

  /// A secret or a config map as a volume.
  static void keys(Cursor source, String nameField) {
    source.require(nameField);
    mode(source.at("defaultMode"));
    source.each("items", ProjectedVolumes::item);
  }

  private static void item(Cursor item) {
    item.require("key", "path");
    Checks.nonReservedPath(item.at("path"));
    mode(item.at("mode"));
  }

  private static void mode(Cursor mode) {
    if (mode.number() < 0 || mode.number() > 0777) {
      mode.invalid(VolumeSources.FILE_MODE);
    }
  }

  static void downward(Cursor source) {
    mode(source.at("defaultMode"));
    source.each("items", file -> downwardFile(source.with(file.value())));
  }

  // As in Kubernetes, errors of a file do not say which one it is.
  private static void downwardFile(Cursor file) {
    file.require("path");
    Checks.nonReservedPath(file.at("path"));
    if (file.has("fieldRef")) {
      DownwardFields.field(file.at("fieldRef"), FIELDS);
      if (file.has("resourceFieldRef")) {
        file.invalid(
            "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
      }
    } else if (file.has("resourceFieldRef")) {
      DownwardFields.resource(file.at("resourceFieldRef"), true);
    } else {
      file.missing("one of fieldRef and resourceFieldRef is required");
    }
    mode(file.at("mode"));
  }

  static void validate(Cursor projected) {
    mode(projected.at("defaultMode"));
    var taken = new HashSet<String>();
    projected.each("sources", source -> source(source, projected, taken));
  }

  private static void source(Cursor source, Cursor projected, Set<String> taken) {
    int count = 0;
    for (var kind : source.fields(SOURCES)) {
      if (kind.isSet()) {
        count++;
        source(kind, kind.name(), projected, taken);
      }
    }
    if (count > 1) {
      source.forbidden("may not specify more than 1 volume type per source");
    }
  }

  private static void source(Cursor source, String kind, Cursor projected, Set<String> taken) {
    switch (kind) {
      case "downwardAPI" -> {
        for (var file : source.each("items")) {
          downwardFile(source.with(file.value()));
          take(file.text("path"), file.text("path"), projected, taken);
        }
      }
      case "serviceAccountToken" -> token(source, projected);
      case "clusterTrustBundle" -> trustBundle(source, projected, taken);
      case "podCertificate" -> certificate(source, projected, taken);
      default -> {
        source.require("name");
        for (var item : source.each("items")) {
          item(item);
          take(item.text("path"), source.text("name"), projected, taken);
        }
      }
    }
  }

  private static void take(String file, String shown, Cursor projected, Set<String> taken) {
    if (!file.isEmpty() && !taken.add(file)) {
      projected.invalid(shown, "conflicting duplicate paths");
    }
  }

  private static void token(Cursor token, Cursor projected) {
    var expiration = token.at("expirationSeconds").required();
    if (expiration.number() < MIN_TOKEN_SECONDS) {
      expiration.invalid("may not specify a duration less than 10 minutes");
    }
    if (expiration.number() > MAX_TOKEN_SECONDS) {
      expiration.invalid("may not specify a duration larger than 2^32 seconds");
    }
    // As in Kubernetes, which names the volume's path.
    Checks.nonReservedPath(projected.with(token.value()).at("path").required());
  }

  private static void trustBundle(Cursor bundle, Cursor projected, Set<String> taken) {
    var name = bundle.at("name");
    var signer = bundle.at("signerName");
    if (name.isSet() && signer.isSet()) {
      bundle.invalid("only one of name and signerName may be used");
    } else if (name.isSet()) {
      name.required("must be a valid object name");
      bundle
          .at("labelSelector")
          .ifSet()
          .invalid("labelSelector must be unset if name is specified");
    } else if (signer.isSet()) {
      signer.required("must be a valid signer name");
      LabelSelectors.validate(bundle.at("labelSelector"), false);
    } else {
      bundle.missing("either name or signerName must be specified");
    }
    bundle.require("path");
    Checks.nonReservedPath(bundle.at("path"));
    take(bundle.text("path"), bundle.text("path"), projected, taken);
  }

  private static void certificate(Cursor certificate, Cursor projected, Set<String> taken) {
    certificate.require("signerName");
    certificate.at("keyType").supported(KEY_TYPES);
    expiration(certificate.at("maxExpirationSeconds").ifSet(), certificate.text("signerName"));
    int paths = 0;
    for (var file : certificate.fields("credentialBundlePath", "keyPath", "certificateChainPath")) {
      if (!file.isEmpty()) {
        paths++;
        Checks.nonReservedPath(file);
        take(file.text(), file.text(), projected, taken);
      }
    }
    if (paths == 0) {
      certificate.missing(
          "specify at least one of credentialBundlePath, keyPath, and certificateChainPath");
    }
  }

  /// An hour at least; at most a day from Kubernetes' own signers, 91 days from others.
  private static void expiration(Cursor seconds, String signer) {
    if (seconds.number() < MIN_CERTIFICATE_SECONDS) {
      seconds.invalid(
          "if provided, maxExpirationSeconds must be >= %d".formatted(MIN_CERTIFICATE_SECONDS));
    }
    var host = signer.substring(0, Math.max(signer.indexOf('/'), 0));
    long most =
        host.equals("kubernetes.io") || host.endsWith(".kubernetes.io")
            ? MAX_KUBERNETES_CERTIFICATE_SECONDS
            : MAX_CERTIFICATE_SECONDS;
    if (seconds.number() > most) {
      seconds.invalid("if provided, maxExpirationSeconds must be <= %d".formatted(most));
    }
  }
}
