package io.berth.console.sight;

import io.berth.api.Resource;
import io.berth.codec.ClusterKind;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// What one caller sees: what they would get from the API, asked for at each request.
///
/// Made for one request and used by its thread; answers are remembered that long only. A stream
/// makes a new one every few seconds.
public final class Visibility {

  /// What the API answers about this caller; `namespace` and `name` are `""` for all of them.
  public interface Rights {

    boolean allow(String verb, Resource resource, String namespace, String name);
  }

  private final Rights rights;
  private final Map<List<String>, Boolean> known = new HashMap<>();

  public Visibility(Rights rights) {
    this.rights = rights;
  }

  /// Whether these can be listed there, or everywhere.
  public boolean lists(Resource resource, String namespace) {
    return listsAll(resource) || (!namespace.isEmpty() && ask(resource, namespace));
  }

  public boolean listsAll(Resource resource) {
    return ask(resource, "");
  }

  private boolean ask(Resource resource, String namespace) {
    return known.computeIfAbsent(
        List.of(resource.qualified(), namespace),
        _ -> rights.allow("list", resource, namespace, ""));
  }

  /// Whether this one object can be read.
  public boolean gets(Resource resource, String namespace, String name) {
    return rights.allow("get", resource, namespace, name);
  }

  public boolean seesNodes() {
    return listsAll(Resource.NODES);
  }

  public boolean seesPods(String namespace) {
    return lists(Resource.PODS, namespace);
  }

  /// `key` is `namespace/name`.
  public boolean seesPod(String key) {
    int slash = key.indexOf('/');
    return slash > 0 && seesPods(key.substring(0, slash));
  }

  public boolean seesEveryPod() {
    return listsAll(Resource.PODS);
  }

  /// Whether nothing that placement follows from is hidden, wherever it lies.
  public boolean seesEverything() {
    return ClusterKind.ALL.stream().allMatch(kind -> listsAll(kind.resource()));
  }

  /// Whether nothing is hidden that the placement of a pod of this namespace follows from, but pods
  /// and others of other namespaces.
  public boolean seesSurroundings(String namespace) {
    return ClusterKind.ALL.stream()
        .map(ClusterKind::resource)
        .allMatch(each -> each.namespaced() ? lists(each, namespace) : listsAll(each));
  }

  /// Of these namespaces, those whose pods are seen.
  public Set<String> podNamespaces(Collection<String> namespaces) {
    var seen = new TreeSet<String>();
    for (var namespace : namespaces) {
      if (seesPods(namespace)) {
        seen.add(namespace);
      }
    }
    return seen;
  }
}
