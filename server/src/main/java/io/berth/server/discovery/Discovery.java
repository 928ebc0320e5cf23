package io.berth.server.discovery;

import io.berth.api.ApiException;
import io.berth.api.FeatureGates;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.kinds.meta.VersionOrder;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// `/api`, `/apis` and what lies below them, in the plain and in the aggregated form.
///
/// Custom resources come and go through [#advertise] and [#withdraw].
public final class Discovery {

  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  /// What Kubernetes gives custom groups and their versions.
  private static final Foreign CUSTOM = new Foreign(1000, 100, List.of(), true);

  private final Map<String, List<Advertised>> builtIn;
  private final Map<String, List<Advertised>> custom = new ConcurrentHashMap<>();
  private volatile Map<String, Foreign> foreign = Map.of();

  /// What another API server serves in a group and version, in the aggregated form. A server that
  /// does not answer is not `fresh`.
  public record Foreign(
      int groupPriority, int versionPriority, List<Tree> resources, boolean fresh) {}

  public Discovery(FeatureGates gates) {
    builtIn = ResourceTable.read(gates);
  }

  /// Makes the resources of a custom group version known.
  public void advertise(String groupVersion, List<Advertised> resources) {
    custom.put(groupVersion, List.copyOf(resources));
  }

  public void withdraw(String groupVersion) {
    custom.remove(groupVersion);
  }

  /// Makes known what other servers serve, in place of what they did before.
  public void include(Map<String, Foreign> groupVersions) {
    foreign = Map.copyOf(groupVersions);
  }

  /// The groups and versions that other servers answer for.
  public Set<String> foreign() {
    return foreign.keySet();
  }

  /// Everything that is advertised and served here, by group version.
  public Map<String, List<Advertised>> all() {
    var all = new LinkedHashMap<>(builtIn);
    all.putAll(custom);
    return all;
  }

  /// The document at this path, or `null` when there is none.
  public @Nullable Answer find(Call call, String path) {
    if (path.equals("/api") || path.equals("/apis")) {
      return root(call, path.equals("/api"));
    }
    var parts = path.substring(1).split("/", -1);
    var document =
        switch (parts[0]) {
          case "api" -> parts.length == 2 ? resources(parts[1]) : null;
          case "apis" ->
              parts.length == 2
                  ? group(parts[1])
                  : parts.length == 3 ? resources(parts[1] + "/" + parts[2]) : null;
          default -> null;
        };
    return document == null ? null : Answer.of(200, "application/json", Json.write(document));
  }

  private Answer root(Call call, boolean core) {
    if (wantsAggregated(call.header("accept"))) {
      return aggregated(call, core);
    }
    var document =
        core
            ? Tree.of(
                "kind", "APIVersions",
                "versions", List.of("v1"),
                "serverAddressByClientCIDRs",
                    List.of(
                        Tree.of("clientCIDR", "0.0.0.0/0", "serverAddress", call.header("host"))))
            : Tree.of(
                "kind", "APIGroupList",
                "apiVersion", "v1",
                "groups", new ArrayList<@Nullable Object>(groups().values()));
    return Answer.of(200, "application/json", Json.write(document));
  }

  /// The first form in the header that is served; only what is neither is refused.
  private static boolean wantsAggregated(String accept) {
    if (accept.isBlank()) {
      return false;
    }
    for (var clause : accept.split(",", -1)) {
      var plain = clause.replace(" ", "");
      if (plain.contains("g=apidiscovery.k8s.io")) {
        if (plain.contains(";v=v2;") || plain.endsWith(";v=v2")) {
          return true;
        }
        continue;
      }
      if (plain.startsWith("application/json")
          || plain.startsWith("*/*")
          || plain.startsWith("application/*")
          || plain.startsWith("application/yaml")
          || plain.startsWith("application/vnd.kubernetes.protobuf")) {
        return false;
      }
    }
    throw new ApiException(
        406,
        "NotAcceptable",
        "only the following media types are accepted: application/json, application/yaml,"
            + " application/vnd.kubernetes.protobuf");
  }

  private Answer aggregated(Call call, boolean core) {
    var items = new ArrayList<@Nullable Object>();
    for (var group : versionsByGroup().entrySet()) {
      if (group.getKey().isEmpty() == core) {
        items.add(aggregatedGroup(group.getKey(), group.getValue()));
      }
    }
    var body =
        Json.write(
            Tree.of(
                "kind",
                "APIGroupDiscoveryList",
                "apiVersion",
                "apidiscovery.k8s.io/v2",
                "metadata",
                new Tree(),
                "items",
                items));
    var tag =
        "\""
            + HexFormat.of().formatHex(digest("SHA-512", body)).toUpperCase(java.util.Locale.ROOT)
            + "\"";
    var headers = new ArrayList<Map.Entry<String, String>>();
    headers.add(Map.entry("Content-Type", AGGREGATED));
    headers.add(Map.entry("ETag", tag));
    headers.add(Map.entry("Vary", "Accept"));
    headers.add(Map.entry("Cache-Control", "public"));
    return call.header("if-none-match").equals(tag)
        ? new Answer.Whole(304, headers, new byte[0])
        : new Answer.Whole(200, headers, body);
  }

