package io.berth.server.registry;

import io.berth.api.Tree;
import io.berth.store.Entry;
import org.jspecify.annotations.Nullable;

/// What a write led to: the code to answer, the object in the version it was asked in, and its
/// stored entry when the answer shows exactly that.
public record Outcome(int code, Tree object, @Nullable Entry entry) {

  static Outcome of(int code, Served served, Entry entry) {
    return served.isStorage()
        ? new Outcome(code, entry.object(), entry)
        : new Outcome(code, served.present(entry.object()), null);
  }

  /// An answer that is no stored object.
  public static Outcome shown(int code, Tree object) {
    return new Outcome(code, object, null);
  }

  static Outcome of(int code, Tree object) {
    return new Outcome(code, object, null);
  }
}
