package io.berth.schema.policy;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Types of objects by name, for the compiler of expressions.
final class StructTypes {

  private final Map<String, CelType> byName = new HashMap<>();

  /// Declares a type, and gives the reference to it.
  CelType declare(String name, Map<String, CelType> fields) {
    var own = ImmutableMap.copyOf(fields);
    byName.put(
        name, StructType.create(name, own.keySet(), field -> Optional.ofNullable(own.get(field))));
    return StructTypeReference.create(name);
  }

  StructTypes addAll(StructTypes others) {
    byName.putAll(others.byName);
    return this;
  }

  /// The types declared so far.
  CelTypeProvider provider() {
    return new Provider(ImmutableMap.copyOf(byName));
  }

  private record Provider(ImmutableMap<String, CelType> byName) implements CelTypeProvider {

    @Override
    public ImmutableCollection<CelType> types() {
      return byName.values();
    }

    @Override
    public Optional<CelType> findType(String name) {
      return Optional.ofNullable(byName.get(name));
    }
  }
}
