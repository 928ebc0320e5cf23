package io.berth.store;

import java.util.List;

/// Where changes are made durable.
interface Ledger extends AutoCloseable {

  /// Makes `changes` durable, whole or not at all, and drops what only `forgotten` needed.
  ///
  /// Returns after the disk has confirmed. Throws [StoreFailedException] when it has not; then
  /// nothing may be appended any more.
  void append(List<Change> changes, long nowMillis, List<Change> forgotten);

  @Override
  void close();
}
