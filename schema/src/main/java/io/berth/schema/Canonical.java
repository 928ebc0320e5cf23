package io.berth.schema;

import io.berth.api.FieldError;
import io.berth.api.Tree;
import io.berth.codec.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Brings a tree into the form in which a Kubernetes API server would store and return it.
///
/// One pass over the tree does all of it: values are checked against the type and refused in the
/// words of Go's JSON decoder, unknown and repeated fields are noted and dropped, `null` and empty
/// values go where Kubernetes leaves them out and come where it always writes them (`status: {}`),
/// quantities and times take their canonical form, and fields stand in Kubernetes' order. The tree
/// that comes in is not changed; the one that goes out shares nothing mutable with it.
///
/// As in Go, a value of the wrong kind is remembered and decoding goes on, because a text that
/// cannot be parsed further down is reported in its place. After a strategic merge Kubernetes
/// converts without Go's decoder and has other words; see [Conversion].
public final class Canonical {

  /// As many unknown and repeated fields as Kubernetes reports.
  private static final int MAX_COMPLAINTS = 100;

  private static final Tree EMPTY = new Tree().freeze();

  /// Stands for "leave this field out", where `null` is a value.
  private enum Nothing {
    ABSENT
  }

  private final @Nullable Document document;
  private final List<String> complaints = new ArrayList<>();
  private final Path path = new Path();
  private @Nullable DecodingException typeError;
  private boolean complaining = true;
  private boolean converting;

  private Canonical(@Nullable Document document) {
    this.document = document;
  }

  /// The canonical form of an object that is known to fit its type: what the server made itself.
  public static Tree of(Type type, Tree tree) {
    var canonical = new Canonical(null);
    canonical.complaining = false;
    var result = canonical.message(type, tree);
    canonical.throwTypeError();
    return result;
  }

  /// The canonical form of what a client sent; complaints about fields are added to `complaints`.
  static Tree of(Type type, Tree tree, @Nullable Document document, List<String> complaints) {
    var canonical = new Canonical(document);
    var result = canonical.message(type, tree);
    canonical.throwTypeError();
    complaints.addAll(canonical.complaints);
    return result;
  }

  /// The canonical form of what came out of a JSON or merge patch.
  public static Tree ofPatched(Type type, Tree tree, List<String> complaints) {
    return of(type, tree, null, complaints);
  }

  /// The canonical form of what came out of a strategic merge; unknown fields are sorted.
  public static Tree ofMerged(Type type, Tree tree, List<String> complaints) {
    var canonical = new Canonical(null);
    canonical.converting = true;
    var result = canonical.message(type, tree);
    canonical.complaints.sort(null);
    complaints.addAll(canonical.complaints);
    return result;
  }

  /// Empty lists mean nothing, but for this one: it takes the fields from all who own them.
  public static void keepReset(Tree raw, Tree canonical) {
    if (raw.at("metadata", "managedFields") instanceof List<?> owners && owners.isEmpty()) {
      canonical.child("metadata").put("managedFields", List.of());
    }
  }

  private void throwTypeError() {
    if (typeError != null) {
      throw typeError;
    }
  }

  private Tree message(Type type, Tree raw) {
    var fields = type.fields();
    var values = new @Nullable Object[fields.size()];
    Object apiVersion = null;
    Object kind = null;
    for (var entry : raw.fields().entrySet()) {
      var name = entry.getKey();
      var value = entry.getValue();
      var field = type.field(name);
      if (field != null) {
        noteDuplicate(raw, name);
        if (value != null) {
          path.enter(field);
          values[field.index()] = value(field, value);
          path.leave();
        }
      } else if (type.isKind() && name.equals("kind")) {
        noteDuplicate(raw, name);
        kind = typeMeta(type, name, value);
      } else if (type.isKind() && name.equals("apiVersion")) {
        noteDuplicate(raw, name);
        apiVersion = typeMeta(type, name, value);
      } else {
        complain("unknown field", name);
      }
    }
    return assemble(type, kind, apiVersion, values);
  }

  private Tree assemble(
      Type type, @Nullable Object kind, @Nullable Object apiVersion, @Nullable Object[] values) {
    var tree = new Tree();
    if (kind != null) {
      tree.put("kind", kind);
    }
    if (apiVersion != null) {
      tree.put("apiVersion", apiVersion);
    }
    for (var field : type.fields()) {
      var value = values[field.index()];
      if (value == null) {
        value = whenAbsent(field);
      }
      if (!(value instanceof Nothing)) {
        tree.put(field.name(), value);
      }
    }
    return tree;
  }

  private @Nullable String typeMeta(Type type, String name, @Nullable Object value) {
    if (value == null || value.equals("")) {
      return null;
    }
    if (value instanceof String text) {
      return text;
    }
    path.enter(name);
    mismatch(type.simpleName(), value, "string");
    path.leave();
    return null;
  }

