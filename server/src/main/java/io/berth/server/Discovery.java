package io.berth.server;

import io.berth.api.Tree;
import io.berth.server.registry.Catalog;
import io.berth.server.registry.Served;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What is served where: groups, versions, resources.
final class Discovery {

  private final Catalog catalog;

  Discovery(Catalog catalog) {
    this.catalog = catalog;
  }

  @Nullable Tree find(String path) {
    var parts = path.substring(1).split("/", -1);
    if (path.equals("/api")) {
      return Tree.of(
          "kind",
          "APIVersions",
          "versions",
          List.of("v1"),
          "serverAddressByClientCIDRs",
          List.of());
    }
    if (path.equals("/apis")) {
      return groups();
    }
    if (parts[0].equals("api") && parts.length == 2) {
      return resources("", parts[1]);
    }
    if (parts[0].equals("apis") && parts.length == 2) {
      return groupTrees().get(parts[1]);
    }
    return parts[0].equals("apis") && parts.length == 3 ? resources(parts[1], parts[2]) : null;
  }

  private Tree groups() {
    return Tree.of(
        "kind",
        "APIGroupList",
        "apiVersion",
        "v1",
        "groups",
        new ArrayList<>(groupTrees().values()));
  }

  private Map<String, Tree> groupTrees() {
    var groups = new TreeMap<String, Tree>();
    for (var served : catalog.all()) {
      var group = served.resource().group();
      if (!group.isEmpty()) {
        var version =
            Tree.of(
                "groupVersion",
                served.resource().apiVersion(),
                "version",
                served.resource().version());
        var tree =
            groups.computeIfAbsent(
                group,
                _ -> Tree.of("name", group, "versions", List.of(), "preferredVersion", version));
        if (!tree.list("versions").contains(version)) {
          tree.childList("versions").add(version);
        }
      }
    }
    return groups;
  }

  private @Nullable Tree resources(String group, String version) {
    var resources = new ArrayList<@Nullable Object>();
    var all = new ArrayList<>(catalog.all());
    all.sort(Comparator.comparing(served -> served.resource().plural()));
    for (var served : all) {
      if (served.resource().group().equals(group) && served.resource().version().equals(version)) {
        resources.add(resource(served));
      }
    }
    return resources.isEmpty()
        ? null
        : Tree.of(
            "kind",
            "APIResourceList",
            "apiVersion",
            "v1",
            "groupVersion",
            group.isEmpty() ? version : group + "/" + version,
            "resources",
            resources);
  }

  private static Tree resource(Served served) {
    var resource = served.resource();
    return Tree.of(
        "name", resource.plural(),
        "singularName", resource.kind().toLowerCase(Locale.ROOT),
        "namespaced", resource.namespaced(),
        "kind", resource.kind(),
        "verbs",
            List.of(
                "create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"));
  }
}
