package io.berth.schema.cel;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An object that an expression made: `Object.spec{replicas: 3}`.
public final class ObjectValue extends AbstractMap<String, Object> {

  private final String type;
  private final Map<String, Object> fields;

  ObjectValue(String type, Map<String, Object> fields) {
    this.type = type;
    this.fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /// `Object.spec`, `JSONPatch`.
  public String type() {
    return type;
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    return fields.entrySet();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ObjectValue value
        && type.equals(value.type)
        && fields.equals(value.fields);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, fields);
  }
}
