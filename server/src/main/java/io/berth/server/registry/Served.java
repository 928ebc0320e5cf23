package io.berth.server.registry;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Conversion;
import io.berth.kinds.Kind;
import io.berth.kinds.custom.CustomVersion;
import io.berth.schema.apply.Versions;
import io.berth.store.Entry;
import io.berth.store.Key;
import io.berth.store.Range;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A resource as one group and version serves it, and the kind that is stored behind it.
///
/// `custom` is the version of a custom kind that is served here and `versions` are all of them;
/// `null` for built-in kinds.
public record Served(
    Resource resource,
    Kind kind,
    @Nullable Conversion conversion,
    @Nullable CustomVersion custom,
    @Nullable Versions versions) {

  public Served(Resource resource, Kind kind, @Nullable Conversion conversion) {
    this(resource, kind, conversion, null, null);
  }

  public boolean isCustom() {
    return custom != null;
  }

  /// The kind of a list of these.
  public String listKind() {
    return custom == null ? resource.kind() + "List" : custom.listKind();
  }

  /// Whether stored objects are served as they are.
  public boolean isStorage() {
    return conversion == null;
  }

  public Resource storage() {
    return kind.resource();
  }

  public Key key(String namespace, String name) {
    var storage = kind.resource();
    return new Key(storage.group(), storage.plural(), storage.namespaced() ? namespace : "", name);
  }

  public Range range(String namespace) {
    var storage = kind.resource();
    return new Range(storage.group(), storage.plural(), storage.namespaced() ? namespace : "");
  }

  /// The stored object as this version shows it.
  public Tree present(Tree stored) {
    return conversion == null ? stored : conversion.fromStorage(stored);
  }

  /// The object as a write is judged: as it is stored, but for [#judged()].
  public Tree store(Tree served) {
    return conversion == null ? served : conversion.toStorage(served);
  }

  /// Stored objects as this version shows them, in their order.
  public List<Tree> presentAll(List<Entry> entries) {
    var stored = entries.stream().map(Entry::object).toList();
    return conversion == null ? stored : conversion.fromStorage(stored);
  }

  /// The resource whose form an object has while a write is judged.
  public Resource judged() {
    return judgesServed() ? resource : storage();
  }

  boolean judgesServed() {
    return conversion != null && conversion.judgesServed();
  }

  /// The stored object as this version's rules compare it with a new state.
  public Tree before(Tree stored) {
    return custom == null ? stored : store(present(stored));
  }

  /// The object as it goes into the store, after all rules. May go over the network.
  public Tree settled(Tree object) {
    return conversion == null ? object : conversion.settled(object);
  }
}
