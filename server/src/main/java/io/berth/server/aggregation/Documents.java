package io.berth.server.aggregation;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What another server says about itself: its resources, and where its schemas are.
final class Documents {

  private final Remote remote;
  private final String target;
  private final RemoteClients clients;

  Documents(Remote remote, String target, RemoteClients clients) {
    this.remote = remote;
    this.target = target;
    this.clients = clients;
  }

  /// `list` is its `APIResourceList`; schemas are a courtesy, and a server may have none.
  Check.Found read(byte[] list, Check.Found before) throws InterruptedException {
    var swagger = swagger(before);
    return new Check.Found(
        Availability.PASSED,
        resources(tree(list), remote),
        openApi(),
        swagger.tree(),
        swagger.tag());
  }

  private String openApi() throws InterruptedException {
    var index = find("/openapi/v3", null);
    return index == null || index.statusCode() != 200
        ? ""
        : tree(index.body()).textOrEmpty("paths", path(), "serverRelativeURL");
  }

  private String path() {
    return remote.path().substring(1);
  }

  private record Swagger(@Nullable Tree tree, String tag) {}

  private Swagger swagger(Check.Found before) throws InterruptedException {
    var known = new Swagger(before.swagger(), before.swaggerTag());
    var answer = find("/openapi/v2", known.tag.isEmpty() ? null : known.tag);
    if (answer == null || answer.statusCode() != 200) {
      return known;
    }
    var tag = answer.headers().firstValue("etag").orElse("");
    return new Swagger(own(tree(answer.body())), tag);
  }

  /// The part of a document that is about this group and version.
  private Tree own(Tree document) {
    var paths = new Tree();
    document
        .treeOrEmpty("paths")
        .fields()
        .forEach((path, value) -> {
          if (path.equals(remote.path() + "/") || path.startsWith(remote.path() + "/")) {
            paths.put(path, value);
          }
        });
    return Tree.of("paths", paths, "definitions", document.treeOrEmpty("definitions"));
  }

  private @Nullable HttpResponse<byte[]> find(String path, @Nullable String tag)
      throws InterruptedException {
    try {
      return clients.get(remote, target, path, tag);
    } catch (IOException e) {
      return null;
    }
  }

  private static Tree tree(byte[] json) {
    try {
      return Json.read(json);
    } catch (SyntaxException e) {
      return new Tree();
    }
  }

  /// An `APIResourceList` in the form of aggregated discovery, subresources below their resource.
  static List<Tree> resources(Tree list, Remote remote) {
    var resources = new LinkedHashMap<String, Tree>();
    var below = new LinkedHashMap<String, List<@Nullable Object>>();
    for (var each : list.trees("resources")) {
      var name = each.textOrEmpty("name");
      int slash = name.indexOf('/');
      if (slash < 0) {
        resources.put(name, resource(each, remote));
      } else {
        below
            .computeIfAbsent(name.substring(0, slash), _ -> new ArrayList<>())
            .add(
                Tree.of("subresource", name.substring(slash + 1))
                    .put("responseKind", kind(each, remote))
                    .put("verbs", each.list("verbs")));
      }
    }
    below.forEach((name, subresources) -> {
      var resource = resources.get(name);
      if (resource != null) {
        resource.put("subresources", subresources);
      }
    });
    return List.copyOf(resources.values());
  }

  private static Tree resource(Tree each, Remote remote) {
    var tree =
        Tree.of("resource", each.textOrEmpty("name"))
            .put("responseKind", kind(each, remote))
            .put("scope", each.flag("namespaced") ? "Namespaced" : "Cluster")
            .put("singularResource", each.textOrEmpty("singularName"))
            .put("verbs", each.list("verbs"));
    for (var names : List.of("shortNames", "categories")) {
      if (!each.list(names).isEmpty()) {
        tree.put(names, each.list(names));
      }
    }
    return tree;
  }

  private static Tree kind(Tree each, Remote remote) {
    boolean foreign = !each.textOrEmpty("version").isEmpty();
    return Tree.of("group", foreign ? each.textOrEmpty("group") : remote.group())
        .put("version", foreign ? each.textOrEmpty("version") : remote.version())
        .put("kind", each.textOrEmpty("kind"));
  }
}
