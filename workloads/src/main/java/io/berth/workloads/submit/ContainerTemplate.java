package io.berth.workloads.submit;

import io.berth.api.Tree;
import io.berth.workloads.submit.PodRoles.Role;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes the container of a workload's pods: what runs, with what, and how much it may use.
final class ContainerTemplate {

  private ContainerTemplate() {}

  static Tree of(Role role, int index, String name) {
    var spec = role.spec();
    var container = Tree.of("name", name, "image", spec.text("image"));
    words(container, "command", spec.text("command"));
    words(container, "args", spec.text("args"));
    for (var field : List.of("workingDir", "imagePullPolicy", "stdin", "tty")) {
      if (spec.has(field)) {
        container.put(field, spec.get(field));
      }
    }
    PodTemplate.put(container, "env", environment(role, index));
    PodTemplate.put(container, "ports", ports(spec));
    PodTemplate.put(container, "volumeMounts", Volumes.mounts(spec));
    container.put("resources", resources(spec.treeOrEmpty("compute")));
    probe(container, spec);
    containerSecurity(container, spec);
    return container;
  }

  private static void words(Tree container, String field, @Nullable String line) {
    if (line != null) {
      container.put(field, new ArrayList<Object>(Words.split(line)));
    }
  }

  private static List<Tree> environment(Role role, int index) {
    var variables = new ArrayList<Tree>();
    for (var variable : role.spec().trees("environmentVariables")) {
      var name = variable.textOrEmpty("name");
      if (variable.has("value")) {
        variables.add(Tree.of("name", name, "value", variable.get("value")));
      } else {
        source(variable)
            .forEach((kind, from) ->
                variables.add(Tree.of("name", name, "valueFrom", Tree.of(kind, from))));
      }
    }
    if (!role.prefix().isEmpty()) {
      variables.add(Tree.of("name", "RANK", "value", Integer.toString(index)));
    }
    return variables;
  }

  private static Map<String, Tree> source(Tree variable) {
    if (variable.tree("secret") != null) {
      return Map.of("secretKeyRef", reference(variable.treeOrEmpty("secret")));
    }
    if (variable.tree("userCredential") != null) {
      return Map.of("secretKeyRef", reference(variable.treeOrEmpty("userCredential")));
    }
    if (variable.tree("configMap") != null) {
      return Map.of("configMapKeyRef", reference(variable.treeOrEmpty("configMap")));
    }
    if (variable.tree("podFieldRef") != null) {
      return Map.of("fieldRef", Tree.of("fieldPath", variable.text("podFieldRef", "path")));
    }
    return Map.of();
  }

  // Optional, so that a missing Secret does not keep a pod from starting.
  private static Tree reference(Tree from) {
    return Tree.of("name", from.text("name"), "key", from.text("key"), "optional", true);
  }

  private static List<Tree> ports(Tree spec) {
    var ports = new ArrayList<Tree>();
    for (var port : spec.trees("ports")) {
      if (port.has("container")) {
        ports.add(Tree.of("containerPort", port.get("container"), "protocol", "TCP"));
      }
    }
    if (spec.tree("servingPort") != null && spec.at("servingPort", "container") != null) {
      ports.add(Tree.of("containerPort", spec.at("servingPort", "container"), "protocol", "TCP"));
    }
    return ports;
  }

  static Tree resources(Tree compute) {
    var requests = new Tree();
    var limits = new Tree();
    cores(requests, compute.get("cpuCoreRequest"));
    cores(limits, compute.get("cpuCoreLimit"));
    memory(requests, compute.text("cpuMemoryRequest"));
    memory(limits, compute.text("cpuMemoryLimit"));
    var gpus = Gpus.of(compute);
    if (!gpus.shared() && gpus.devices() > 0) {
      requests.put("nvidia.com/gpu", Long.toString(gpus.devices()));
      limits.put("nvidia.com/gpu", Long.toString(gpus.devices()));
      // A GPU without any CPU share starves: what is unset gets a little for each device.
      requests.putIfAbsent("cpu", gpus.devices() * 100 + "m");
      requests.putIfAbsent("memory", gpus.devices() * 100 + "Mi");
    }
    for (var resource : compute.trees("extendedResources")) {
      requests.put(resource.textOrEmpty("resource"), resource.get("quantity"));
      limits.put(resource.textOrEmpty("resource"), resource.get("quantity"));
    }
    return Tree.of("requests", requests, "limits", limits);
  }

  private static void cores(Tree target, @Nullable Object cores) {
    if (cores instanceof Number number) {
      var millis = BigDecimal.valueOf(number.doubleValue()).movePointRight(3).longValue();
      target.put("cpu", millis % 1000 == 0 ? Long.toString(millis / 1000) : millis + "m");
    }
  }

  private static void memory(Tree target, @Nullable String quantity) {
    if (quantity != null) {
      target.put("memory", quantity);
    }
  }

  private static void probe(Tree container, Tree spec) {
    var probe = spec.tree("probes", "readiness");
    if (probe != null && probe.tree("handler", "httpGet") != null) {
      var readiness = probe.copy();
      readiness.remove("handler");
      container.put("readinessProbe", readiness.put("httpGet", probe.tree("handler", "httpGet")));
    }
  }

  private static void containerSecurity(Tree container, Tree spec) {
    var security = spec.treeOrEmpty("security");
    var context = new Tree();
    for (var field : List.of("allowPrivilegeEscalation", "readOnlyRootFilesystem")) {
      PodTemplate.copy(security, field, context, field);
    }
    if (!security.list("capabilities").isEmpty()) {
      context.put("capabilities", Tree.of("add", new ArrayList<>(security.list("capabilities"))));
    }
    if (!context.isEmpty()) {
      container.put("securityContext", context);
    }
  }
}
