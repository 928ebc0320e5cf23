package io.berth.server.rest;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Document;
import io.berth.codec.SyntaxException;
import io.berth.codec.Yaml;
import io.berth.kinds.custom.CustomVersion;
import io.berth.schema.Decoded;
import io.berth.schema.FieldValidation;
import io.berth.schema.Types;
import io.berth.schema.patch.JsonPatch;
import io.berth.schema.patch.MergePatch;
import io.berth.schema.patch.Patched;
import io.berth.schema.patch.Patcher;
import io.berth.server.http.Call;
import io.berth.server.registry.Context;
import io.berth.server.registry.Outcome;
import io.berth.server.registry.Registry;
import io.berth.server.registry.Served;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The four kinds of PATCH, told apart by their content type.
final class Patches {

  private static final String KINDS =
      "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";

  private final Registry registry;
  private final Patcher patcher = new Patcher(Types.kubernetes());

  Patches(Registry registry) {
    this.registry = registry;
  }

  /// How a patch is written.
  enum Type {
    JSON,
    MERGE,
    STRATEGIC,
    APPLY
  }

  static Type type(Call call, Served served) {
    var type =
        switch (Bodies.mediaType(call)) {
          case "application/json-patch+json" -> Type.JSON;
          case "application/merge-patch+json" -> Type.MERGE;
          case "application/strategic-merge-patch+json" -> Type.STRATEGIC;
          case "application/apply-patch+yaml" -> Type.APPLY;
          default ->
              throw new ApiException(
                  415, "UnsupportedMediaType", "415: Unsupported Media Type", new Tree());
        };
    if (type == Type.STRATEGIC && served.isCustom()) {
      throw new ApiException(
          415,
          "UnsupportedMediaType",
          "the body of the request was in an unknown format - accepted media types include: "
              + KINDS);
    }
    return type;
  }

  /// Carries out a PATCH of an object or one of its doors.
  Outcome patch(Exchange exchange, Type type, Context context) {
    var served = exchange.served();
    var info = exchange.info();
    var body = exchange.call().body().read();
    return type == Type.APPLY
        ? registry.apply(
            served,
            info.subresource(),
            exchange.namespace(),
            info.name(),
            configuration(body, context),
            context)
        : registry.patch(
            served,
            info.subresource(),
            exchange.namespace(),
            info.name(),
            patched(type, body, served.custom(), context),
            context);
  }

  /// Carries out a PATCH of an object's `scale`.
  Outcome patchScale(Exchange exchange, Type type, Context context) {
    var served = exchange.served();
    var name = exchange.info().name();
    var body = exchange.call().body().read();
    return type == Type.APPLY
        ? registry.applyScale(
            served, exchange.namespace(), name, configuration(body, context), context)
        : registry.updateScale(
            served, exchange.namespace(), name, patched(type, body, null, context), context);
  }

  /// What is applied. The last of repeated fields counts, unless the client is strict.
  private static Tree configuration(byte[] body, Context context) {
    var document = document(body);
    if (!document.complaints().isEmpty()
        && context.options().fieldValidation() == FieldValidation.STRICT) {
      throw ApiException.badRequest(
          "error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n  "
              + String.join("\n  ", document.complaints()));
    }
    if (context.options().fieldValidation() == FieldValidation.WARN) {
      context.warnAll(document.complaints());
    }
    if (document.value() == null) {
      return new Tree();
    }
    if (document.value() instanceof Tree configuration) {
      return configuration;
    }
    throw ApiException.badRequest(
        "error decoding patch: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal"
            + " %s into Go value of type map[string]interface {}"
                .formatted(goKind(document.value())));
  }

  private static Document document(byte[] body) {
    try {
      return Yaml.readReporting(new String(body, StandardCharsets.UTF_8));
    } catch (SyntaxException e) {
      throw ApiException.badRequest(
          "error encoding patch: yaml: line %d: %s".formatted(e.line(), e.getMessage()));
    }
  }

  private static String goKind(Object value) {
    return switch (value) {
      case List<?> _ -> "array";
      case Boolean _ -> "bool";
      case Number _ -> "number";
      default -> "string";
    };
  }

  /// What the patch makes of an object of the type table or a custom one; warnings go to the
  /// context.
  private UnaryOperator<Tree> patched(
      Type type, byte[] body, @Nullable CustomVersion custom, Context context) {
    var validation = context.options().fieldValidation();
    return current -> {
      var decoded =
          custom == null
              ? patched(type, body, current, validation)
              : custom.objects().patched(customPatch(type, body, current), validation);
      context.warnAll(decoded.warnings());
      return decoded.tree();
    };
  }

  private Decoded patched(Type type, byte[] body, Tree current, FieldValidation validation) {
    return switch (type) {
      case JSON -> patcher.json(body, current, validation);
      case MERGE -> patcher.merge(body, current, validation);
      case STRATEGIC -> patcher.strategic(body, current, validation);
      case APPLY -> throw new IllegalArgumentException("applying is no patch of this kind");
    };
  }

  private static Patched customPatch(Type type, byte[] body, Tree current) {
    return switch (type) {
      case JSON -> JsonPatch.apply(body, current);
      case MERGE -> MergePatch.apply(body, current);
      case STRATEGIC, APPLY -> throw new IllegalArgumentException(type + " is no such patch");
    };
  }
}
