package io.berth.admission.podsecurity;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Phrases that the rules share, and walks over containers.
final class Words {

  private Words() {}

  static List<Tree> containers(Tree pod) {
    var containers = new ArrayList<Tree>();
    for (var list : List.of("initContainers", "containers", "ephemeralContainers")) {
      containers.addAll(pod.trees("spec", list));
    }
    return containers;
  }

  /// Names of the containers whose security context is so.
  static List<String> containersWhose(Tree pod, Predicate<Tree> securityContext) {
    return containers(pod).stream()
        .filter(container -> securityContext.test(container.treeOrEmpty("securityContext")))
        .map(container -> container.textOrEmpty("name"))
        .toList();
  }

  static boolean isWindows(Tree pod) {
    return pod.textOrEmpty("spec", "os", "name").equals("windows");
  }

  /// Whether the pod's users are nobody on the node.
  static boolean hasOwnUsers(Tree pod) {
    return Boolean.FALSE.equals(pod.at("spec", "hostUsers"));
  }

  static String quoted(Collection<String> names) {
    return names.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
  }

  static String plural(String one, String many, int count) {
    return count == 1 ? one : many;
  }

  /// `container "a"` or `containers "a", "b"`.
  static String containerList(Collection<String> names) {
    return plural("container", "containers", names.size()) + " " + quoted(names);
  }
}
