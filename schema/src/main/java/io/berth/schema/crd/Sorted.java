package io.berth.schema.crd;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Values as Kubernetes' messages show those without a type: with their fields in order.
final class Sorted {

  private Sorted() {}

  static @Nullable Object of(@Nullable Object value) {
    return switch (value) {
      case Tree tree -> {
        var sorted = new TreeMap<String, @Nullable Object>();
        tree.fields().forEach((name, each) -> sorted.put(name, of(each)));
        yield sorted;
      }
      case List<?> list -> {
        var sorted = new ArrayList<@Nullable Object>();
        list.forEach(each -> sorted.add(of(each)));
        yield sorted;
      }
      case null, default -> value;
    };
  }
}
