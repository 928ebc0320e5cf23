package io.berth.schema.apply;

import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a value is owned: as a whole, or by its parts.
public sealed interface Structure {

  /// A text, number or flag.
  record Leaf(Kind kind) implements Structure {}

  enum Kind {
    STRING,
    NUMERIC,
    BOOLEAN,
    /// Any of them: quantities, times, ports.
    ANY
  }

  /// An object with declared fields, or a map, or both.
  non-sealed interface ObjectStructure extends Structure {

    /// Owned as a whole.
    boolean atomic();

    /// The structure of a declared field, or `null`.
    @Nullable Structure field(String name);

    /// The structure of all other fields, or `null` where there may be none.
    @Nullable Structure others();

    /// The structure of whatever stands in this field, or `null` when it may not stand there.
    default @Nullable Structure at(String name) {
      var declared = field(name);
      return declared == null ? others() : declared;
    }
  }

  /// A list: owned as a whole, or element by element.
  non-sealed interface ListStructure extends Structure {

    /// Whether elements are owned one by one: by their [#keys()], or by their value.
    boolean associative();

    /// The fields that tell elements apart; empty for a set of values.
    List<String> keys();

    Structure element();

    /// What an element that leaves out a key counts as having, or `null`.
    @Nullable Object keyDefault(String key);
  }

  /// A value without a schema: objects are owned by their fields, lists as a whole.
  record Untyped() implements Structure {}

  Structure UNTYPED = new Untyped();
  Structure ANY = new Leaf(Kind.ANY);

  /// The structure as it applies to `value`: without a schema, the value decides.
  static Structure resolve(Structure structure, @Nullable Object value) {
    if (!(structure instanceof Untyped)) {
      return structure;
    }
    return value instanceof Tree
        ? UntypedObject.GRANULAR
        : value instanceof List ? UntypedList.WHOLE : ANY;
  }

  /// An object without a schema.
  record UntypedObject(boolean atomic) implements ObjectStructure {

    static final UntypedObject GRANULAR = new UntypedObject(false);

    @Override
    public @Nullable Structure field(String name) {
      return null;
    }

    @Override
    public Structure others() {
      return UNTYPED;
    }
  }

  /// A list without a schema.
  record UntypedList() implements ListStructure {

    static final UntypedList WHOLE = new UntypedList();

    @Override
    public boolean associative() {
      return false;
    }

    @Override
    public List<String> keys() {
      return List.of();
    }

    @Override
    public Structure element() {
      return UNTYPED;
    }

    @Override
    public @Nullable Object keyDefault(String key) {
      return null;
    }
  }
}
