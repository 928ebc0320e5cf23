package io.berth.kinds;

import io.berth.api.Tree;
import java.util.List;

/// Between the stored form of an object and one of the versions it is served in.
public interface Conversion {

  /// The same object as a write is judged, with the rules of the kind and by admission: in the
  /// storage version, unless [#judgesServed()]. May reuse parts of a mutable `served`.
  Tree toStorage(Tree served);

  /// The same object in the served version. `stored` may be frozen and stays as it is.
  Tree fromStorage(Tree stored);

  /// Many objects in the served version, in their order.
  default List<Tree> fromStorage(List<Tree> stored) {
    return stored.stream().map(this::fromStorage).toList();
  }

  /// The object that was judged as it goes into the store.
  default Tree settled(Tree judged) {
    return judged;
  }

  /// Whether a write is judged in the served version, and becomes the stored form at its end.
  default boolean judgesServed() {
    return false;
  }
}
