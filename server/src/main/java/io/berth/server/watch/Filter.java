package io.berth.server.watch;

import io.berth.api.Tree;
import io.berth.store.Change;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What a change means to a watcher that sees a part of a resource: an object that begins to match
/// is added, one that no longer does is deleted.
public record Filter(Predicate<Tree> matches) {

  /// The type of the event, or `null` when the watcher does not see this change.
  public Change.@Nullable Type typeOf(Change change) {
    var previous = change.previous();
    boolean before = previous != null && matches.test(previous.object());
    if (change.type() == Change.Type.DELETED) {
      return before ? Change.Type.DELETED : null;
    }
    boolean after = matches.test(change.entry().object());
    if (after) {
      return before ? Change.Type.MODIFIED : Change.Type.ADDED;
    }
    return before ? Change.Type.DELETED : null;
  }
}
