package io.berth.workloads.policy;

import io.berth.api.Tree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A field that policies may speak of.
///
/// @param path dotted, with the role in front where the workload has roles
/// @param key the field that names an item; empty unless the kind is [Kind#ITEMS]
/// @param attributes of items, by dotted path within the item
record PolicyField(String path, Kind kind, String key, Map<String, Kind> attributes) {

  /// In these sections a broader scope's rule stands against a narrower one.
  boolean isBroadestFirst() {
    return section().equals("compute") || section().equals("security");
  }

  /// The first word behind the role.
  String section() {
    var words = path.split("\\.", -1);
    return PolicyFields.ROLES.contains(words[0]) && words.length > 1 ? words[1] : words[0];
  }

  /// Everything but the last word: `worker.compute` of `worker.compute.cpuCoreLimit`.
  String parent() {
    int dot = path.lastIndexOf('.');
    return dot < 0 ? "" : path.substring(0, dot);
  }

  PolicyField inRole(String role) {
    return new PolicyField(role + "." + path, kind, key, attributes);
  }

  @Nullable Object in(Tree document) {
    return document.at(path.split("\\.", -1));
  }

  void put(Tree document, @Nullable Object value) {
    document.putAt(value, path.split("\\.", -1));
  }
}
