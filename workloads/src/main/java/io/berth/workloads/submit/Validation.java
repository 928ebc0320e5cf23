package io.berth.workloads.submit;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What must hold in a specification beyond the types of its fields.
final class Validation {

  private static final double LEAST_PORTION = 0.001;

  private final List<String> problems = new ArrayList<>();
  private final Set<String> poolLabels;

  private Validation(Set<String> poolLabels) {
    this.poolLabels = poolLabels;
  }

  /// Everything that is wrong with the specification of one role, with the field it is in.
  static List<String> problems(Tree spec, String path, Set<String> poolLabels) {
    var validation = new Validation(poolLabels);
    validation.checkPod(spec, path);
    return validation.problems;
  }

  private void checkPod(Tree spec, String path) {
    if (spec.textOrEmpty("image").isEmpty()) {
      problem(
          path + ".image",
          "an image is required; neither the request nor policy or template gives one");
    }
    checkCompute(spec.treeOrEmpty("compute"), path + ".compute");
    checkEnvironment(spec.trees("environmentVariables"), path + ".environmentVariables");
    checkTolerations(spec.trees("tolerations"), path + ".tolerations");
    problems.addAll(Affinities.problems(spec, path, poolLabels));
    checkPreferred(spec.trees("nodeAffinityPreferred"), path + ".nodeAffinityPreferred");
    for (var field : List.of("podAffinity", "podAntiAffinity")) {
      var affinity = spec.tree(field);
      if (affinity != null
          && (affinity.textOrEmpty("type").isEmpty() != affinity.textOrEmpty("key").isEmpty())) {
        problem(path + "." + field, "type and key belong together; give both or neither");
      }
      if (affinity != null) {
        checkTopologyKey(affinity.textOrEmpty("key"), path + "." + field + ".key");
      }
    }
    for (var constraint : spec.trees("topologySpreadConstraints")) {
      checkTopologyKey(
          constraint.textOrEmpty("topologyKey"), path + ".topologySpreadConstraints.topologyKey");
    }
    var priority = spec.textOrEmpty("priorityClass");
    if (!priority.isEmpty() && !Priorities.exists(priority)) {
      problem(
          path + ".priorityClass",
          "\"%s\" is none of %s".formatted(priority, String.join(", ", Priorities.all().keySet())));
    }
    checkNames(spec, path);
    var groups = spec.textOrEmpty("security", "supplementalGroups");
    if (!groups.matches("([0-9]{1,10}([, ]+[0-9]{1,10})*+)?")) {
      problem(
          path + ".security.supplementalGroups",
          "\"%s\" is no list of group ids, such as 1000,2000".formatted(groups));
    }
  }

  private void checkTopologyKey(String key, String path) {
    if (!key.isEmpty() && !Affinities.isKey(key)) {
      problem(path, "\"%s\" is no label key".formatted(key));
    }
  }

  private void checkNames(Tree spec, String path) {
    for (var field : List.of("labels", "annotations")) {
      for (var each : spec.trees(field)) {
        if (!each.textOrEmpty("name")
            .matches(
                "([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")) {
          problem(
              path + "." + field,
              "\"%s\" is no Kubernetes name of a %s"
                  .formatted(each.textOrEmpty("name"), field.substring(0, field.length() - 1)));
        }
        if (each.textOrEmpty("name").startsWith("berth.io/")) {
          problem(
              path + "." + field,
              "\"%s\" is set by Berth itself; choose another name"
                  .formatted(each.textOrEmpty("name")));
        }
      }
    }
    for (var label : spec.trees("labels")) {
      if (!label.textOrEmpty("value").matches("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?")) {
        problem(
            path + ".labels",
            "\"%s\" is no Kubernetes label value".formatted(label.textOrEmpty("value")));
      }
    }
  }

  // ---- compute ---------------------------------------------------------------------------------

