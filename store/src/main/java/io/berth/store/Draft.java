package io.berth.store;

import io.berth.api.Sharing;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Predicate;

/// A transaction under way: the state it would leave, and the changes that lead there.
///
/// Used by the one thread that runs the transaction. Dropping a draft undoes it.
final class Draft implements Transaction {

  private final Codec codec;
  private final Sharing sharing;
  private final Predicate<Key> expires;
  private final List<Change> changes = new ArrayList<>();
  private State state;
  private boolean over;

  /// What `expires` is hardly read and soon gone: nothing is gained by sharing its parts.
  Draft(State state, Codec codec, Sharing sharing, Predicate<Key> expires) {
    this.state = state;
    this.codec = codec;
    this.sharing = sharing;
    this.expires = expires;
  }

  @Override
  public Optional<Entry> find(Key key) {
    return checked().find(key);
  }

  @Override
  public List<Entry> list(Range range) {
    return checked().list(range, null, Integer.MAX_VALUE).entries();
  }

  @Override
  public List<Entry> listBy(Index index, String value) {
    return checked().listBy(index, value);
  }

  @Override
  public long nextRevision() {
    return checked().revision() + 1;
  }

  @Override
  public Entry put(Key key, Tree object) {
    var previous = checked().objects().find(key);
    var entry = entry(key, object);
    var type = previous == null ? Change.Type.ADDED : Change.Type.MODIFIED;
    changes.add(new Change(type, entry, previous));
    state = state.with(entry.revision(), key, entry, previous);
    return entry;
  }

  @Override
  public Entry delete(Key key) {
    var previous = checked().objects().find(key);
    if (previous == null) {
      throw new NoSuchElementException("there is no " + key);
    }
    var entry = entry(key, previous.object());
    changes.add(new Change(Change.Type.DELETED, entry, previous));
    state = state.with(entry.revision(), key, null, previous);
    return entry;
  }

  private Entry entry(Key key, Tree object) {
    long revision = nextRevision();
    var stamped = stamped(object, revision);
    stamped = expires.test(key) ? stamped.freeze() : sharing.freeze(stamped);
    return new Entry(key, revision, stamped, codec.encode().apply(stamped), codec.decode());
  }

  private static Tree stamped(Tree object, long revision) {
    var tree = object.isFrozen() ? shallowCopy(object) : object;
    var metadata = tree.tree("metadata");
    if (metadata != null && metadata.isFrozen()) {
      tree.put("metadata", shallowCopy(metadata));
    }
    tree.child("metadata").put("resourceVersion", Long.toString(revision));
    return tree;
  }

  // What is below stays shared: it is frozen.
  private static Tree shallowCopy(Tree tree) {
    var copy = new Tree();
    tree.forEach(copy::put);
    return copy;
  }

  List<Change> changes() {
    return changes;
  }

  State state() {
    return state;
  }

  /// From now on, whoever kept this transaction gets an error instead of a stale answer.
  void end() {
    over = true;
  }

  private State checked() {
    if (over) {
      throw new IllegalStateException("this transaction is over");
    }
    return state;
  }
}
