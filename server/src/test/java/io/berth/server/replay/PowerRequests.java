package io.berth.server.replay;

import io.berth.api.Tree;
import io.berth.server.TestServer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Every request that the table of power has a row for: each method on each form of path of each
/// resource and subresource that a server tells of, the paths that are no resources, and questions
/// about verbs that no request has.
///
/// None changes anything: bodies are no JSON and names are of nothing.
final class PowerRequests {

  private static final List<String> PATHS =
      List.of(
          "/",
          "/.well-known/openid-configuration",
          "/api",
          "/api/",
          "/api/v1",
          "/api/v1/",
          "/apis",
          "/apis/apps",
          "/apis/apps/v1",
          "/apis/nowhere/v1",
          "/berth/v1/snapshot",
          "/debug/pprof/",
          "/flagz",
          "/healthz",
          "/healthz/etcd",
          "/livez",
          "/livez/ping",
          "/logs",
          "/metrics",
          "/metrics/slis",
          "/nowhere",
          "/nowhere/below",
          "/openapi",
          "/openapi/v2",
          "/openapi/v3",
          "/openapi/v3/api/v1",
          "/openid/v1/jwks",
          "/readyz",
          "/readyz/ping",
          "/statusz",
          "/version",
          "/version/",
          "//version",
          "/versions");
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
  private static final List<String> SPECIAL =
      List.of(
          "use", "bind", "escalate", "impersonate", "approve", "sign", "attest", "proxy", "*", "");
  private static final List<String> ASKED_ABOUT =
      List.of(
          "/users/",
          "/groups/",
          "/serviceaccounts/",
          "authentication.k8s.io/uids/",
          "authentication.k8s.io/userextras/scopes",
          "certificates.k8s.io/signers/",
          "certificates.k8s.io/certificatesigningrequests/approval",
          "certificates.k8s.io/certificatesigningrequests/nodeclient",
          "certificates.k8s.io/certificatesigningrequests/selfnodeclient",
          "rbac.authorization.k8s.io/roles/",
          "rbac.authorization.k8s.io/clusterroles/",
          "policy/podsecuritypolicies/",
          "*/*/",
          "power.example.com/widgets/");

  private final Set<String> requests = new LinkedHashSet<>();

  private PowerRequests() {}

  /// `METHOD path`, or `verb ? group/resource/subresource namespace name` for a question.
  static Set<String> of(TestServer server) {
    var all = new PowerRequests();
    var versions = new ArrayList<>(List.of("/api/v1"));
    for (var group : TestServer.json(server.get("admin", "/apis")).trees("groups")) {
      for (var version : group.trees("versions")) {
        versions.add("/apis/" + version.textOrEmpty("groupVersion"));
      }
    }
    for (var version : versions) {
      for (var resource : TestServer.json(server.get("admin", version)).trees("resources")) {
        all.add(version + "/", resource);
      }
    }
    for (var path : PATHS) {
      all.add(METHODS, path);
    }
    for (var verb : SPECIAL) {
      for (var resource : ASKED_ABOUT) {
        for (var place : List.of(" ", " x", "power ", "power x", "other x")) {
          all.requests.add("%s ? %s %s".formatted(verb, resource, place));
        }
      }
    }
    return all.requests;
  }

  private void add(String root, Tree resource) {
    var names = resource.textOrEmpty("name").split("/", 2);
    boolean namespaced = resource.flag("namespaced");
    var sub = names.length > 1 ? "/" + names[1] : "";
    var first = root + (namespaced ? "namespaces/power/" : "") + names[0];
    var watched = root + "watch/" + first.substring(root.length());
    add(METHODS, first + "/x" + sub);
    add(List.of("GET", "PUT", "DELETE"), watched + "/x" + sub);
    if (sub.isEmpty()) {
      add(METHODS, first);
      add(List.of("GET", "POST", "DELETE"), watched);
      addQueries(first, watched);
    }
    if (namespaced) {
      add(List.of("GET", "PATCH"), root + "namespaces/other/" + names[0] + "/x" + sub);
      add(List.of("GET", "POST", "DELETE"), root + names[0] + "/x" + sub);
    }
    if (namespaced && sub.isEmpty()) {
      add(List.of("GET", "POST"), root + "namespaces/other/" + names[0]);
      add(List.of("GET", "POST", "DELETE"), root + names[0]);
      add(List.of("GET"), root + names[0] + "?watch=1");
      add(List.of("GET"), root + names[0] + "?fieldSelector=spec.nodeName%3Dnode-a");
      add(List.of("GET"), root + "watch/" + names[0]);
    }
    if (!namespaced) {
      add(List.of("GET", "PUT", "DELETE"), first + "/node-a" + sub);
    }
    if (names[0].equals("leases")) {
      add(METHODS, root + "namespaces/kube-node-lease/leases/node-a");
    }
    add(List.of("GET", "DELETE"), first + "/x" + sub + "/");
    add(List.of("GET", "DELETE"), first + "/x" + sub + "/more");
    add(List.of("GET", "POST"), root + "proxy/" + first.substring(root.length()) + "/x" + sub);
    add(List.of("GET", "POST"), root + "/" + first.substring(root.length()) + "/x" + sub);
  }

  private void addQueries(String collection, String watched) {
    add(List.of("GET", "DELETE"), collection + "?fieldSelector=metadata.name%3Dx");
    add(List.of("GET"), collection + "?fieldSelector=spec.nodeName%3Dnode-a");
    add(List.of("GET"), collection + "?watch=1");
    add(List.of("GET"), collection + "?watch=1&fieldSelector=metadata.name%3Dx");
    add(List.of("GET"), collection + "/x?watch=1");
    add(List.of("GET"), watched + "?fieldSelector=metadata.name%3Dx");
    add(List.of("GET"), watched + "?fieldSelector=spec.nodeName%3Dnode-a");
  }

  private void add(List<String> methods, String path) {
    methods.forEach(method -> requests.add(method + " " + path));
  }
}