  private void checkCompute(Tree compute, String path) {
    notLess(compute, path, "cpuCoreLimit", "cpuCoreRequest");
    quantities(compute, path, "cpuMemoryRequest", "cpuMemoryLimit");
    quantities(compute, path, "gpuMemoryRequest", "gpuMemoryLimit");
    notLess(compute, path, "gpuPortionLimit", "gpuPortionRequest");
    var type = compute.textOrEmpty("gpuRequestType");
    if (type.equals("portion") && compute.get("gpuPortionRequest") == null) {
      problem(path + ".gpuPortionRequest", "is required when gpuRequestType is portion");
    }
    if (type.equals("memory") && compute.get("gpuMemoryRequest") == null) {
      problem(path + ".gpuMemoryRequest", "is required when gpuRequestType is memory");
    }
    if (!type.equals("memory") && compute.get("gpuMemoryRequest") != null) {
      problem(path + ".gpuMemoryRequest", "is allowed only when gpuRequestType is memory");
    }
    if (type.equals("memory") && compute.get("gpuPortionRequest") != null) {
      problem(path + ".gpuPortionRequest", "is allowed only when gpuRequestType is portion");
    }
    // What is less would count as nothing, and be had for nothing.
    if (compute.get("gpuPortionRequest") instanceof Number portion
        && portion.doubleValue() < LEAST_PORTION) {
      problem(path + ".gpuPortionRequest", "must be %s or more".formatted(LEAST_PORTION));
    }
    var memory = quantity(compute.text("gpuMemoryRequest"), path + ".gpuMemoryRequest");
    if (memory != null && memory.amount().signum() <= 0) {
      problem(path + ".gpuMemoryRequest", "must be more than 0");
    }
    for (var resource : compute.trees("extendedResources")) {
      if (!resource.textOrEmpty("resource").contains("/")) {
        problem(
            path + ".extendedResources",
            "\"%s\" is no extended resource; its name has a domain, as in nvidia.com/mig-1g.5gb"
                .formatted(resource.textOrEmpty("resource")));
      }
      quantity(resource.text("quantity"), path + ".extendedResources.quantity");
    }
  }

  private void notLess(Tree tree, String path, String larger, String smaller) {
    if (tree.get(larger) instanceof Number a
        && tree.get(smaller) instanceof Number b
        && a.doubleValue() < b.doubleValue()) {
      problem(path + "." + larger, "%s is less than %s, which is %s".formatted(a, smaller, b));
    }
  }

  private void quantities(Tree compute, String path, String request, String limit) {
    var asked = quantity(compute.text(request), path + "." + request);
    var most = quantity(compute.text(limit), path + "." + limit);
    if (asked != null && most != null && most.compareTo(asked) < 0) {
      problem(
          path + "." + limit, "%s is less than %s, which is %s".formatted(most, request, asked));
    }
  }

  private @Nullable Quantity quantity(@Nullable String text, String path) {
    if (text == null) {
      return null;
    }
    try {
      return Quantity.parse(text);
    } catch (IllegalArgumentException e) {
      problem(path, "\"%s\" is no quantity".formatted(text));
      return null;
    }
  }

  // ---- the rest --------------------------------------------------------------------------------

  private void checkEnvironment(List<Tree> variables, String path) {
    var names = new HashSet<String>();
    for (var variable : variables) {
      var name = variable.textOrEmpty("name");
      if (!name.matches("[-._a-zA-Z][-._a-zA-Z0-9]*")) {
        problem(path, "\"%s\" is no name of an environment variable".formatted(name));
      } else if (!names.add(name)) {
        problem(path, "\"%s\" is given twice".formatted(name));
      }
      long sources =
          List.of("value", "secret", "configMap", "podFieldRef", "userCredential").stream()
              .filter(variable::has)
              .count();
      if (sources > 1) {
        problem(
            path,
            "\"%s\" has %d sources; give one of value, secret, configMap, podFieldRef, userCredential"
                .formatted(name, sources));
      }
    }
  }

  /// As in Kubernetes.
  private void checkTolerations(List<Tree> tolerations, String path) {
    for (int i = 0; i < tolerations.size(); i++) {
      var toleration = tolerations.get(i);
      var at = "%s[%d]".formatted(path, i);
      var operator = toleration.textOrEmpty("operator");
      var key = toleration.textOrEmpty("key");
      if (key.isEmpty() && !operator.equals("Exists")) {
        problem(
            at + ".operator",
            "operator must be Exists when `key` is empty, which means \"match all values and all"
                + " keys\"");
      }
      if (operator.equals("Exists") && !toleration.textOrEmpty("value").isEmpty()) {
        problem(at + ".value", "value must be empty when `operator` is 'Exists'");
      }
      if (toleration.has("seconds") && !toleration.textOrEmpty("effect").equals("NoExecute")) {
        problem(at + ".effect", "effect must be 'NoExecute' when `seconds` is set");
      }
    }
  }

  private void checkPreferred(List<Tree> terms, String path) {
    for (int i = 0; i < terms.size(); i++) {
      var expressions = terms.get(i).trees("preference", "matchExpressions");
      for (int j = 0; j < expressions.size(); j++) {
        Affinities.checkExpression(
            expressions.get(j),
            "%s[%d].preference.matchExpressions[%d]".formatted(path, i, j),
            problems);
      }
    }
  }

  private void problem(String field, String what) {
    problems.add(field + ": " + what);
  }
}
