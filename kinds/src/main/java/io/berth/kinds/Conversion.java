package io.berth.kinds;

import io.berth.api.Tree;

/// Between the stored form of an object and one of the versions it is served in.
public interface Conversion {

  /// The same object in the storage version. May reuse parts of a mutable `served`.
  Tree toStorage(Tree served);

  /// The same object in the served version. `stored` may be frozen and stays as it is.
  Tree fromStorage(Tree stored);
}
