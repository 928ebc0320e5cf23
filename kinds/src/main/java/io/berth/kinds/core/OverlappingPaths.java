package io.berth.kinds.core;

import io.berth.api.FieldError;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Files of one volume that hide each other: the same path twice, or one below the other.
///
/// Mirrors: api/pod.warningsForOverlappingVirtualPaths
final class OverlappingPaths {

  private OverlappingPaths() {}

  /// A file, and what it comes from: `kind`, and the `origin` of that kind if it has names.
  private record Source(String path, String kind, @Nullable String origin) {

    static Source of(String path, String kind, @Nullable String origin) {
      int end = path.length();
      while (end > 0 && path.charAt(end - 1) == '/') {
        end--;
      }
      return new Source(path.substring(0, end), kind, origin);
    }

    boolean overlaps(Source other) {
      if (path.isEmpty() || other.path.isEmpty()) {
        return false;
      }
      return isAt(other.path) || other.isAt(path);
    }

    private boolean isAt(String other) {
      return path.startsWith(other)
          && (path.length() == other.length() || path.charAt(other.length()) == '/');
    }

    @Override
    public String toString() {
      return kind.isEmpty()
          ? FieldError.quoted(path)
          : FieldError.quoted(path) + " (" + described(kind, origin) + ")";
    }
  }

  static List<String> warnings(List<Tree> volumes) {
    var warnings = new ArrayList<String>();
    for (var volume : volumes) {
      var name = volume.textOrEmpty("name");
      if (volume.get("configMap") instanceof Tree map) {
        compare(name, "ConfigMap", map.textOrEmpty("name"), items(map, "", null), warnings);
      }
      if (volume.get("secret") instanceof Tree secret) {
        var origin = secret.textOrEmpty("secretName");
        compare(name, "Secret", origin, items(secret, "", null), warnings);
      }
      if (volume.get("downwardAPI") instanceof Tree downward) {
        compare(name, "DownwardAPI", null, items(downward, "", null), warnings);
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
        compare(name, "Projected", null, all, warnings);
      }
    }
    return warnings;
  }

  private static List<Source> projected(Tree source) {
    if (source.get("configMap") instanceof Tree map) {
      return items(map, "ConfigMap", map.textOrEmpty("name"));
    }
    if (source.get("secret") instanceof Tree secret) {
      return items(secret, "Secret", secret.textOrEmpty("name"));
    }
    if (source.get("downwardAPI") instanceof Tree downward) {
      return items(downward, "DownwardAPI", null);
    }
    if (source.get("serviceAccountToken") instanceof Tree token) {
      return List.of(Source.of(token.textOrEmpty("path"), "ServiceAccountToken", null));
    }
    if (source.get("clusterTrustBundle") instanceof Tree bundle) {
      var name = bundle.textOrEmpty(bundle.has("name") ? "name" : "signerName");
      return List.of(Source.of(bundle.textOrEmpty("path"), "ClusterTrustBundle", name));
    }
    return List.of();
  }

  private static List<Source> items(Tree source, String kind, @Nullable String origin) {
    var items = new ArrayList<Source>();
    for (var item : source.trees("items")) {
      items.add(Source.of(item.textOrEmpty("path"), kind, origin));
    }
    return items;
  }

  private static String described(String kind, @Nullable String origin) {
    return origin == null ? kind : kind + " " + FieldError.quoted(origin);
  }

  private static void compare(
      String volume,
      String kind,
      @Nullable String origin,
      List<Source> sources,
      List<String> warnings) {
    for (int i = 0; i < sources.size(); i++) {
      for (int earlier = 0; earlier < i; earlier++) {
        if (sources.get(i).overlaps(sources.get(earlier))) {
          warnings.add(
              "volume %s (%s): overlapping paths: %s with %s"
                  .formatted(
                      FieldError.quoted(volume),
                      described(kind, origin),
                      sources.get(i),
                      sources.get(earlier)));
        }
      }
    }
  }
}
