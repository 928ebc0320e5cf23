package io.berth.schema.apply;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lays a configuration over an object without noting who owns what, as mutating policies do.
public final class Overlay {

  private final List<String> atomics = new ArrayList<>();

  private Overlay() {}

  /// The object with what the configuration names. Throws [IllegalArgumentException] when the
  /// configuration does not fit the structure, or names what can only be replaced as a whole.
  public static Tree of(Structure structure, Tree object, Tree configuration) {
    var problems = Check.problems(structure, configuration);
    if (problems.isPresent()) {
      throw new IllegalArgumentException(
          "failed to convert patch object to typed object: " + problems.get());
    }
    var overlay = new Overlay();
    overlay.findAtomics(structure, configuration, "");
    if (!overlay.atomics.isEmpty()) {
      throw new IllegalArgumentException(
          "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
              + String.join(", ", overlay.atomics));
    }
    return Merge.of(structure, object, configuration);
  }

  private void findAtomics(Structure structure, @Nullable Object value, String path) {
    switch (Structure.resolve(structure, value)) {
      case Structure.ObjectStructure object when value instanceof Tree tree -> {
        if (object.atomic()) {
          atomics.add(path);
        }
        tree.fields()
            .forEach((name, each) -> {
              var below = object.field(name);
              if (below != null) {
                findAtomics(below, each, path + "." + name);
              }
            });
      }
      case Structure.ListStructure list when value instanceof List<?> elements -> {
        if (!list.associative()) {
          atomics.add(path);
        }
        for (int i = 0; i < elements.size(); i++) {
          findAtomics(list.element(), elements.get(i), path + "[" + i + "]");
        }
      }
      default -> {}
    }
  }
}
