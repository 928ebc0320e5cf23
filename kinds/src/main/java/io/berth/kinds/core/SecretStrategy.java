package io.berth.kinds.core;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Secrets: bytes by key, with keys that must be there for the types Kubernetes knows.
///
/// Mirrors: registry/core/secret.strategy, core/validation.ValidateSecret
public final class SecretStrategy extends PlainStrategy {

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
  public void validateCreate(Cursor secret) {
    super.validateCreate(secret);
    var data = secret.at("data");
    long size = 0;
    for (var entry : data.entries()) {
      entry.with(entry.name()).follows(Names::configMapKey);
      size += decodedLength(entry.text());
    }
    if (size > ConfigMapStrategy.MAX_BYTES) {
      data.tooLong(ConfigMapStrategy.MAX_BYTES);
    }
    switch (secret.text("type")) {
      case "kubernetes.io/service-account-token" ->
          secret.at("metadata", "annotations").key("kubernetes.io/service-account.name").required();
      case "kubernetes.io/dockercfg" -> json(data.key(".dockercfg"));
      case "kubernetes.io/dockerconfigjson" -> json(data.key(".dockerconfigjson"));
      case "kubernetes.io/basic-auth" -> {
        if (!data.has("username") && !data.has("password")) {
          data.key("username").missing();
          data.key("password").missing();
        }
      }
      case "kubernetes.io/ssh-auth" -> data.key("ssh-privatekey").required();
      case "kubernetes.io/tls" -> {
        for (var key : List.of("tls.crt", "tls.key")) {
          if (!data.has(key)) {
            data.key(key).missing();
          }
        }
      }
      default -> {}
    }
  }

  private static void json(Cursor entry) {
    if (!entry.isSet()) {
      entry.missing();
      return;
    }
    var complaint = complaint(entry.text());
    if (!complaint.isEmpty()) {
      entry.invalid("<secret contents redacted>", complaint);
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
  public void validateUpdate(Cursor secret, Tree old) {
    ObjectMeta.validateUpdate(secret, old);
    ConfigMapStrategy.keepImmutable(secret, old, "data");
    validateCreate(secret);
    secret.at("type").with(secret.text("type")).immutable(old.textOrEmpty("type"));
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
