package io.berth.schema.protobuf;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.Field;
import io.berth.schema.Scalar;
import io.berth.schema.Shape;
import io.berth.schema.Times;
import io.berth.schema.Type;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Writes a tree as a message of a [Type], backwards. What the tree does not hold is not written.
final class MessageWriter {

  private static final int MOST_KEPT = 4 << 10;

  private static final AtomicReferenceArray<@Nullable Written> WRITTEN =
      new AtomicReferenceArray<>(1 << 6);

  private final WireWriter wire;

  MessageWriter(WireWriter wire) {
    this.wire = wire;
  }

  void write(Type type, Tree tree) {
    var fields = type.declared();
    for (int i = fields.size() - 1; i >= 0; i--) {
      var field = fields.get(i);
      if (field.inline()) {
        writeInlined(field, tree);
      } else {
        var value = tree.get(field.name());
        if (value != null) {
          writeField(field, value);
        }
      }
    }
  }

  private void writeInlined(Field field, Tree tree) {
    int mark = wire.mark();
    write(field.type(), tree);
    wire.close(field.number(), mark);
  }

  private void writeField(Field field, Object value) {
    switch (field.shape()) {
      case ONE -> writeValue(field, field.number(), value);
      case LIST -> {
        if (value instanceof List<?> list) {
          for (int i = list.size() - 1; i >= 0; i--) {
            writeValue(field, field.number(), list.get(i));
          }
        }
      }
      case MAP, MAP_OF_LISTS -> {
        if (value instanceof Tree map) {
          for (var entry : map.fields().entrySet()) {
            writeEntry(field, entry);
          }
        }
      }
    }
  }

  private void writeEntry(Field field, Map.Entry<String, @Nullable Object> entry) {
    int mark = wire.mark();
    if (field.shape() == Shape.MAP_OF_LISTS) {
      writeTexts(entry.getValue());
    } else if (entry.getValue() != null) {
      writeValue(field, 2, entry.getValue());
    }
    wire.text(1, entry.getKey());
    wire.close(field.number(), mark);
  }

  private void writeTexts(@Nullable Object value) {
    int mark = wire.mark();
    if (value instanceof List<?> list) {
      for (int i = list.size() - 1; i >= 0; i--) {
        wire.text(1, String.valueOf(list.get(i)));
      }
    }
    wire.close(2, mark);
  }

  private void writeValue(Field field, int number, @Nullable Object value) {
    switch (field.scalar()) {
      case STRING -> wire.text(number, String.valueOf(value));
      case BOOL -> wire.number(number, Boolean.TRUE.equals(value) ? 1 : 0);
      case INT32, INT64 -> wire.number(number, value instanceof Number n ? n.longValue() : 0);
      case DOUBLE -> wire.real(number, value instanceof Number n ? n.doubleValue() : 0);
      case BYTES -> wire.delimited(number, Base64.getDecoder().decode(String.valueOf(value)));
      case QUANTITY, INT_OR_STRING, TIME, MICRO_TIME, JSON, RAW_EXTENSION, FIELDS_V1, MESSAGE -> {
        int mark = wire.mark();
        writeMessage(field, value);
        wire.close(number, mark);
      }
    }
  }

  private void writeMessage(Field field, @Nullable Object value) {
    switch (field.scalar()) {
      case QUANTITY -> wire.text(1, String.valueOf(value));
      case INT_OR_STRING -> writeIntOrString(value);
      case TIME, MICRO_TIME -> {
        if (value instanceof String text) {
          writeTime(text);
        }
      }
      case JSON, RAW_EXTENSION, FIELDS_V1 -> wire.delimited(1, json(value));
      case MESSAGE -> {
        if (field.type().isUnion()) {
          writeUnion(field.type(), value);
        } else if (value instanceof Tree tree) {
          write(field.type(), tree);
        }
      }
      case STRING, BOOL, INT32, INT64, DOUBLE, BYTES ->
          throw new IllegalStateException(field + " is not a message");
    }
  }

  /// The owned fields of a thousand replicas are one tree, and written once.
  @SuppressWarnings("ReferenceEquality")
  private static byte[] json(@Nullable Object value) {
    if (!(value instanceof Tree tree) || !tree.isFrozen() || tree.jsonSize() > MOST_KEPT) {
      return Json.write(value);
    }
    int place = tree.hashCode() & WRITTEN.length() - 1;
    var known = WRITTEN.get(place);
    if (known == null || known.tree != tree) {
      known = new Written(tree, Json.write(tree));
      WRITTEN.set(place, known);
    }
    return known.json;
  }

  private void writeIntOrString(@Nullable Object value) {
    if (value instanceof String text) {
      wire.text(3, text);
      wire.number(1, 1);
    } else if (value instanceof Number number) {
      wire.number(2, number.longValue());
    }
  }

  private void writeTime(String text) {
    var instant = Times.instant(text);
    long seconds = instant.getEpochSecond();
    int nanos = instant.getNano();
    if (nanos != 0) {
      wire.number(2, nanos);
    }
    wire.number(1, seconds);
  }

  private void writeUnion(Type type, @Nullable Object value) {
    for (var form : type.declared()) {
      boolean list = form.shape() == Shape.LIST && value instanceof List;
      boolean flag = form.scalar() == Scalar.BOOL && value instanceof Boolean;
      boolean object =
          form.shape() == Shape.ONE && form.scalar() == Scalar.MESSAGE && value instanceof Tree;
      if (value != null && (list || flag || object)) {
        writeField(form, value);
      }
    }
    // As in Kubernetes, a schema allows what it describes.
    if (value instanceof Tree && type.declared().getFirst().scalar() == Scalar.BOOL) {
      wire.number(1, 1);
    }
  }

  private record Written(Tree tree, byte[] json) {}
}
