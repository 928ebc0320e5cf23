package io.berth.server.discovery;

import io.berth.api.FeatureGates;
import io.berth.api.Resource;
import io.berth.codec.TextResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The built-in resources, from the text beside this class, in the order of Kubernetes.
final class ResourceTable {

  private static final List<String> CRUD =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  private final Map<String, List<Advertised>> byGroupVersion = new LinkedHashMap<>();
  private String group = "";
  private String version = "";
  private List<Advertised.Subresource> subresources = new ArrayList<>();

  private final FeatureGates gates;

  private ResourceTable(FeatureGates gates) {
    this.gates = gates;
    TextResource.text(ResourceTable.class, "resources.txt")
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(this::read);
  }

  /// Resources by `v1` or `apps/v1`; a group version that names a gate is left out without it.
  static Map<String, List<Advertised>> read(FeatureGates gates) {
    return new ResourceTable(gates).byGroupVersion;
  }

  private void read(String line) {
    var words = line.split(" ", -1);
    if (words[0].equals("group")) {
      var parts = words[1].split("/", -1);
      group = parts.length == 1 ? "" : parts[0];
      version = parts[parts.length - 1];
      if (words.length < 3 || gates.isOn(words[2])) {
        byGroupVersion.put(words[1], new ArrayList<>());
      }
    } else if (words[0].startsWith("+")) {
      subresources.add(subresource(words));
    } else {
      resource(words);
    }
  }

  private void resource(String[] words) {
    subresources = new ArrayList<>();
    var resource = new Resource(group, version, words[0], words[1], words[2].equals("namespaced"));
    var entry =
        new Advertised(
            resource,
            words[3].equals("CRUD") ? CRUD : list(words[3]),
            words[4],
            list(words[5]),
            list(words[6]),
            subresources,
            words.length > 7 ? storage(words[7]) : group + "/" + version,
            null);
    byGroupVersion.getOrDefault(resource.apiVersion(), new ArrayList<>()).add(entry);
  }

  private static String storage(String word) {
    return word.equals("-") ? "" : word;
  }

  private static Advertised.Subresource subresource(String[] words) {
    var home = words.length > 3 ? words[3].split("/", -1) : new String[] {"", ""};
    return new Advertised.Subresource(
        words[0].substring(1), words[1], list(words[2]), home[0], home[1]);
  }

  private static List<String> list(String text) {
    return text.equals("-") ? List.of() : List.of(text.split(",", -1));
  }
}
