package io.berth.store;

import io.berth.api.Tree;
import java.util.List;
import java.util.Optional;

/// Reads and writes that happen together or not at all; only valid inside [Store#transact].
///
/// Reads see the newest state, this transaction's own writes included.
public interface Transaction {

  Optional<Entry> find(Key key);

  List<Entry> list(Range range);

  /// The objects found under `value` in an index, in key order.
  List<Entry> listBy(Index index, String value);

  /// The revision that the next write of this transaction will get.
  long nextRevision();

  /// Creates or replaces; the store sets `metadata.resourceVersion`, freezes and encodes.
  ///
  /// The store takes `object` over: a mutable tree is frozen in place, a frozen one is left as it
  /// is and shared where possible.
  Entry put(Key key, Tree object);

  /// Removes the object; the returned entry is its last state with the deletion's revision.
  ///
  /// Throws `NoSuchElementException` when there is none.
  Entry delete(Key key);
}
