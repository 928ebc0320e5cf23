package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.LabelSelectors;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules of volumes whose files come from the API: secrets, config maps, the pod itself,
/// tokens, and mixtures of them.
final class ProjectedVolumes {

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

  private final FieldErrors errors;
  private final DownwardFields downward;

  ProjectedVolumes(FieldErrors errors) {
    this.errors = errors;
    this.downward = new DownwardFields(errors);
  }

  /// A secret or a config map as a volume.
  void keys(Tree source, String nameField, FieldPath path) {
    Checks.required(path.child(nameField), source.textOrEmpty(nameField), errors);
    mode(source, "defaultMode", path);
    items(source, path);
  }

  private void items(Tree source, FieldPath path) {
    var items = source.trees("items");
    for (int i = 0; i < items.size(); i++) {
      item(items.get(i), path.child("items").index(i));
    }
  }

  private void item(Tree item, FieldPath path) {
    Checks.required(path.child("key"), item.textOrEmpty("key"), errors);
    Checks.required(path.child("path"), item.textOrEmpty("path"), errors);
    Checks.nonReservedPath(path.child("path"), item.textOrEmpty("path"), errors);
    mode(item, "mode", path);
  }

  private void mode(Tree tree, String field, FieldPath path) {
    if (tree.get(field) instanceof Long mode && (mode < 0 || mode > 0777)) {
      errors.invalid(path.child(field), mode, VolumeSources.FILE_MODE);
    }
  }

  void downward(Tree source, FieldPath path) {
    mode(source, "defaultMode", path);
    source.trees("items").forEach(file -> downwardFile(file, path));
  }

