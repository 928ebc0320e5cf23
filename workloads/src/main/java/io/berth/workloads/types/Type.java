package io.berth.workloads.types;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The shape of one value in a request body.
public sealed interface Type {

  record Any() implements Type {}

  record Flag() implements Type {}

  /// Text of a length within bounds, in the form that `pattern` asks for; `form` names it.
  record Text(String form, int least, int most, @Nullable Pattern pattern) implements Type {}

  record Numeric(boolean whole, double least, double most) implements Type {}

  record OneOf(List<String> values) implements Type {}

  record ListOf(Type element, int least, int most) implements Type {}

  record MapOf(Type value) implements Type {}

  /// An object of a type of the table.
  record Ref(String name) implements Type {}

  /// A field of an object.
  record Field(String name, boolean required, Type type) {}
}