  /// What stands in a field that has no value: Go writes structs and times even when empty.
  private @Nullable Object whenAbsent(Field field) {
    if (field.pointer() || field.shape() != Shape.ONE) {
      return field.kept() ? null : Nothing.ABSENT;
    }
    return switch (field.scalar()) {
      case MESSAGE -> emptyMessage(field.type());
      case TIME, MICRO_TIME -> field.omittedWhenZero() ? Nothing.ABSENT : null;
      case JSON, RAW_EXTENSION, FIELDS_V1 -> null;
      case QUANTITY -> "0";
      case STRING -> field.kept() ? "" : Nothing.ABSENT;
      case BOOL -> field.kept() ? Boolean.FALSE : Nothing.ABSENT;
      // A port of 0 is no port: defaulting fills it in, and would not if it stood there.
      case INT32, INT64, INT_OR_STRING -> field.kept() ? (Object) 0L : Nothing.ABSENT;
      case DOUBLE -> field.kept() ? (Object) 0.0 : Nothing.ABSENT;
      case BYTES -> field.kept() ? null : Nothing.ABSENT;
    };
  }

  private Object emptyMessage(Type type) {
    return type.isUnion() ? new Tree() : message(type, EMPTY);
  }

  /// The canonical value of a field, or `null` when it counts as absent.
  private @Nullable Object value(Field field, Object raw) {
    return switch (field.shape()) {
      case ONE -> one(field, raw);
      case LIST -> list(field, raw);
      case MAP, MAP_OF_LISTS -> map(field, raw);
    };
  }

  private @Nullable Object one(Field field, Object raw) {
    var value = scalar(field, raw, field.goType());
    if (value == null || field.pointer() || field.kept()) {
      return value;
    }
    return switch (field.scalar()) {
      case STRING, BYTES -> value.equals("") ? null : value;
      case BOOL -> value.equals(false) ? null : value;
      case INT32, INT64, DOUBLE -> isZero(value) ? null : value;
      case INT_OR_STRING -> value.equals("") || isZero(value) ? null : value;
      case QUANTITY, TIME, MICRO_TIME, JSON, RAW_EXTENSION, FIELDS_V1, MESSAGE -> value;
    };
  }

  private static boolean isZero(Object value) {
    return value instanceof Number number && number.doubleValue() == 0;
  }

