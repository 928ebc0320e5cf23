package io.berth.store;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;

/// A way to find objects other than by key: `values` says under which values an object is found.
///
/// Given to the store when it is made, kept up to date with every write, and as consistent as the
/// objects themselves. `values` runs inside every transaction: it must be quick, and depend on
/// nothing but its arguments.
public record Index(String name, BiFunction<Key, Tree, Collection<String>> values) {

  /// Pods by `spec.nodeName`.
  public static final Index PODS_BY_NODE =
      new Index(
          "podsByNode",
          (key, object) ->
              key.resource().equals("pods") ? at(object, "spec", "nodeName") : List.of());

  /// Events by the uid of the object they are about, in the form of either API group.
  public static final Index EVENTS_BY_OBJECT =
      new Index(
          "eventsByObject",
          (key, object) -> {
            if (!key.resource().equals("events")) {
              return List.of();
            }
            var core = at(object, "involvedObject", "uid");
            return core.isEmpty() ? at(object, "regarding", "uid") : core;
          });

  /// Objects of every resource by the uids of their owners.
  public static final Index OBJECTS_BY_OWNER =
      new Index("objectsByOwner", (key, object) -> owners(object));

  private static List<String> at(Tree object, String... path) {
    var text = object.textOrEmpty(path);
    return text.isEmpty() ? List.of() : List.of(text);
  }

  private static List<String> owners(Tree object) {
    var owners = object.trees("metadata", "ownerReferences");
    if (owners.isEmpty()) {
      return List.of();
    }
    var uids = new ArrayList<String>(owners.size());
    for (var owner : owners) {
      var uid = owner.text("uid");
      if (uid != null) {
        uids.add(uid);
      }
    }
    return uids;
  }
}
