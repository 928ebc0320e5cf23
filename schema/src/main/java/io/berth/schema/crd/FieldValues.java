package io.berth.schema.crd;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The fields of an object under their escaped names; one that is called like a reserved word is
/// also found by that word.
final class FieldValues extends AbstractMap<String, Object> {

  private final Map<String, Object> fields;

  FieldValues(Map<String, Object> fields) {
    this.fields = fields;
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return get(name) != null;
  }

  @Override
  public @Nullable Object get(@Nullable Object name) {
    var value = fields.get(name);
    return value == null && name instanceof String word && Identifiers.isReserved(word)
        ? fields.get(Identifiers.escape(word))
        : value;
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    return fields.entrySet();
  }
}
