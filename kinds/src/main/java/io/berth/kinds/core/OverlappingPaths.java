package io.berth.kinds.core;

import io.berth.api.FieldError;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Files of one volume that hide each other: the same path twice, or one below the other.
final class OverlappingPaths {

  private OverlappingPaths() {}

  private record Source(String path, String name) {

    Source(String path, String name) {
      this.name = name;
      this.path = path.replaceAll("/+$", "");
    }

    boolean overlaps(Source other) {
      if (path.isEmpty() || other.path.isEmpty()) {
        return false;
      }
      var a = path + "/";
      var b = other.path + "/";
      return a.startsWith(b) || b.startsWith(a);
    }

    @Override
    public String toString() {
      return name.isEmpty() ? FieldError.quoted(path) : FieldError.quoted(path) + " (" + name + ")";
    }
  }

  static List<String> warnings(List<Tree> volumes) {
    var warnings = new ArrayList<String>();
    for (var volume : volumes) {
      var name = volume.textOrEmpty("name");
      if (volume.get("configMap") instanceof Tree map) {
        var what = "ConfigMap " + FieldError.quoted(map.textOrEmpty("name"));
        compare(name, what, items(map, ""), warnings);
      }
      if (volume.get("secret") instanceof Tree secret) {
        var what = "Secret " + FieldError.quoted(secret.textOrEmpty("secretName"));
        compare(name, what, items(secret, ""), warnings);
      }
      if (volume.get("downwardAPI") instanceof Tree downward) {
        compare(name, "DownwardAPI", items(downward, ""), warnings);
      }
      if (volume.get("projected") instanceof Tree projected) {
        var all = new ArrayList<Source>();
        for (var source : projected.trees("sources")) {
          if (source.isEmpty()) {
            warnings.add(
                "volume %s (Projected) has no sources provided".formatted(FieldError.quoted(name)));
          }
          all.addAll(projected(source));
        }
        compare(name, "Projected", all, warnings);
      }
    }
    return warnings;
  }

  private static List<Source> projected(Tree source) {
    if (source.get("configMap") instanceof Tree map) {
      return items(map, "ConfigMap " + FieldError.quoted(map.textOrEmpty("name")));
    }
    if (source.get("secret") instanceof Tree secret) {
      return items(secret, "Secret " + FieldError.quoted(secret.textOrEmpty("name")));
    }
    if (source.get("downwardAPI") instanceof Tree downward) {
      return items(downward, "DownwardAPI");
    }
    if (source.get("serviceAccountToken") instanceof Tree token) {
      return List.of(new Source(token.textOrEmpty("path"), "ServiceAccountToken"));
    }
    if (source.get("clusterTrustBundle") instanceof Tree bundle) {
      var name = bundle.textOrEmpty(bundle.has("name") ? "name" : "signerName");
      return List.of(
          new Source(bundle.textOrEmpty("path"), "ClusterTrustBundle " + FieldError.quoted(name)));
    }
    return List.of();
  }

  private static List<Source> items(Tree source, String name) {
    return source.trees("items").stream()
        .map(item -> new Source(item.textOrEmpty("path"), name))
        .toList();
  }

  private static void compare(
      String volume, String what, List<Source> sources, List<String> warnings) {
    for (int i = 0; i < sources.size(); i++) {
      for (int earlier = 0; earlier < i; earlier++) {
        if (sources.get(i).overlaps(sources.get(earlier))) {
          warnings.add(
              "volume %s (%s): overlapping paths: %s with %s"
                  .formatted(
                      FieldError.quoted(volume), what, sources.get(i), sources.get(earlier)));
        }
      }
    }
  }
}
