package io.berth.store;

import io.berth.api.Tree;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One object at one revision.
///
/// [#object()] is frozen and carries `metadata.resourceVersion` = `revision`; [#bytes()] is its
/// JSON, encoded once and shared by disk, lists and watches. Nobody may write to it.
///
/// The newest entries hold their tree. Those that live on in history only hold their bytes, a
/// quarter of the memory, and decode them again for the rare watcher that still asks.
public final class Entry {

  private static final WeakReference<Tree> NOT_DECODED = new WeakReference<>(null);

  private final Key key;
  private final long revision;
  private final byte[] bytes;
  private final Function<byte[], Tree> decode;

  /// A [Tree], or a [WeakReference] to one once nobody is expected to ask for it.
  private volatile Object tree;

  private volatile @Nullable SoftReference<byte[]> second;

  /// An entry read from disk: its tree is decoded when somebody asks.
  Entry(Key key, long revision, byte[] bytes, Function<byte[], Tree> decode) {
    this.key = key;
    this.revision = revision;
    this.bytes = bytes;
    this.decode = decode;
    this.tree = NOT_DECODED;
  }

  Entry(Key key, long revision, Tree object, byte[] bytes, Function<byte[], Tree> decode) {
    this.key = key;
    this.revision = revision;
    this.bytes = bytes;
    this.decode = decode;
    this.tree = object;
  }

  public Key key() {
    return key;
  }

  public long revision() {
    return revision;
  }

  public byte[] bytes() {
    return bytes;
  }

  public Tree object() {
    var held = tree;
    if (held instanceof Tree object) {
      return object;
    }
    var remembered = (Tree) ((WeakReference<?>) held).get();
    if (remembered != null) {
      return remembered;
    }
    var decoded = decode.apply(bytes).freeze();
    tree = new WeakReference<>(decoded);
    return decoded;
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
  public Entry shownAt(long newRevision, Function<Tree, byte[]> encode) {
    var shown = object().copy();
    shown.child("metadata").put("resourceVersion", String.valueOf(newRevision));
    return new Entry(key, newRevision, shown.freeze(), encode.apply(shown), decode);
  }

  /// Holds the tree from now on.
  void hold() {
    tree = object();
  }

  /// Lets the tree go as soon as nobody else holds it.
  void loosen() {
    if (tree instanceof Tree object) {
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
