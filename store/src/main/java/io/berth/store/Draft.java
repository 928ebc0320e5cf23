package io.berth.store;

import io.berth.api.Sharing;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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

  /// The key asked for last since the last change, and what was found under it.
  private @Nullable Key asked;

  private @Nullable Entry answer;

  /// What `expires` is hardly read and soon gone: nothing is gained by sharing its parts.
  Draft(State state, Codec codec, Sharing sharing, Predicate<Key> expires) {
    this.state = state;
    this.codec = codec;
    this.sharing = sharing;
    this.expires = expires;
  }

  @Override
  public Optional<Entry> find(Key key) {
    return Optional.ofNullable(current(key));
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
    var previous = current(key);
    var own = previous == null ? shared(key) : previous.key();
    var entry = entry(own, object);
    var type = previous == null ? Change.Type.ADDED : Change.Type.MODIFIED;
    add(new Change(type, entry, previous), entry);
    return entry;
  }

  @Override
  public Entry delete(Key key) {
    var previous = current(key);
    if (previous == null) {
      throw new NoSuchElementException("there is no " + key);
    }
    var entry = previous.deleted(nextRevision());
    add(new Change(Change.Type.DELETED, entry, previous), null);
    return entry;
  }

  private void add(Change change, @Nullable Entry entry) {
    changes.add(change);
    state = state.with(change.revision(), change.entry().key(), entry, change.previous());
    asked = null;
  }

  /// What is there now; mostly the transaction has just asked for it.
  @SuppressWarnings("ReferenceEquality")
  private @Nullable Entry current(Key key) {
    var now = checked();
    if (asked != key) {
      answer = now.objects().find(key);
      asked = key;
    }
    return answer;
  }

  private Entry entry(Key key, Tree object) {
    long revision = nextRevision();
    var stamped = Entry.stamped(object, revision);
    var frozen = expires.test(key) ? stamped.freeze() : sharing.freeze(stamped);
    return new Entry(key, revision, frozen, codec);
  }

  // Keys are compared all the time, and with one object per namespace that is done at once.
  private Key shared(Key key) {
    return new Key(key.group(), key.resource(), sharing.text(key.namespace()), key.name());
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
