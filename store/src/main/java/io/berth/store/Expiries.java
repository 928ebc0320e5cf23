package io.berth.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Knows which objects go by themselves, and when. Guarded by the lock of the writers.
final class Expiries {

  private final List<Line> lines;

  Expiries(List<Expiry> expiries) {
    this.lines = expiries.stream().map(Line::new).toList();
  }

  /// Takes note of a finished transaction, and takes out of it what is too much.
  void account(Draft draft, long nowMillis) {
    if (lines.isEmpty()) {
      return;
    }
    for (var change : draft.changes()) {
      note(change, nowMillis);
    }
    for (var line : lines) {
      while (line.writtenMillis.size() > line.expiry.most()) {
        draft.delete(line.eldest());
        line.writtenMillis.pollFirstEntry();
      }
    }
  }

  void note(Change change, long writtenMillis) {
    var key = change.entry().key();
    for (var line : lines) {
      if (line.expiry.covers(key)) {
        line.writtenMillis.remove(key);
        if (change.type() != Change.Type.DELETED) {
          line.writtenMillis.put(key, writtenMillis);
        }
      }
    }
  }

  boolean covers(Key key) {
    for (var line : lines) {
      if (line.expiry.covers(key)) {
        return true;
      }
    }
    return false;
  }

  /// At most `limit` keys whose time has come.
  List<Key> due(long nowMillis, int limit) {
    var due = new ArrayList<Key>();
    for (var line : lines) {
      long oldestMillis = nowMillis - line.expiry.after().toMillis();
      for (var each : line.writtenMillis.entrySet()) {
        if (each.getValue() > oldestMillis || due.size() == limit) {
          break;
        }
        due.add(each.getKey());
      }
    }
    return due;
  }

  /// The objects under one expiry in the order in which they were last written.
  private static final class Line {
    final Expiry expiry;
    final LinkedHashMap<Key, Long> writtenMillis = new LinkedHashMap<>();

    Line(Expiry expiry) {
      this.expiry = expiry;
    }

    Key eldest() {
      return writtenMillis.firstEntry().getKey();
    }
  }
}
