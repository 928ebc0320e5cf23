package io.berth.admission.quota;

import io.berth.api.PodPhase;
import io.berth.api.PodResources;
import io.berth.api.Quantity;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Pods count by number and by what they request and are limited to, until they have ended.
final class PodEvaluator implements Evaluator {

  private static final String COUNT = "count/pods";
  private static final List<String> BOTH_SIDES = List.of("cpu", "memory", "ephemeral-storage");

  /// Quotas on these make containers state them: an old rule that newer resources do not have.
  private static final Set<String> STATED =
      Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

  private final InstantSource clock;
  private final Function<Tree, String> qosClass;

  PodEvaluator(InstantSource clock, Function<Tree, String> qosClass) {
    this.clock = clock;
    this.qosClass = qosClass;
  }

  @Override
  public boolean counts(String name) {
    if (name.equals(COUNT) || name.equals("pods")) {
      return true;
    }
    var bare = name.startsWith("requests.") ? name.substring("requests.".length()) : name;
    if (BOTH_SIDES.contains(bare) || bare.startsWith("hugepages-")) {
      return true;
    }
    if (name.startsWith("limits.")) {
      return BOTH_SIDES.contains(name.substring("limits.".length()));
    }
    return name.startsWith("requests.") && isExtended(bare);
  }

  private static boolean isExtended(String resource) {
    return resource.contains("/") && !resource.contains("kubernetes.io/");
  }

  @Override
  public Map<String, Quantity> usage(Tree pod) {
    var usage = new TreeMap<String, Quantity>();
    usage.put(COUNT, Quantity.of(1));
    if (!hasEnded(pod)) {
      ResourceList.add(
          usage,
          computed(
              PodResources.requests(pod.treeOrEmpty("spec")),
              PodResources.limits(pod.treeOrEmpty("spec"))));
    }
    return usage;
  }

  /// Terminal pods use nothing, nor do those that should be gone by now.
  private boolean hasEnded(Tree pod) {
    if (PodPhase.isTerminal(pod)) {
      return true;
    }
    var deletion = pod.text("metadata", "deletionTimestamp");
    return deletion != null
        && pod.at("metadata", "deletionGracePeriodSeconds") != null
        && clock.instant().isAfter(Instant.parse(deletion));
  }

  private static Map<String, Quantity> computed(
      Map<String, Quantity> requests, Map<String, Quantity> limits) {
    var usage = new TreeMap<String, Quantity>();
    usage.put("pods", Quantity.of(1));
    requests.forEach((name, quantity) -> {
      if (BOTH_SIDES.contains(name) || name.startsWith("hugepages-")) {
        usage.put(name, quantity);
        usage.put("requests." + name, quantity);
      } else if (isExtended(name)) {
        usage.put("requests." + name, quantity);
      }
    });
    limits.forEach((name, quantity) -> {
      if (BOTH_SIDES.contains(name)) {
        usage.put("limits." + name, quantity);
      }
    });
    return usage;
  }

  @Override
  public boolean isIn(Scope scope, Tree pod) {
    return switch (scope.name()) {
      case "Terminating" -> isTerminating(pod);
      case "NotTerminating" -> !isTerminating(pod);
      case "BestEffort" -> qosClass.apply(pod).equals("BestEffort");
      case "NotBestEffort" -> !qosClass.apply(pod).equals("BestEffort");
      case "PriorityClass" -> {
        var name = pod.textOrEmpty("spec", "priorityClassName");
        yield scope.selects(name.isEmpty() ? null : name);
      }
      case "CrossNamespacePodAffinity" -> crossesNamespaces(pod);
      default -> false;
    };
  }

  private static boolean isTerminating(Tree pod) {
    return pod.at("spec", "activeDeadlineSeconds") instanceof Long deadline && deadline >= 0;
  }

  private static boolean crossesNamespaces(Tree pod) {
    for (var kind : List.of("podAffinity", "podAntiAffinity")) {
      var affinity = pod.treeOrEmpty("spec", "affinity", kind);
      var terms = new ArrayList<>(affinity.trees("requiredDuringSchedulingIgnoredDuringExecution"));
      for (var weighted : affinity.trees("preferredDuringSchedulingIgnoredDuringExecution")) {
        terms.add(weighted.treeOrEmpty("podAffinityTerm"));
      }
      for (var term : terms) {
        if (!term.list("namespaces").isEmpty() || term.has("namespaceSelector")) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public Optional<String> missing(Iterable<String> names, Tree pod) {
    var required = new TreeSet<String>();
    names.forEach(required::add);
    required.retainAll(STATED);
    if (hasOwnResources(pod)) {
      return Optional.empty();
    }
    var missing = new TreeMap<String, Set<String>>();
    for (var list : List.of("containers", "initContainers")) {
      for (var container : pod.trees("spec", list)) {
        addMissing(missing, required, container);
      }
    }
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        missing.entrySet().stream()
            .map(entry -> entry.getKey() + " for: " + String.join(",", entry.getValue()))
            .collect(Collectors.joining("; ", "must specify ", "")));
  }

  private static boolean hasOwnResources(Tree pod) {
    var resources = pod.treeOrEmpty("spec", "resources");
    return !resources.treeOrEmpty("requests").isEmpty()
        || !resources.treeOrEmpty("limits").isEmpty();
  }

  private static void addMissing(
      Map<String, Set<String>> missing, Set<String> required, Tree container) {
    var stated =
        computed(
            Amounts.of(container.treeOrEmpty("resources", "requests")),
            Amounts.of(container.treeOrEmpty("resources", "limits")));
    for (var name : required) {
      if (!stated.containsKey(name)) {
        missing
            .computeIfAbsent(name, ignored -> new TreeSet<>())
            .add(container.textOrEmpty("name"));
      }
    }
  }

  /// Pods change what they use only by being resized, and their scope only by a deadline.
  @Override
  public boolean handlesUpdate(String subresource, Tree pod, Tree old) {
    return subresource.equals("resize") || isTerminating(pod) != isTerminating(old);
  }

  @Override
  public boolean handlesSubresource(String subresource) {
    return subresource.isEmpty() || subresource.equals("resize");
  }
}
