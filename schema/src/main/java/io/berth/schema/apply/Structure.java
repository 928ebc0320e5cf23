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

  /// A value without a schema: lists are owned as a whole, objects by their fields or `atomic`.
  record Untyped(boolean atomic) implements Structure {}

  Structure UNTYPED = new Untyped(false);
  Structure WHOLE = new Untyped(true);
  Structure ANY = new Leaf(Kind.ANY);

  /// The structure as it applies to `value`: without a schema, the value decides.
  static Structure resolve(Structure structure, @Nullable Object value) {
    if (!(structure instanceof Untyped(var atomic))) {
      return structure;
    }
    return switch (value) {
      case Tree _ -> atomic ? UntypedObject.ATOMIC : UntypedObject.GRANULAR;
      case List<?> _ -> WholeList.UNTYPED;
      case null, default -> ANY;
    };
  }

  /// An object without a schema.
  record UntypedObject(boolean atomic) implements ObjectStructure {

    static final UntypedObject GRANULAR = new UntypedObject(false);
    static final UntypedObject ATOMIC = new UntypedObject(true);

    @Override
    public @Nullable Structure field(String name) {
      return null;
    }

    @Override
    public Structure others() {
      return UNTYPED;
    }
  }

  /// A list that is owned as a whole.
  record WholeList(Structure element) implements ListStructure {

    static final WholeList UNTYPED = new WholeList(Structure.UNTYPED);

    @Override
    public boolean associative() {
      return false;
    }

    @Override
    public List<String> keys() {
      return List.of();
    }

    @Override
    public @Nullable Object keyDefault(String key) {
      return null;
    }
  }
}
