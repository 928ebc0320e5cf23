package io.berth.app;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/// The few `kubectl` command lines that the examples use, on a cluster in this process.
///
/// What a line changes on nodes is noted, and [#undo()] takes it back for the next example.
final class Kubectl {

  private static final Map<String, Resource> KINDS =
      Map.of(
          "namespace", Resource.NAMESPACES,
          "node", Resource.NODES,
          "pod", Resource.PODS,
          "deployment", Resource.DEPLOYMENTS,
          "daemonset", Resource.DAEMON_SETS,
          "statefulset", Resource.STATEFUL_SETS,
          "priorityclass", Resource.PRIORITY_CLASSES);
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  private final InProcessCluster cluster;
  private final Path folder;
  private final List<Runnable> undo = new ArrayList<>();

  Kubectl(InProcessCluster cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
  }

  void run(String line) throws IOException {
    var command = Line.parse(line);
    switch (command.word(1)) {
      case "create" -> create(command);
      case "apply" -> apply(command);
      case "label" -> label(command);
      case "taint" -> taint(command);
      case "patch" -> patch(command);
      case "delete" ->
          as(command)
              .delete(
                  kind(command.word(2)),
                  command.option("-n"),
                  command.word(3),
                  DeleteOptions.DEFAULT);
      default -> throw new IllegalArgumentException("no such command here: " + line);
    }
  }

  void undo() {
    undo.reversed().forEach(Runnable::run);
    undo.clear();
  }

  private void create(Line line) throws IOException {
    if (line.option("-f").isEmpty()) {
      as(line).create(kind(line.word(2)), Tree.of("metadata", Tree.of("name", line.word(3))));
      return;
    }
    for (var object : objects(line)) {
      as(line).create(kind(object.textOrEmpty("kind")), object);
    }
  }

  private void apply(Line line) throws IOException {
    for (var object : objects(line)) {
      var resource = kind(object.textOrEmpty("kind"));
      var meta = object.treeOrEmpty("metadata");
      try {
        as(line)
            .patch(
                resource,
                meta.textOrEmpty("namespace"),
                meta.textOrEmpty("name"),
                null,
                PatchType.STRATEGIC,
                object);
      } catch (ApiException e) {
        if (!e.is("NotFound")) {
          throw e;
        }
        as(line).create(resource, object);
      }
    }
  }

  private List<Tree> objects(Line line) throws IOException {
    var objects = Yaml.readAll(Files.readString(folder.resolve(line.option("-f"))));
    for (var object : objects) {
      var meta = object.child("metadata");
      if (kind(object.textOrEmpty("kind")).namespaced() && meta.text("namespace") == null) {
        meta.put("namespace", line.option("-n"));
      }
    }
    return objects;
  }

  private void label(Line line) {
    var labels = new Tree();
    for (var word : line.words().subList(4, line.words().size())) {
      if (word.endsWith("-")) {
        labels.put(word.substring(0, word.length() - 1), null);
      } else {
        var parts = word.split("=", 2);
        labels.put(parts[0], parts[1]);
      }
    }
    var resource = kind(line.word(2));
    var before =
        cluster.fetch(resource, line.option("-n"), line.word(3)).treeOrEmpty("metadata", "labels");
    merge(as(line), resource, line, labels);
    var restored = new Tree();
    labels.fields().keySet().forEach(key -> restored.put(key, before.text(key)));
    undo.add(() -> merge(cluster, resource, line, restored));
  }

  private static void merge(Cluster cluster, Resource resource, Line line, Tree labels) {
    cluster.patch(
        resource,
        line.option("-n"),
        line.word(3),
        null,
        PatchType.MERGE,
        Tree.of("metadata", Tree.of("labels", labels)));
  }

  /// `kubectl taint node NAME KEY=VALUE:EFFECT`
  private void taint(Line line) {
    var node = cluster.fetch(Resource.NODES, "", line.word(3));
    var parts = line.word(4).split("[=:]", 3);
    var taints = new ArrayList<>(node.trees("spec", "taints"));
    undo.add(() -> setTaints(cluster, line, List.copyOf(node.trees("spec", "taints"))));
    taints.add(Tree.of("key", parts[0], "value", parts[1], "effect", parts[2]));
    setTaints(as(line), line, taints);
  }

  private static void setTaints(Cluster cluster, Line line, List<Tree> taints) {
    cluster.patch(
        Resource.NODES,
        "",
        line.word(3),
        null,
        PatchType.MERGE,
        Tree.of("spec", Tree.of("taints", taints)));
  }

  private void patch(Line line) {
    var subresource = line.option("--subresource");
    as(line)
        .patch(
            kind(line.word(2)),
            line.option("-n"),
            line.word(3),
            subresource.isEmpty() ? null : subresource,
            PatchType.MERGE,
            Json.read(line.option("-p")));
  }

  private Cluster as(Line line) {
    var user = line.option("--as");
    return user.isEmpty() ? cluster : cluster.as(User.of(user, line.option("--as-group")));
  }

  private static Resource kind(String word) {
    return Objects.requireNonNull(
        KINDS.get(word.toLowerCase(java.util.Locale.ROOT)), "kind " + word);
  }

  /// Words and options of a command line; every option has a value.
  private record Line(List<String> words, Map<String, String> options) {

    static Line parse(String line) {
      var words = new ArrayList<String>();
      var options = new java.util.HashMap<String, String>();
      var parts =
          WORD.matcher(line)
              .results()
              .map(match -> match.group(1) == null ? match.group(2) : match.group(1))
              .toList();
      for (var i = 0; i < parts.size(); i++) {
        var part = parts.get(i);
        if (part.startsWith("--") && part.contains("=")) {
          options.put(part.substring(0, part.indexOf('=')), part.substring(part.indexOf('=') + 1));
        } else if (part.startsWith("-")) {
          options.put(part, parts.get(++i));
        } else {
          words.add(part);
        }
      }
      return new Line(words, options);
    }

    String word(int index) {
      return words.get(index);
    }

    String option(String name) {
      return options.getOrDefault(name, "");
    }
  }
}
