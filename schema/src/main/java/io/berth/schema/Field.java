package io.berth.schema;

import io.berth.codec.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One field of a [Type].
///
/// In the table a field is a line: name, protobuf number, type, then words. `Foo[]` is a list of
/// `Foo`, `Foo{}` a map from text to `Foo`. The words: `ptr` a zero on the wire is a value,
/// `inline` in JSON its fields stand in the parent, `req` required by OpenAPI, `keep` written even
/// when empty, `omitzero` left out when zero although its kind is always written, `go=` the name of
/// the Go type in error texts where it does not follow from the type, `patch=` strategic merge
/// strategies and merge key, `list=` and `map=` how server-side apply owns it, `default=` in JSON,
/// and last `enum=`.
public final class Field {

  private final Types types;
  private final Type owner;
  private final int index;
  private final String embedded;
  private final Words words;
  private @Nullable Type type;

  Field(Types types, Type owner, int index, String embedded, Words words) {
    this.types = types;
    this.owner = owner;
    this.index = index;
    this.embedded = embedded;
    this.words = words;
  }

  /// The same field standing in the type it is inlined into.
  Field inlinedInto(Type outer, int position, String path) {
    var prefix = embedded.isEmpty() ? path : path + "." + embedded;
    return new Field(types, outer, position, prefix, words);
  }

  public String name() {
    return words.name;
  }

  /// The type in whose JSON this field stands.
  public Type owner() {
    return owner;
  }

  /// Position among the owner's [Type#fields()].
  public int index() {
    return index;
  }

  /// Number in protobuf.
  public int number() {
    return words.number;
  }

  public Scalar scalar() {
    return words.scalar;
  }

  public Shape shape() {
    return words.shape;
  }

  /// The type of the value, or of each element; only for [Scalar#MESSAGE].
  public Type type() {
    var known = type;
    if (known == null) {
      known = types.type(words.typeName);
      type = known;
    }
    return known;
  }

  /// Whether absent and zero are different values.
  public boolean pointer() {
    return words.pointer;
  }

  public boolean inline() {
    return words.inline;
  }

  public boolean required() {
    return words.required;
  }

  /// Whether Kubernetes writes the field even when it is empty.
  public boolean kept() {
    return words.kept;
  }

  boolean omittedWhenZero() {
    return words.omitZero;
  }

  /// Go names of the structs this field was inlined from, `ProbeHandler`, or `""`.
  String embedded() {
    return embedded;
  }

  /// The Go type in error texts: `v1.RestartPolicy`, `[]v1.Container`.
  String goType() {
    return words.goType;
  }

  /// The Go type of an element in error texts.
  String goElement() {
    return words.goElement;
  }

  /// Strategies of a strategic merge patch: of `merge`, `replace`, `retainKeys`.
  public Set<String> patchStrategies() {
    return words.patchStrategies;
  }

  /// The field that identifies list elements in a strategic merge patch, or `""`.
  public String patchMergeKey() {
    return words.patchMergeKey;
  }

  /// `map`, `set`, `atomic` or `""`: how server-side apply owns the elements of a list.
  public String listType() {
    return words.listType;
  }

  /// The fields that identify the elements of a list of type `map`.
  public List<String> listMapKeys() {
    return words.listMapKeys;
  }

  /// Whether server-side apply owns this map or object as a whole.
  public boolean atomicMap() {
    return words.atomicMap;
  }

  /// The default OpenAPI publishes, or `null`.
  public @Nullable Object defaultValue() {
    return words.defaultValue;
  }

  public List<String> enumeration() {
    return words.enumeration;
  }

  @Override
  public String toString() {
    return owner.name() + "." + words.name;
  }

  /// A line of the table, parsed.
  static final class Words {

    final String name;
    final int number;
    final String typeName;
    final Scalar scalar;
    final Shape shape;
    boolean pointer;
    boolean inline;
    boolean required;
    boolean kept;
    boolean omitZero;
    String goType = "";
    String goElement = "";
    Set<String> patchStrategies = Set.of();
    String patchMergeKey = "";
    String listType = "";
    List<String> listMapKeys = List.of();
    boolean atomicMap;
    @Nullable Object defaultValue;
    List<String> enumeration = List.of();

    Words(String line) {
      var enumAt = line.indexOf(" enum=");
      if (enumAt >= 0) {
        enumeration = List.of(line.substring(enumAt + 6).split("\\|", -1));
        line = line.substring(0, enumAt);
      }
      var words = line.split(" ", -1);
      // The instance that constants in code are: trees look for that first.
      name = words[0].equals("-") ? "" : words[0].intern();
      number = Integer.parseInt(words[1]);
      shape = shapeOf(words[2]);
      typeName = words[2].replace("[]", "").replace("{}", "");
      scalar = Scalar.of(typeName);
      for (int i = 3; i < words.length; i++) {
        read(words[i]);
      }
      nameGoTypes();
    }

    private static Shape shapeOf(String type) {
      if (type.endsWith("[]{}")) {
        return Shape.MAP_OF_LISTS;
      }
      return type.endsWith("[]") ? Shape.LIST : type.endsWith("{}") ? Shape.MAP : Shape.ONE;
    }

    private void read(String word) {
      int at = word.indexOf('=');
      var value = word.substring(at + 1);
      switch (at < 0 ? word : word.substring(0, at)) {
        case "ptr" -> pointer = true;
        case "inline" -> inline = true;
        case "req" -> required = true;
        case "keep" -> kept = true;
        case "omitzero" -> omitZero = true;
        case "go" -> goType = value;
        case "patch" -> {
          var colon = value.indexOf(':');
          patchMergeKey = colon < 0 ? "" : value.substring(colon + 1);
          patchStrategies = Set.of((colon < 0 ? value : value.substring(0, colon)).split(",", -1));
        }
        case "list" -> {
          var colon = value.indexOf(':');
          listMapKeys = colon < 0 ? List.of() : List.of(value.substring(colon + 1).split(",", -1));
          listType = colon < 0 ? value : value.substring(0, colon);
        }
        case "map" -> atomicMap = value.equals("atomic");
        case "default" -> defaultValue = Json.readValue(value.getBytes(StandardCharsets.UTF_8));
        default -> throw new IllegalStateException("unknown word in the type table: " + word);
      }
    }

    private void nameGoTypes() {
      var element = goNameOf(typeName);
      if (goType.isEmpty()) {
        goType =
            switch (shape) {
              case ONE -> element;
              case LIST -> "[]" + element;
              case MAP -> "map[string]" + element;
              case MAP_OF_LISTS -> "map[string][]" + element;
            };
      }
      var end =
          goType.startsWith("[]") ? 2 : goType.startsWith("map[") ? goType.indexOf(']') + 1 : 0;
      goElement = shape == Shape.ONE ? goType : end > 0 ? goType.substring(end) : element;
    }

    private String goNameOf(String type) {
      return switch (scalar) {
        case STRING -> "string";
        case BOOL -> "bool";
        case INT32 -> "int32";
        case INT64 -> "int64";
        case DOUBLE -> "float64";
        case BYTES -> "[]uint8";
        case MESSAGE -> Type.goName(type);
        case QUANTITY, INT_OR_STRING, TIME, MICRO_TIME, JSON, RAW_EXTENSION, FIELDS_V1 -> "";
      };
    }
  }
}