  private @Nullable Object list(Field field, Object raw) {
    if (!(raw instanceof List<?> elements)) {
      mismatch(raw, field.goType());
      return null;
    }
    if (elements.isEmpty()) {
      return null;
    }
    var list = new ArrayList<@Nullable Object>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      path.enter(i);
      list.add(element(field, elements.get(i)));
      path.leave();
    }
    return list;
  }

  private @Nullable Object map(Field field, Object raw) {
    if (!(raw instanceof Tree entries)) {
      mismatch(raw, field.goType());
      return null;
    }
    if (entries.isEmpty()) {
      return null;
    }
    var map = new Tree();
    for (Map.Entry<String, @Nullable Object> entry : entries.fields().entrySet()) {
      noteDuplicate(entries, entry.getKey());
      path.enter(entry.getKey());
      map.put(
          entry.getKey(),
          field.shape() == Shape.MAP_OF_LISTS
              ? texts(entry.getValue(), field.goElement())
              : element(field, entry.getValue()));
      path.leave();
    }
    return map;
  }

  private List<@Nullable Object> texts(@Nullable Object raw, String goType) {
    if (!(raw instanceof List<?> elements)) {
      if (raw != null) {
        mismatch(raw, goType);
      }
      return new ArrayList<>();
    }
    var texts = new ArrayList<@Nullable Object>(elements.size());
    for (var element : elements) {
      if (element != null && !(element instanceof String)) {
        mismatch(element, "string");
      }
      texts.add(element instanceof String ? element : "");
    }
    return texts;
  }

  /// An element of a list or map; as in Go, `null` is the zero value there.
  private @Nullable Object element(Field field, @Nullable Object raw) {
    var value = raw == null ? null : scalar(field, raw, field.goElement());
    if (value != null) {
      return value;
    }
    return switch (field.scalar()) {
      case STRING, BYTES -> "";
      case BOOL -> Boolean.FALSE;
      case INT32, INT64, INT_OR_STRING -> 0L;
      case DOUBLE -> 0.0;
      case QUANTITY -> "0";
      case TIME, MICRO_TIME, JSON, RAW_EXTENSION, FIELDS_V1 -> null;
      case MESSAGE -> emptyMessage(field.type());
    };
  }

  private @Nullable Object scalar(Field field, Object raw, String goType) {
    return switch (field.scalar()) {
      case STRING -> raw instanceof String ? raw : notText(raw, goType);
      case BOOL -> raw instanceof Boolean ? raw : mismatch(raw, goType);
      case INT64 -> raw instanceof Long ? raw : integer(raw, goType);
      case INT32 -> isInt32(raw) ? raw : integer(raw, goType);
      case DOUBLE -> raw instanceof Number number ? real(number) : mismatch(raw, goType);
      case BYTES -> bytes(raw, goType);
      case QUANTITY -> quantity(raw);
      case INT_OR_STRING -> intOrString(raw);
      case TIME -> time(raw, false);
      case MICRO_TIME -> time(raw, true);
      case JSON, RAW_EXTENSION, FIELDS_V1 -> Tree.copyOf(raw);
      case MESSAGE -> object(field.type(), raw, goType);
    };
  }

  private @Nullable Object object(Type type, Object raw, String goType) {
    if (type.isUnion()) {
      return union(type, raw);
    }
    return raw instanceof Tree tree ? message(type, tree) : mismatch(raw, goType);
  }

  // A whole number has one form, whether it came as 10, 10.0 or over protobuf.
  private static Object real(Number raw) {
    double number = raw.doubleValue();
    return number == Math.rint(number) && Math.abs(number) < 1e15 ? (Object) (long) number : number;
  }

  private static boolean isInt32(Object raw) {
    return raw instanceof Long number && number == number.intValue();
  }

  private @Nullable Object notText(Object raw, String goType) {
    if (converting) {
      throw new DecodingException(Conversion.textMismatch(raw, goType));
    }
    return mismatch(raw, goType);
  }

  private @Nullable Object integer(Object raw, String goType) {
    return converting ? Conversion.integer(raw, goType) : mismatch(raw, goType);
  }

  private @Nullable Object bytes(Object raw, String goType) {
    if (!(raw instanceof String text)) {
      return mismatch(raw, goType);
    }
    // Go's decoder skips line ends; Java's would refuse them.
    var base64 =
        text.indexOf('\n') < 0 && text.indexOf('\r') < 0
            ? text
            : text.replace("\n", "").replace("\r", "");
    int bad = Base64Text.firstBadByte(base64);
    if (bad >= 0) {
      var prefix = converting ? "error decoding from json: " : "";
      throw new DecodingException(prefix + "illegal base64 data at input byte " + bad);
    }
    return base64;
  }

  /// Without blanks at the ends. Go trims the text as it is written in the body, where a line break
  /// is a backslash and a letter, and stays.
  private static String trimmed(String text) {
    int begin = 0;
    int end = text.length();
    while (begin < end && text.charAt(begin) == ' ') {
      begin++;
    }
    while (end > begin && text.charAt(end - 1) == ' ') {
      end--;
    }
    return text.substring(begin, end);
  }

  private static String quantity(Object raw) {
    var text = raw instanceof String string ? trimmed(string) : Path.numberText(raw);
    try {
      return Quantities.canonical(text);
    } catch (IllegalArgumentException e) {
      throw new DecodingException(String.valueOf(e.getMessage()));
    }
  }

  private Object intOrString(Object raw) {
    if (raw instanceof String || isInt32(raw)) {
      return raw;
    }
    throw new DecodingException(wrongText(raw, "int32"));
  }

  private String time(Object raw, boolean micros) {
    if (!(raw instanceof String text)) {
      throw new DecodingException(wrongText(raw, "string"));
    }
    try {
      return micros ? Times.micros(text) : Times.seconds(text);
    } catch (IllegalArgumentException e) {
      throw new DecodingException(String.valueOf(e.getMessage()));
    }
  }

  private String wrongText(Object raw, String goType) {
    return converting ? Path.bareMismatch(raw, goType) : path.mismatch(raw, goType);
  }

  /// One of several forms; Kubernetes decodes these by hand, and does not look for unknown fields.
  private @Nullable Object union(Type type, Object raw) {
    var outer = complaining;
    complaining = false;
    try {
      for (var form : type.declared()) {
        if (form.shape() == Shape.LIST && raw instanceof List) {
          return list(form, raw);
        }
        if (form.shape() == Shape.ONE
            && form.scalar() == Scalar.MESSAGE
            && raw instanceof Tree tree) {
          return message(form.type(), tree);
        }
        if (form.shape() == Shape.ONE && form.scalar() == Scalar.BOOL && raw instanceof Boolean) {
          return raw;
        }
      }
    } finally {
      complaining = outer;
    }
    if (type.declared().getFirst().scalar() == Scalar.BOOL) {
      throw new DecodingException("boolean or JSON schema expected");
    }
    return null;
  }

  /// Remembers the first value of the wrong kind and goes on, as Go does.
  private @Nullable Object mismatch(Object raw, String goType) {
    if (converting) {
      throw new DecodingException(Conversion.mismatch(raw, goType));
    }
    if (typeError == null) {
      typeError = new DecodingException(path.mismatch(raw, goType));
    }
    return null;
  }

  private void mismatch(String struct, Object raw, String goType) {
    if (typeError == null) {
      typeError = new DecodingException(path.mismatch(struct, raw, goType));
    }
  }

  private void noteDuplicate(Tree tree, String name) {
    if (document != null && document.repeats(tree, name)) {
      complain("duplicate field", name);
    }
  }

  private void complain(String what, String name) {
    if (complaining && complaints.size() < MAX_COMPLAINTS) {
      complaints.add(what + " " + FieldError.quoted(path.to(name)));
    }
  }
}
