package io.berth.server.registry;

import io.berth.api.Tree;
import io.berth.store.Entry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a write led to: the code to answer, the object in the version it was asked in, and its
/// stored entry when the answer shows exactly that.
///
/// `shown` makes the object for those who look at it: most do not.
public record Outcome(int code, Supplier<Tree> shown, @Nullable Entry entry) {

  static Outcome of(int code, Served served, Entry entry) {
    return served.isStorage()
        ? new Outcome(code, entry::object, entry)
        : new Outcome(code, () -> served.present(entry.object()), null);
  }

  static Outcome of(int code, Tree object) {
    return new Outcome(code, () -> object, null);
  }

  /// An answer that is no stored object.
  public static Outcome shown(int code, Tree object) {
    return of(code, object);
  }

  public Tree object() {
    return shown.get();
  }
}
