package io.berth.controllers.core;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Who owns whom, by uid: every object that exists, and the objects that refer to each uid.
///
/// Only what collection needs is kept of an object. All methods take the graph's lock.
final class OwnerGraph {

  private final Map<String, Item> items = new HashMap<>();
  private final Map<String, Set<String>> dependents = new HashMap<>();

  synchronized Item put(Resource resource, Tree object) {
    var item = Item.of(resource, object);
    var old = items.put(item.uid, item);
    if (old != null) {
      unlink(old);
    }
    for (var owner : item.owners) {
      dependents.computeIfAbsent(owner, _ -> new HashSet<>()).add(item.uid);
    }
    return item;
  }

  synchronized void remove(String uid) {
    var old = items.remove(uid);
    if (old != null) {
      unlink(old);
    }
  }

  synchronized @Nullable Item find(String uid) {
    return items.get(uid);
  }

  /// The owner that a reference in `namespace` means; one of that uid which has another name or
  /// kind, or is in another namespace, is not it.
  synchronized @Nullable Item meant(Tree reference, String namespace) {
    var item = items.get(reference.textOrEmpty("uid"));
    return item != null && item.isCalledBy(reference) && item.mayOwnIn(namespace) ? item : null;
  }

  synchronized boolean contains(String uid) {
    return items.containsKey(uid);
  }

  synchronized List<Item> dependentsOf(String uid) {
    var found = new ArrayList<Item>();
    for (var dependent : dependents.getOrDefault(uid, Set.of())) {
      var item = items.get(dependent);
      if (item != null) {
        found.add(item);
      }
    }
    return found;
  }

  private void unlink(Item item) {
    for (var owner : item.owners) {
      dependents.computeIfPresent(
          owner,
          (_, all) -> {
            all.remove(item.uid);
            return all.isEmpty() ? null : all;
          });
    }
  }

  /// An object as the collector sees it. `blocking` are the owners that wait for it to go.
  record Item(
      String uid,
      Resource resource,
      String namespace,
      String name,
      Set<String> owners,
      Set<String> blocking,
      boolean deleting,
      boolean foreground,
      boolean orphaning) {

    /// Whether a reference in that namespace can mean it.
    boolean mayOwnIn(String dependents) {
      return namespace.isEmpty() || namespace.equals(dependents);
    }

    private boolean isCalledBy(Tree reference) {
      var apiVersion = reference.textOrEmpty("apiVersion");
      var group = apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
      return group.equals(resource.group())
          && resource.kind().equals(reference.text("kind"))
          && name.equals(reference.text("name"));
    }

    static Item of(Resource resource, Tree object) {
      var owners = new HashSet<String>();
      var blocking = new HashSet<String>();
      for (var owner : Meta.owners(object)) {
        owners.add(owner.textOrEmpty("uid"));
        if (owner.flag("blockOwnerDeletion")) {
          blocking.add(owner.textOrEmpty("uid"));
        }
      }
      return new Item(
          Meta.uid(object),
          resource,
          Meta.namespace(object),
          Meta.name(object),
          owners,
          blocking,
          Meta.isDeleting(object),
          Meta.isDeleting(object) && Meta.hasFinalizer(object, "foregroundDeletion"),
          Meta.isDeleting(object) && Meta.hasFinalizer(object, "orphan"));
    }
  }
}
