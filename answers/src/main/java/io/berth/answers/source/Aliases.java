package io.berth.answers.source;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Gives everything that somebody named another name, the same one wherever it stands: names of
/// objects, labels and their values, images. Whom a selector means, it means afterwards.
///
/// Numbers stay, since rules compare them, and so do names that Kubernetes or Berth gave.
public final class Aliases {

  private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9.]+[A-Za-z]{0,2}");
  private static final Pattern GIVEN =
      Pattern.compile("(.*\\.)?(kubernetes\\.io|k8s\\.io|berth\\.io)(/.*)?");

  /// Names in such fields are users'; those in others are words of Kubernetes.
  private static final Set<String> NAMES =
      Set.of(
          "name",
          "namespace",
          "namespaces",
          "uid",
          "nodeName",
          "nominatedNodeName",
          "claimName",
          "volumeName",
          "storageClassName",
          "priorityClassName",
          "image",
          "names",
          "value",
          "values",
          "podGroupName",
          "serviceName",
          "persistentVolumeName",
          "pdName",
          "volumeID",
          "volumeHandle",
          "diskURI",
          "iqn",
          "monitors",
          "pool");

  private static final Set<String> KEYS = Set.of("key", "topologyKey", "matchLabelKeys");

  private static final Set<String> MAPS =
      Set.of("labels", "matchLabels", "nodeSelector", "annotations");

  private final Map<String, String> aliases = new HashMap<>();
  private final Set<String> drivers = new HashSet<>();

  /// For these objects. Names of drivers stay: some mean what others once were called.
  public Aliases(Collection<Tree> objects) {
    for (var object : objects) {
      if (object.textOrEmpty("kind").equals("CSIDriver")) {
        drivers.add(object.textOrEmpty("metadata", "name"));
      }
      drivers.add(object.textOrEmpty("provisioner"));
      object.trees("spec", "drivers").forEach(driver -> drivers.add(driver.textOrEmpty("name")));
    }
  }

  /// A copy in which nobody recognises anything.
  public Tree of(Tree object) {
    return tree(object);
  }

  private Tree tree(Tree tree) {
    var copy = new Tree();
    for (var name : tree.names()) {
      var value = tree.get(name);
      boolean selects = name.equals("selector") && isPlain(value);
      copy.put(name, MAPS.contains(name) || selects ? map(value) : part(name, value));
    }
    return copy;
  }

  // Services select by a map, others by a selector.
  private static boolean isPlain(@Nullable Object value) {
    return value instanceof Tree tree
        && tree.names().stream().allMatch(name -> tree.get(name) instanceof String);
  }

  private @Nullable Object map(@Nullable Object value) {
    if (!(value instanceof Tree tree)) {
      return value;
    }
    var copy = new Tree();
    for (var name : tree.names()) {
      copy.put(alias(name), tree.get(name) instanceof String text ? alias(text) : tree.get(name));
    }
    return copy;
  }

  private @Nullable Object part(String name, @Nullable Object value) {
    return switch (value) {
      case Tree tree -> tree(tree);
      case List<?> list -> {
        var copy = new ArrayList<@Nullable Object>();
        list.forEach(each -> copy.add(part(name, each)));
        yield copy;
      }
      case String text -> NAMES.contains(name) || KEYS.contains(name) ? alias(text) : text;
      case null, default -> value;
    };
  }

  /// Resources are known by their names, and numbers by what they are.
  private String alias(String word) {
    boolean kept = word.isEmpty() || NUMBER.matcher(word).matches() || isKept(word);
    return kept ? word : aliases.computeIfAbsent(word, _ -> "a" + (aliases.size() + 1));
  }

  private boolean isKept(String word) {
    return drivers.contains(word)
        || GIVEN.matcher(word).matches()
        || word.equals("default-scheduler")
        || word.equals("metadata.name")
        || word.equals("true")
        || word.equals("false");
  }
}
