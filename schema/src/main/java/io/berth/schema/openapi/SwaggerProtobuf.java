package io.berth.schema.openapi;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.protobuf.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An OpenAPI v2 document in the protobuf form that kubectl reads (gnostic's `openapi_v2.proto`).
///
/// Only what [Swagger] makes is written. Field numbers stand beside their names; everything is
/// written backwards, as [WireWriter] wants it.
final class SwaggerProtobuf {

  private static final int MEGABYTE = 1 << 20;

  private final WireWriter wire = new WireWriter(MEGABYTE);

  private SwaggerProtobuf() {}

  static byte[] encode(Tree swagger) {
    var encoder = new SwaggerProtobuf();
    encoder.document(swagger);
    return encoder.wire.toBytes();
  }

  /// swagger 1, info 2, paths 8, definitions 9.
  private void document(Tree swagger) {
    message(9, () -> namedMessages(1, swagger.treeOrEmpty("definitions"), this::schema));
    message(8, () -> namedMessages(2, swagger.treeOrEmpty("paths"), this::pathItem));
    message(
        2,
        () -> {
          text(2, swagger.text("info", "version"));
          text(1, swagger.text("info", "title"));
        });
    text(1, swagger.text("swagger"));
  }

  /// get 2, put 3, post 4, delete 5, patch 8, parameters 9.
  private void pathItem(Tree item) {
    parameters(9, item);
    operation(8, item.tree("patch"));
    operation(5, item.tree("delete"));
    operation(4, item.tree("post"));
    operation(3, item.tree("put"));
    operation(2, item.tree("get"));
  }

  /// operation_id 5, produces 6, consumes 7, parameters 8, responses 9, vendor_extension 13.
  private void operation(int number, @Nullable Tree operation) {
    if (operation == null) {
      return;
    }
    message(
        number,
        () -> {
          extensions(13, operation);
          message(9, () -> namedMessages(1, operation.treeOrEmpty("responses"), this::response));
          parameters(8, operation);
          texts(7, operation.list("consumes"));
          texts(6, operation.list("produces"));
          text(5, operation.text("operationId"));
        });
  }

  /// ResponseValue: response 1, with description 1 and schema 2 (SchemaItem: schema 1).
  private void response(Tree response) {
    message(
        1,
        () -> {
          var schema = response.tree("schema");
          if (schema != null) {
            message(2, () -> message(1, () -> schema(schema)));
          }
          text(1, response.text("description"));
        });
  }

  private void parameters(int number, Tree holder) {
    var parameters = holder.trees("parameters");
    for (int i = parameters.size() - 1; i >= 0; i--) {
      var parameter = parameters.get(i);
      // ParametersItem: parameter 1; Parameter: body 1, others 2.
      message(
          number,
          () ->
              message(
                  1,
                  () -> {
                    if (parameter.textOrEmpty("in").equals("body")) {
                      message(1, () -> bodyParameter(parameter));
                    } else {
                      message(2, () -> plainParameter(parameter));
                    }
                  }));
    }
  }

  /// name 2, in 3, required 4, schema 5.
  private void bodyParameter(Tree parameter) {
    message(5, () -> schema(parameter.treeOrEmpty("schema")));
    flag(4, parameter.flag("required"));
    text(3, "body");
    text(2, parameter.text("name"));
  }

  /// query 3: required 1, in 2, name 4, type 6; path 4: required 1, in 2, name 4, type 5.
  private void plainParameter(Tree parameter) {
    boolean path = parameter.textOrEmpty("in").equals("path");
    message(
        path ? 4 : 3,
        () -> {
          text(path ? 5 : 6, parameter.text("type"));
          text(4, parameter.text("name"));
          text(2, parameter.text("in"));
          flag(1, path);
        });
  }

  /// _ref 1, format 2, description 4, default 5, required 19, enum 20, additional_properties 21,
  /// type 22, items 23, properties 25, vendor_extension 31. Limits of custom resources are left
  /// out: nobody reads them from v2.
  private void schema(Tree schema) {
    extensions(31, schema);
    var properties = schema.treeOrEmpty("properties");
    if (!properties.isEmpty()) {
      message(25, () -> namedMessages(1, properties, this::schema));
    }
    var items = schema.tree("items");
    if (items != null) {
      message(23, () -> message(1, () -> schema(items)));
    }
    var type = schema.text("type");
    if (type != null) {
      message(22, () -> text(1, type));
    }
    additionalProperties(schema.get("additionalProperties"));
    for (var value : reversed(schema.list("enum"))) {
      any(20, value);
    }
    texts(19, schema.list("required"));
    if (schema.has("default")) {
      any(5, schema.get("default"));
    }
    text(4, schema.text("description"));
    text(2, schema.text("format"));
    text(1, schema.text("$ref"));
  }

  /// AdditionalPropertiesItem: schema 1 or boolean 2.
  private void additionalProperties(@Nullable Object value) {
    if (value instanceof Tree schema) {
      message(21, () -> message(1, () -> schema(schema)));
    } else if (value instanceof Boolean allowed) {
      message(21, () -> flag(2, allowed));
    }
  }

  /// NamedAny: name 1, value 2.
  private void extensions(int number, Tree holder) {
    var names = new ArrayList<>(holder.names());
    for (var name : names.reversed()) {
      if (name.startsWith("x-")) {
        message(
            number,
            () -> {
              any(2, holder.get(name));
              text(1, name);
            });
      }
    }
  }

  /// Any: yaml 2; JSON is YAML.
  private void any(int number, @Nullable Object value) {
    message(number, () -> text(2, Json.text(value) + "\n"));
  }

  /// A list of messages with name 1 and value 2.
  private void namedMessages(int number, Tree entries, Writer writer) {
    List<Map.Entry<String, @Nullable Object>> list = new ArrayList<>(entries.fields().entrySet());
    for (var entry : list.reversed()) {
      message(
          number,
          () -> {
            message(2, () -> writer.write((Tree) Objects.requireNonNull(entry.getValue())));
            text(1, entry.getKey());
          });
    }
  }

  private interface Writer {
    void write(Tree value);
  }

  private void message(int number, Runnable content) {
    int mark = wire.mark();
    content.run();
    wire.close(number, mark);
  }

  private void text(int number, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      wire.text(number, value);
    }
  }

  private void texts(int number, List<@Nullable Object> values) {
    for (var value : reversed(values)) {
      wire.text(number, String.valueOf(value));
    }
  }

  private void flag(int number, boolean value) {
    if (value) {
      wire.number(number, 1);
    }
  }

  private static List<@Nullable Object> reversed(List<@Nullable Object> values) {
    return values.reversed();
  }
}
