package io.berth.clients;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Cluster.Selection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Creates, changes and deletes ConfigMaps of a few namespaces at random, and knows what an
/// informer of a [View] has to see of it.
///
/// Every write has a number, which is in the object; objects change their color now and then, and
/// so come into and leave a view that selects by it.
final class RandomWrites {

  static final List<String> NAMESPACES = List.of("north", "south", "west");
  private static final int NAMES = 20;

  private final Cluster cluster;
  private final Random random;
  private final Map<String, String> colors = new TreeMap<>();
  private final Map<String, Long> numbers = new HashMap<>();
  private final List<Write> done = new ArrayList<>();

  RandomWrites(Cluster cluster, long seed) {
    this.cluster = cluster;
    this.random = new Random(seed);
    for (var namespace : NAMESPACES) {
      cluster.create(
          Resource.NAMESPACES,
          Tree.of("apiVersion", "v1", "kind", "Namespace")
              .put("metadata", Tree.of("name", namespace)));
    }
  }

  /// What an informer selects; empty texts select everything.
  record View(String namespace, String color) {

    static final View ALL = new View("", "");

    private boolean has(String key, String itsColor) {
      return (namespace.isEmpty() || key.startsWith(namespace + "/"))
          && (color.isEmpty() || color.equals(itsColor));
    }

    String labelSelector() {
      return color.isEmpty() ? "" : "color=" + color;
    }
  }

  /// A color is empty where the object does not exist.
  private record Write(String key, long number, String before, String after) {}

  void write(int count) {
    for (int i = 0; i < count; i++) {
      write();
    }
  }

  private void write() {
    var namespace = NAMESPACES.get(random.nextInt(NAMESPACES.size()));
    var name = "cm-" + random.nextInt(NAMES);
    var key = namespace + "/" + name;
    var before = colors.getOrDefault(key, "");
    if (!before.isEmpty() && random.nextInt(5) == 0) {
      cluster.delete(Resource.CONFIG_MAPS, namespace, name, DeleteOptions.DEFAULT);
      colors.remove(key);
      done.add(new Write(key, numbers.getOrDefault(key, 0L), before, ""));
      return;
    }
    long number = done.size() + 1L;
    var after = random.nextInt(3) == 0 ? "blue" : "red";
    put(namespace, name, number, after, before.isEmpty());
    colors.put(key, after);
    numbers.put(key, number);
    done.add(new Write(key, number, before, after));
  }

  private void put(String namespace, String name, long number, String color, boolean create) {
    var labels = Tree.of("color", color);
    var data = Tree.of("number", String.valueOf(number));
    var object =
        Tree.of("apiVersion", "v1", "kind", "ConfigMap")
            .put("metadata", Tree.of("namespace", namespace, "name", name, "labels", labels))
            .put("data", data);
    if (create) {
      cluster.create(Resource.CONFIG_MAPS, object);
    } else if (random.nextBoolean()) {
      cluster.update(Resource.CONFIG_MAPS, null, object);
    } else {
      var patch = Tree.of("metadata", Tree.of("labels", labels), "data", data);
      var type = random.nextBoolean() ? PatchType.MERGE : PatchType.STRATEGIC;
      cluster.patch(Resource.CONFIG_MAPS, namespace, name, null, type, patch);
    }
  }

  /// By object, all that happened in a view, in the words of [EventLog].
  Map<String, List<String>> history(View view) {
    var history = new TreeMap<String, List<String>>();
    for (var write : done) {
      boolean was = !write.before.isEmpty() && view.has(write.key, write.before);
      boolean is = !write.after.isEmpty() && view.has(write.key, write.after);
      if (was || is) {
        var what = !is ? "deleted" : was ? "updated " + write.number : "added " + write.number;
        history.computeIfAbsent(write.key, _ -> new ArrayList<>()).add(what);
      }
    }
    return history;
  }

  /// By object, the revision it has in the server now.
  Map<String, String> revisions(View view) {
    var revisions = new TreeMap<String, String>();
    var page =
        cluster.list(Resource.CONFIG_MAPS, view.namespace, Selection.labels(view.labelSelector()));
    for (var item : page.items()) {
      revisions.put(
          item.textOrEmpty("metadata", "namespace") + "/" + item.textOrEmpty("metadata", "name"),
          item.textOrEmpty("metadata", "resourceVersion"));
    }
    return revisions;
  }
}
