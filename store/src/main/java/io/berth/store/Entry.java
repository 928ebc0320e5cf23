package io.berth.store;

import io.berth.api.Tree;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One object at one revision.
///
/// [#object()] is frozen and carries `metadata.resourceVersion` = `revision`; [#bytes()] is its
/// JSON, encoded for the first who asks and shared by disk, lists and watches. Nobody may write to
/// it.
///
/// The newest entries hold their tree. Those that live on in history only hold their bytes once
/// they have some, and decode them again for the rare watcher that still asks.
public final class Entry {

  private static final WeakReference<Tree> NOT_DECODED = new WeakReference<>(null);

  private final Key key;
  private final long revision;
  private final Codec codec;
  private volatile byte @Nullable [] bytes;

  /// A [Tree]; or a [WeakReference] to one, beside bytes, once nobody is expected to ask for it; or
  /// the [Entry] that was deleted, whose object this is with another revision.
  private volatile Object tree;

  /// Under what it is found, by index; empty for most.
  private List<Collection<String>> indexValues = List.of();

  private volatile boolean loose;
  private volatile @Nullable SoftReference<byte[]> second;

  /// An entry read from disk: its tree is decoded when somebody asks.
  Entry(Key key, long revision, byte[] bytes, Codec codec) {
    this(key, revision, codec, NOT_DECODED);
    this.bytes = bytes;
  }

  /// An entry that was written: `object` is frozen.
  Entry(Key key, long revision, Tree object, Codec codec) {
    this(key, revision, codec, (Object) object);
  }

  private Entry(Key key, long revision, Codec codec, Object tree) {
    this.key = key;
    this.revision = revision;
    this.codec = codec;
    this.tree = tree;
  }

  public Key key() {
    return key;
  }

  public long revision() {
    return revision;
  }

  /// Notes under what it is found, before anybody else sees it: when it goes, its tree may be gone.
  void index(List<Index> indexes) {
    var values = new ArrayList<Collection<String>>(indexes.size());
    boolean found = false;
    for (var index : indexes) {
      var own = index.values().apply(key, object());
      found |= !own.isEmpty();
      values.add(own);
    }
    indexValues = found ? List.copyOf(values) : List.of();
  }

  Collection<String> indexValues(int index) {
    return indexValues.isEmpty() ? List.of() : indexValues.get(index);
  }

  public byte[] bytes() {
    var known = bytes;
    if (known != null) {
      return known;
    }
    var encoded = codec.encode().apply(object());
    bytes = encoded;
    if (loose) {
      loosen();
    }
    return encoded;
  }

  /// How many bytes of JSON this is: exactly once it is encoded, and before that about.
  int size() {
    var known = bytes;
    if (known != null) {
      return known.length;
    }
    return switch (tree) {
      case Tree object -> object.jsonSize();
      case Entry deleted -> deleted.size();
      default -> bytes().length;
    };
  }

  public Tree object() {
    return switch (tree) {
      case Tree object -> object;
      case Entry deleted -> lastOf(deleted);
      case WeakReference<?> reference ->
          reference.get() instanceof Tree remembered ? remembered : decoded();
      default -> throw new IllegalStateException("an entry cannot hold a " + tree.getClass());
    };
  }

  private Tree decoded() {
    var decoded = codec.decode().apply(bytes()).freeze();
    tree = new WeakReference<>(decoded);
    return decoded;
  }

  private Tree lastOf(Entry deleted) {
    var object = stamped(deleted.object(), revision).freeze();
    bytes = codec.encode().apply(object);
    tree = new WeakReference<>(object);
    return object;
  }

  /// What becomes of this object by its deletion: the same with that revision.
  Entry deleted(long deletion) {
    // The object of an event was let go long ago, and hardly anybody will ask for it again.
    return tree instanceof Tree object
        ? new Entry(key, deletion, stamped(object, deletion).freeze(), codec)
        : new Entry(key, deletion, codec, this);
  }

  /// The object with this revision: itself while it is mutable, else a copy of what differs.
  static Tree stamped(Tree object, long revision) {
    var stamped = object.isFrozen() ? object.shallowCopy() : object;
    var metadata = stamped.tree("metadata");
    if (metadata != null && metadata.isFrozen()) {
      stamped.put("metadata", metadata.shallowCopy());
    }
    stamped.child("metadata").put("resourceVersion", Long.toString(revision));
    return stamped;
  }

  /// The object in a second encoding: made by `encode` for the first who asks, shared by all who
  /// follow, and given up when memory is short. All callers must mean the same encoding.
  public byte[] bytes(Function<Tree, byte[]> encode) {
    var kept = second;
    var known = kept == null ? null : kept.get();
    if (known != null) {
      return known;
    }
    var made = encode.apply(object());
    second = new SoftReference<>(made);
    return made;
  }

  /// The same object with another revision: how a watcher is shown what left its selection.
  public Entry shownAt(long newRevision) {
    return new Entry(key, newRevision, stamped(object(), newRevision).freeze(), codec);
  }

  /// Holds the tree from now on.
  void hold() {
    tree = object();
  }

  /// Lets the tree go as soon as nobody else holds it and there are bytes to make it from.
  void loosen() {
    loose = true;
    if (bytes != null && tree instanceof Tree object) {
      tree = new WeakReference<>(object);
    }
  }

  /// The same object at the same revision.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Entry entry && entry.revision == revision && entry.key.equals(key);
  }

  @Override
  public int hashCode() {
    return Objects.hash(key, revision);
  }

  @Override
  public String toString() {
    return key + "@" + revision;
  }
}