  // As in Kubernetes, errors of a file do not say which one it is.
  private void downwardFile(Tree file, FieldPath path) {
    Checks.required(path.child("path"), file.textOrEmpty("path"), errors);
    Checks.nonReservedPath(path.child("path"), file.textOrEmpty("path"), errors);
    if (file.get("fieldRef") instanceof Tree field) {
      downward.field(field, FIELDS, path.child("fieldRef"));
      if (file.has("resourceFieldRef")) {
        errors.invalid(
            path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
      }
    } else if (file.get("resourceFieldRef") instanceof Tree resource) {
      downward.resource(resource, true, path.child("resourceFieldRef"));
    } else {
      errors.required(path, "one of fieldRef and resourceFieldRef is required");
    }
    mode(file, "mode", path);
  }

  void validate(Tree projected, FieldPath path) {
    mode(projected, "defaultMode", path);
    var taken = new HashSet<String>();
    var sources = projected.trees("sources");
    for (int i = 0; i < sources.size(); i++) {
      source(sources.get(i), taken, path, path.child("sources").index(i));
    }
  }

  private void source(Tree source, Set<String> taken, FieldPath path, FieldPath at) {
    int count = 0;
    for (var kind : List.of("secret", "configMap")) {
      if (source.get(kind) instanceof Tree keys) {
        count++;
        projectedKeys(keys, taken, path, at.child(kind));
      }
    }
    if (source.get("downwardAPI") instanceof Tree files) {
      count++;
      for (var file : files.trees("items")) {
        downwardFile(file, at.child("downwardAPI"));
        take(file.textOrEmpty("path"), file.textOrEmpty("path"), taken, path);
      }
    }
    if (source.get("serviceAccountToken") instanceof Tree token) {
      count++;
      token(token, path, at.child("serviceAccountToken"));
    }
    if (source.get("clusterTrustBundle") instanceof Tree bundle) {
      count++;
      trustBundle(bundle, taken, path, at.child("clusterTrustBundle"));
    }
    if (source.get("podCertificate") instanceof Tree certificate) {
      count++;
      certificate(certificate, taken, path, at.child("podCertificate"));
    }
    if (count > 1) {
      errors.forbidden(at, "may not specify more than 1 volume type per source");
    }
  }

  private void projectedKeys(Tree keys, Set<String> taken, FieldPath path, FieldPath at) {
    var name = keys.textOrEmpty("name");
    Checks.required(at.child("name"), name, errors);
    var items = keys.trees("items");
    for (int i = 0; i < items.size(); i++) {
      item(items.get(i), at.child("items").index(i));
      take(items.get(i).textOrEmpty("path"), name, taken, path);
    }
  }

  private void take(String file, String shown, Set<String> taken, FieldPath path) {
    if (!file.isEmpty() && !taken.add(file)) {
      errors.invalid(path, shown, "conflicting duplicate paths");
    }
  }

  private void token(Tree token, FieldPath path, FieldPath at) {
    if (token.get("expirationSeconds") instanceof Long seconds) {
      if (seconds < MIN_TOKEN_SECONDS) {
        errors.invalid(
            at.child("expirationSeconds"),
            seconds,
            "may not specify a duration less than 10 minutes");
      }
      if (seconds > MAX_TOKEN_SECONDS) {
        errors.invalid(
            at.child("expirationSeconds"),
            seconds,
            "may not specify a duration larger than 2^32 seconds");
      }
    } else {
      errors.required(at.child("expirationSeconds"));
    }
    if (Checks.required(path.child("path"), token.textOrEmpty("path"), errors)) {
      Checks.nonReservedPath(path.child("path"), token.textOrEmpty("path"), errors);
    }
  }

  private void trustBundle(Tree bundle, Set<String> taken, FieldPath path, FieldPath at) {
    var name = bundle.text("name");
    var signer = bundle.text("signerName");
    if (name != null && signer != null) {
      errors.invalid(at, bundle, "only one of name and signerName may be used");
    } else if (name != null) {
      if (name.isEmpty()) {
        errors.required(at.child("name"), "must be a valid object name");
      }
      if (bundle.get("labelSelector") instanceof Tree selector) {
        errors.invalid(
            at.child("labelSelector"),
            selector,
            "labelSelector must be unset if name is specified");
      }
    } else if (signer != null) {
      if (signer.isEmpty()) {
        errors.required(at.child("signerName"), "must be a valid signer name");
      }
      LabelSelectors.validate(
          bundle.tree("labelSelector"), false, at.child("labelSelector"), errors);
    } else {
      errors.required(at, "either name or signerName must be specified");
    }
    var file = bundle.textOrEmpty("path");
    Checks.required(at.child("path"), file, errors);
    Checks.nonReservedPath(at.child("path"), file, errors);
    take(file, file, taken, path);
  }

  private void certificate(Tree certificate, Set<String> taken, FieldPath path, FieldPath at) {
    Checks.required(at.child("signerName"), certificate.textOrEmpty("signerName"), errors);
    Checks.supported(at.child("keyType"), certificate.textOrEmpty("keyType"), KEY_TYPES, errors);
    if (certificate.get("maxExpirationSeconds") instanceof Long seconds) {
      expiration(seconds, certificate.textOrEmpty("signerName"), at.child("maxExpirationSeconds"));
    }
    int paths = 0;
    for (var field : List.of("credentialBundlePath", "keyPath", "certificateChainPath")) {
      var file = certificate.textOrEmpty(field);
      if (!file.isEmpty()) {
        paths++;
        Checks.nonReservedPath(at.child(field), file, errors);
        take(file, file, taken, path);
      }
    }
    if (paths == 0) {
      errors.required(
          at, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath");
    }
  }

  /// An hour at least; at most a day from Kubernetes' own signers, 91 days from others.
  private void expiration(long seconds, String signer, FieldPath at) {
    if (seconds < MIN_CERTIFICATE_SECONDS) {
      errors.invalid(
          at,
          seconds,
          "if provided, maxExpirationSeconds must be >= %d".formatted(MIN_CERTIFICATE_SECONDS));
    }
    var host = signer.substring(0, Math.max(signer.indexOf('/'), 0));
    long most =
        host.equals("kubernetes.io") || host.endsWith(".kubernetes.io")
            ? MAX_KUBERNETES_CERTIFICATE_SECONDS
            : MAX_CERTIFICATE_SECONDS;
    if (seconds > most) {
      errors.invalid(
          at, seconds, "if provided, maxExpirationSeconds must be <= %d".formatted(most));
    }
  }
}
