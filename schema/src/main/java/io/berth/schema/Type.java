package io.berth.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One object type of the Kubernetes API, such as `core.v1.PodSpec`.
///
/// Immutable once made; [Types] makes each type once, when it is first asked for.
public final class Type {

  private final String name;
  private final boolean atomic;
  private final boolean kind;
  private final List<Field> declared;
  private final List<Field> fields;
  private final Map<String, Field> byName;
  private final @Nullable Field[] byNumber;

  Type(Types types, String name, boolean atomic, boolean kind, List<Field.Words> lines) {
    this.name = name;
    this.atomic = atomic;
    this.kind = kind;
    var own = new ArrayList<Field>(lines.size());
    var flat = new ArrayList<Field>(lines.size());
    for (var line : lines) {
      var field = new Field(types, this, flat.size(), "", line);
      own.add(field);
      if (field.inline()) {
        for (var inner : field.type().fields) {
          flat.add(inner.inlinedInto(this, flat.size(), field.type().simpleName()));
        }
      } else {
        flat.add(field);
      }
    }
    this.declared = List.copyOf(own);
    this.fields = List.copyOf(flat);
    this.byName = HashMap.newHashMap(flat.size());
    for (var field : flat) {
      byName.put(field.name(), field);
    }
    this.byNumber = numbered(declared);
  }

  private static @Nullable Field[] numbered(List<Field> fields) {
    int highest = 0;
    for (var field : fields) {
      highest = Math.max(highest, field.number());
    }
    var numbered = new @Nullable Field[highest + 1];
    for (var field : fields) {
      numbered[field.number()] = field;
    }
    return numbered;
  }

  /// Name in the table: `core.v1.PodSpec`.
  public String name() {
    return name;
  }

  /// `PodSpec`.
  public String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /// `v1.PodSpec`, as Go's errors name it.
  public String goName() {
    return goName(name);
  }

  static String goName(String name) {
    return name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1);
  }

  /// `core`: the package of the type without its version.
  public String group() {
    return name.substring(0, name.lastIndexOf('.', name.lastIndexOf('.') - 1));
  }

  /// Whether server-side apply owns objects of this type as a whole.
  public boolean atomic() {
    return atomic;
  }

  /// Whether objects of this type carry `apiVersion` and `kind`.
  public boolean isKind() {
    return kind;
  }

  /// Whether one of several forms stands for the whole value, as in `JSONSchemaPropsOrBool`.
  public boolean isUnion() {
    return !declared.isEmpty() && declared.getFirst().name().isEmpty();
  }

  /// The fields as JSON has them, in Kubernetes' order; without `apiVersion` and `kind`.
  public List<Field> fields() {
    return fields;
  }

  /// The fields as protobuf has them: what JSON inlines is a field of its own.
  public List<Field> declared() {
    return declared;
  }

  /// The JSON field of this name, or `null`.
  public @Nullable Field field(String field) {
    return byName.get(field);
  }

  /// The protobuf field of this number, or `null`.
  public @Nullable Field field(int number) {
    return number > 0 && number < byNumber.length ? byNumber[number] : null;
  }

  @Override
  public String toString() {
    return name;
  }
}
