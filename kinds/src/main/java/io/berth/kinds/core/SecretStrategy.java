package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Secrets: bytes by key, with keys that must be there for the types Kubernetes knows.
public final class SecretStrategy extends PlainStrategy {

  private static final FieldPath DATA = FieldPath.of("data");

  public SecretStrategy() {
    super(Resource.SECRETS);
  }

  @Override
  public void setDefaults(Tree secret) {
    var texts = secret.texts("stringData");
    if (!texts.isEmpty()) {
      var data = secret.child("data");
      texts.forEach((key, value) ->
          data.put(
              key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
    }
    secret.remove("stringData");
    PodSpecDefaults.text(secret, "type", "Opaque");
  }

  @Override
  public void validateCreate(Tree secret, FieldErrors errors) {
    super.validateCreate(secret, errors);
    var data = secret.texts("data");
    long size = 0;
    for (var entry : data.entrySet()) {
      var key = entry.getKey();
      Checks.complaints(DATA.key(key), key, Names.configMapKey(key), errors);
      size += decodedLength(entry.getValue());
    }
    if (size > ConfigMapStrategy.MAX_BYTES) {
      errors.tooLong(DATA, ConfigMapStrategy.MAX_BYTES);
    }
    switch (secret.textOrEmpty("type")) {
      case "kubernetes.io/service-account-token" -> {
        var key = "kubernetes.io/service-account.name";
        if (secret.texts("metadata", "annotations").getOrDefault(key, "").isEmpty()) {
          errors.required(ObjectMeta.PATH.child("annotations").key(key));
        }
      }
      case "kubernetes.io/dockercfg" -> json(data.get(".dockercfg"), ".dockercfg", errors);
      case "kubernetes.io/dockerconfigjson" ->
          json(data.get(".dockerconfigjson"), ".dockerconfigjson", errors);
      case "kubernetes.io/basic-auth" -> {
        if (!data.containsKey("username") && !data.containsKey("password")) {
          errors.required(DATA.key("username"));
          errors.required(DATA.key("password"));
        }
      }
      case "kubernetes.io/ssh-auth" -> {
        if (data.getOrDefault("ssh-privatekey", "").isEmpty()) {
          errors.required(DATA.key("ssh-privatekey"));
        }
      }
      case "kubernetes.io/tls" -> {
        for (var key : List.of("tls.crt", "tls.key")) {
          if (!data.containsKey(key)) {
            errors.required(DATA.key(key));
          }
        }
      }
      default -> {}
    }
  }

  private static void json(@Nullable String encoded, String key, FieldErrors errors) {
    if (encoded == null) {
      errors.required(DATA.key(key));
      return;
    }
    var complaint = complaint(encoded);
    if (!complaint.isEmpty()) {
      errors.invalid(DATA.key(key), "<secret contents redacted>", complaint);
    }
  }

  private static String complaint(String encoded) {
    try {
      return EmbeddedJson.object(Base64.getDecoder().decode(encoded)).complaint();
    } catch (IllegalArgumentException e) {
      return "unexpected end of JSON input";
    }
  }

  /// How many bytes a base64 text stands for.
  static int decodedLength(String encoded) {
    int padding = encoded.endsWith("==") ? 2 : encoded.endsWith("=") ? 1 : 0;
    return encoded.length() / 4 * 3 - padding;
  }

  @Override
  public void prepareForUpdate(Tree secret, Tree old, Write write) {
    if (secret.textOrEmpty("type").isEmpty()) {
      Fields.keep(secret, old, "type");
    }
  }

  @Override
  public void validateUpdate(Tree secret, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(secret, old, errors);
    if (old.flag("immutable")) {
      if (!secret.flag("immutable")) {
        errors.forbidden(FieldPath.of("immutable"), ConfigMapStrategy.IMMUTABLE);
      }
      if (Fields.differs(secret, old, "data")) {
        errors.forbidden(DATA, ConfigMapStrategy.IMMUTABLE);
      }
    }
    validateCreate(secret, errors);
    Checks.immutable(
        FieldPath.of("type"), secret.textOrEmpty("type"), old.textOrEmpty("type"), errors);
  }

  @Override
  public List<@Nullable Object> cells(Tree secret, Instant now) {
    return Cells.row(
        Cells.name(secret),
        secret.textOrEmpty("type"),
        secret.treeOrEmpty("data").size(),
        Cells.age(secret, now));
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("type");
  }
}
