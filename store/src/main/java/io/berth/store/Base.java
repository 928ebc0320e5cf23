package io.berth.store;

import java.nio.ByteBuffer;
import java.util.List;

/// The objects as of the compacted revision, counted: how many, and the sum of their revisions.
///
/// Behind this revision the ledger has every change; up to it, only what still lives. The two
/// numbers show when something is missing there.
record Base(long revision, long count, long revisionSum) {

  /// The first revision of a new store, so that 0 can mean none.
  static final Base START = new Base(1, 0, 0);

  /// The base after these changes, the next in order, have left history.
  Base after(List<Change> forgotten) {
    long newRevision = revision;
    long newCount = count;
    long newSum = revisionSum;
    for (var change : forgotten) {
      newRevision = change.revision();
      if (change.previous() != null) {
        newCount--;
        newSum -= change.previous().revision();
      }
      if (change.type() != Change.Type.DELETED) {
        newCount++;
        newSum += change.revision();
      }
    }
    return new Base(newRevision, newCount, newSum);
  }

  byte[] encoded() {
    return ByteBuffer.allocate(3 * Long.BYTES)
        .putLong(revision)
        .putLong(count)
        .putLong(revisionSum)
        .array();
  }

  static Base decoded(byte[] encoded) {
    var in = ByteBuffer.wrap(encoded);
    return new Base(in.getLong(), in.getLong(), in.getLong());
  }
}