  private Tree aggregatedGroup(String group, List<String> versions) {
    var trees = new ArrayList<@Nullable Object>();
    for (var version : versions) {
      var other = foreign.get(groupVersion(group, version));
      if (other != null) {
        trees.add(aggregatedVersion(version, other));
        continue;
      }
      var resources = new ArrayList<@Nullable Object>();
      for (var each : advertised(groupVersion(group, version))) {
        resources.add(AggregatedForm.resource(each));
      }
      trees.add(Tree.of("version", version, "resources", resources, "freshness", "Current"));
    }
    var meta = group.isEmpty() ? new Tree() : Tree.of("name", group);
    return Tree.of("metadata", meta, "versions", trees);
  }

  private static Tree aggregatedVersion(String version, Foreign other) {
    var tree = Tree.of("version", version);
    if (!other.resources().isEmpty()) {
      tree.put("resources", other.resources());
    }
    return tree.put("freshness", other.fresh() ? "Current" : "Stale");
  }

  /// A group on its own says what it is; in the list of all groups it does not.
  private @Nullable Tree group(String name) {
    var group = groups().get(name);
    if (group == null) {
      return null;
    }
    var document = Tree.of("kind", "APIGroup", "apiVersion", "v1");
    group.fields().forEach(document::put);
    return document;
  }

  private Map<String, Tree> groups() {
    Map<String, Tree> groups = new LinkedHashMap<>();
    for (var group : versionsByGroup().entrySet()) {
      if (group.getKey().isEmpty()) {
        continue;
      }
      var versions = new ArrayList<@Nullable Object>();
      for (var version : group.getValue()) {
        versions.add(
            Tree.of("groupVersion", groupVersion(group.getKey(), version), "version", version));
      }
      groups.put(
          group.getKey(),
          Tree.of(
              "name", group.getKey(),
              "versions", versions,
              "preferredVersion", versions.getFirst()));
    }
    return groups;
  }

  private Map<String, List<String>> versionsByGroup() {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    var all = new ArrayList<>(builtIn.keySet());
    var others = new HashSet<>(custom.keySet());
    var known = foreign;
    others.addAll(known.keySet());
    others.stream().sorted(order(known)).forEach(all::add);
    for (var groupVersion : all) {
      int slash = groupVersion.indexOf('/');
      groups
          .computeIfAbsent(
              slash < 0 ? "" : groupVersion.substring(0, slash), _ -> new ArrayList<>())
          .add(groupVersion.substring(slash + 1));
    }
    return groups;
  }

  /// Groups of higher priority come first, and their versions likewise. Among resources of one
  /// name, clients take the first: ours never stand before others'.
  private static Comparator<String> order(Map<String, Foreign> known) {
    var groups = new HashMap<String, Integer>();
    known.forEach((groupVersion, each) ->
        groups.merge(groupOf(groupVersion), each.groupPriority(), Math::max));
    return Comparator.<String, Boolean>comparing(each -> each.startsWith("berth.io/"))
        .thenComparingInt(each -> -groups.getOrDefault(groupOf(each), CUSTOM.groupPriority()))
        .thenComparing(Discovery::groupOf)
        .thenComparingInt(each -> -known.getOrDefault(each, CUSTOM).versionPriority())
        .thenComparing(VersionOrder.NEWEST_FIRST);
  }

  private static String groupOf(String groupVersion) {
    return groupVersion.substring(0, Math.max(0, groupVersion.indexOf('/')));
  }

  private List<Advertised> advertised(String groupVersion) {
    var found = builtIn.get(groupVersion);
    return found == null ? custom.getOrDefault(groupVersion, List.of()) : found;
  }

  private @Nullable Tree resources(String groupVersion) {
    if (!builtIn.containsKey(groupVersion) && !custom.containsKey(groupVersion)) {
      return null;
    }
    var resources = new ArrayList<@Nullable Object>();
    for (var each : advertised(groupVersion)) {
      resources.add(PlainForm.resource(each));
      for (var subresource : each.subresources()) {
        resources.add(PlainForm.subresource(each, subresource));
      }
    }
    var list = Tree.of("kind", "APIResourceList");
    // As in Kubernetes, the oldest list alone does not say its version.
    if (!groupVersion.equals("v1")) {
      list.put("apiVersion", "v1");
    }
    return list.put("groupVersion", groupVersion).put("resources", resources);
  }

  private static String groupVersion(String group, String version) {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /// What tells one storage version from another; clients compare it and read nothing into it.
  static String storageHash(String text) {
    var digest = digest("SHA-256", text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(digest, 8));
  }

  private static byte[] digest(String algorithm, byte[] bytes) {
    try {
      return MessageDigest.getInstance(algorithm).digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has " + algorithm, e);
    }
  }
}
