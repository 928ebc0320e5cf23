package io.berth.schema.protobuf;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.schema.DecodingException;
import io.berth.schema.Field;
import io.berth.schema.Scalar;
import io.berth.schema.Shape;
import io.berth.schema.Times;
import io.berth.schema.Type;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads one message of a [Type] into a tree that has the fields JSON would have.
///
/// Of a request, zero values are kept as they come; the canonical form decides which of them mean
/// "not set". Of an answer, which has been canonical before, those that JSON would leave out are
/// left out, and whatever the reader was told not to read.
///
/// Depth and the number of messages are bounded, so that a small body cannot become a large tree.
final class MessageReader {

  private static final int MAX_DEPTH = 200;
  private static final int MAX_MESSAGES = 500_000;

  /// The zero of Go's time, which Kubernetes writes for a time that is not set.
  private static final long ZERO_TIME = -62_135_596_800L;

  private final Set<String> unread;
  private final boolean lean;
  private int messages;

  MessageReader() {
    this.unread = Set.of();
    this.lean = false;
  }

  /// For answers; may be used again.
  MessageReader(Set<String> unread) {
    this.unread = Set.copyOf(unread);
    this.lean = true;
  }

  Tree read(Type type, WireReader wire) {
    return read(type, wire, new Tree());
  }

  Tree read(Type type, WireReader wire, Tree into) {
    messages = 0;
    readInto(into, type, wire, 0);
    return into;
  }

  private void readInto(Tree tree, Type type, WireReader wire, int depth) {
    if (depth > MAX_DEPTH || ++messages > MAX_MESSAGES) {
      throw new DecodingException("proto: message is nested too deeply or has too many parts");
    }
    while (wire.hasMore()) {
      var field = type.field(wire.field());
      if (field == null) {
        wire.skip();
      } else if (field.inline()) {
        readInto(tree, field.type(), wire.message(), depth + 1);
      } else if (isUnread(field)) {
        wire.skip();
      } else {
        readField(tree, field, wire, depth);
      }
    }
  }

  // Only messages and lists: a label may have the name of such a field.
  private boolean isUnread(Field field) {
    return lean
        && (field.scalar() == Scalar.MESSAGE || field.shape() != Shape.ONE)
        && unread.contains(field.name());
  }

  private void readField(Tree tree, Field field, WireReader wire, int depth) {
    switch (field.shape()) {
      case ONE -> {
        var value = value(field, wire, depth);
        if (!lean || !meansNothing(field, value)) {
          tree.put(field.name(), value);
        }
      }
      case LIST -> readElements(tree.childList(field.name()), field, wire, depth);
      case MAP, MAP_OF_LISTS -> readEntry(tree.child(field.name()), field, wire.message(), depth);
    }
  }

  private static boolean meansNothing(Field field, @Nullable Object value) {
    if (field.pointer() || field.kept()) {
      return false;
    }
    if (value instanceof String text) {
      return text.isEmpty();
    }
    if (value instanceof Long number) {
      return number == 0;
    }
    return value instanceof Boolean flag ? !flag : value == null;
  }

  private void readElements(List<@Nullable Object> list, Field field, WireReader wire, int depth) {
    boolean number = field.scalar() == Scalar.INT32 || field.scalar() == Scalar.INT64;
    if (number && wire.isDelimited()) {
      var packed = wire.message();
      while (packed.hasMore()) {
        list.add(packed.packed());
      }
    } else {
      list.add(value(field, wire, depth));
    }
  }

  private void readEntry(Tree map, Field field, WireReader entry, int depth) {
    var key = "";
    @Nullable Object value = null;
    while (entry.hasMore()) {
      switch (entry.field()) {
        case 1 -> key = entry.text();
        case 2 ->
            value =
                field.shape() == Shape.MAP_OF_LISTS
                    ? texts(entry.message())
                    : value(field, entry, depth);
        default -> entry.skip();
      }
    }
    map.put(key, value == null && lean && field.scalar() == Scalar.STRING ? "" : value);
  }

  private static List<@Nullable Object> texts(WireReader wire) {
    var texts = new ArrayList<@Nullable Object>();
    while (wire.hasMore()) {
      if (wire.field() == 1) {
        texts.add(wire.text());
      } else {
        wire.skip();
      }
    }
    return texts;
  }

  private @Nullable Object value(Field field, WireReader wire, int depth) {
    return switch (field.scalar()) {
      case STRING -> wire.text();
      case BOOL -> wire.number() != 0;
      case INT32 -> (long) (int) wire.number();
      case INT64 -> wire.number();
      case DOUBLE -> wire.real();
      case BYTES -> Base64.getEncoder().encodeToString(wire.bytes());
      case QUANTITY -> quantity(wire.message());
      case INT_OR_STRING -> intOrString(wire.message());
      case TIME -> time(wire.message(), false);
      case MICRO_TIME -> time(wire.message(), true);
      case JSON, RAW_EXTENSION, FIELDS_V1 -> json(wire.message());
      case MESSAGE -> message(field.type(), wire.message(), depth);
    };
  }

  private @Nullable Object message(Type type, WireReader wire, int depth) {
    if (type.isUnion()) {
      return union(type, wire, depth);
    }
    var tree = new Tree();
    readInto(tree, type, wire, depth + 1);
    return tree;
  }

  /// One of several forms: an object or a list if there is one, else the flag.
  private @Nullable Object union(Type type, WireReader wire, int depth) {
    @Nullable Object value = null;
    List<@Nullable Object> list = new ArrayList<>();
    while (wire.hasMore()) {
      var form = type.field(wire.field());
      if (form == null) {
        wire.skip();
      } else if (form.shape() == Shape.LIST) {
        list.add(value(form, wire, depth + 1));
      } else {
        var given = value(form, wire, depth + 1);
        value = given instanceof Boolean && value != null ? value : given;
      }
    }
    return value == null && !list.isEmpty() ? list : value;
  }

  private static String quantity(WireReader wire) {
    var text = "";
    while (wire.hasMore()) {
      if (wire.field() == 1) {
        text = wire.text();
      } else {
        wire.skip();
      }
    }
    return text.isEmpty() ? "0" : text;
  }

  private static Object intOrString(WireReader wire) {
    long type = 0;
    long number = 0;
    var text = "";
    while (wire.hasMore()) {
      switch (wire.field()) {
        case 1 -> type = wire.number();
        case 2 -> number = (int) wire.number();
        case 3 -> text = wire.text();
        default -> wire.skip();
      }
    }
    return type == 0 ? (Object) number : text;
  }

  private static @Nullable String time(WireReader wire, boolean micros) {
    long seconds = 0;
    long nanos = 0;
    while (wire.hasMore()) {
      switch (wire.field()) {
        case 1 -> seconds = wire.number();
        case 2 -> nanos = (int) wire.number();
        default -> wire.skip();
      }
    }
    if (nanos == 0 && (seconds == 0 || seconds == ZERO_TIME)) {
      return null;
    }
    try {
      return Times.format(Instant.ofEpochSecond(seconds, nanos), micros);
    } catch (DateTimeException | ArithmeticException e) {
      throw new DecodingException("proto: time out of range");
    }
  }

  private static @Nullable Object json(WireReader wire) {
    byte[] raw = {};
    while (wire.hasMore()) {
      if (wire.field() == 1) {
        raw = wire.bytes();
      } else {
        wire.skip();
      }
    }
    try {
      return raw.length == 0 ? null : Json.readReporting(raw).value();
    } catch (SyntaxException e) {
      throw new DecodingException("proto: embedded JSON: " + e.getMessage());
    }
  }
}
