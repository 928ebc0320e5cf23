package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of containers, init containers and ephemeral containers.
final class ContainerValidation {

  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
  private static final String ONLY_SIDECARS =
      "may not be set for init containers without restartPolicy=Always";
  private static final String NOT_EPHEMERAL = "cannot be set for an Ephemeral Container";

  private final Tree spec;
  private final FieldPath specPath;
  private final Set<String> claims;
  private final FieldErrors errors;
  private final EnvironmentValidation environment;
  private final MountValidation mounts;
  private final HandlerValidation handlers;
  private final ResourceValidation resources;
  private final SecurityValidation security;

  ContainerValidation(
      Tree spec,
      FieldPath specPath,
      Map<String, Tree> volumes,
      Set<String> claims,
      PodOptions options,
      FieldErrors errors) {
    this.spec = spec;
    this.specPath = specPath;
    this.claims = claims;
    this.errors = errors;
    this.environment = new EnvironmentValidation(errors);
    this.mounts = new MountValidation(volumes, errors);
    this.handlers = new HandlerValidation(spec.get("terminationGracePeriodSeconds"), errors);
    this.resources = new ResourceValidation(errors, options.indivisibleHugePages());
    this.security = new SecurityValidation(spec, specPath, errors);
  }

  void all() {
    containers(spec.trees("containers"), specPath.child("containers"));
    initContainers(spec.trees("initContainers"), specPath.child("initContainers"));
    ephemeralContainers(spec.trees("ephemeralContainers"), specPath.child("ephemeralContainers"));
  }

  private void containers(List<Tree> containers, FieldPath path) {
    if (containers.isEmpty()) {
      errors.required(path);
      return;
    }
    var names = new HashSet<String>();
    for (int i = 0; i < containers.size(); i++) {
      var container = containers.get(i);
      var at = path.index(i);
      common(container, at);
      if (!names.add(container.textOrEmpty("name"))) {
        errors.duplicate(at.child("name"), container.textOrEmpty("name"));
      }
      handlers.all(container, at);
      RestartRules.validate(container, at, errors);
    }
    hostPorts(containers, path);
  }

  private void initContainers(List<Tree> containers, FieldPath path) {
    var names = new HashSet<String>();
    spec.trees("containers").forEach(each -> names.add(each.textOrEmpty("name")));
    for (int i = 0; i < containers.size(); i++) {
      var container = containers.get(i);
      var at = path.index(i);
      common(container, at);
      RestartRules.validate(container, at, errors);
      var name = container.textOrEmpty("name");
      if (names.contains(name)) {
        errors.duplicate(at.child("name"), name);
      } else if (!name.isEmpty()) {
        names.add(name);
      }
      hostPorts(List.of(container), path);
      if (container.textOrEmpty("restartPolicy").equals("Always")) {
        handlers.all(container, at);
      } else {
        plainInitContainer(container, path.index(i));
      }
    }
  }

  private void plainInitContainer(Tree container, FieldPath path) {
    for (var field : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
      if (container.get(field) != null) {
        errors.forbidden(path.child(field), ONLY_SIDECARS);
      }
    }
    var policies = container.trees("resizePolicy");
    for (int i = 0; i < policies.size(); i++) {
      if (policies.get(i).textOrEmpty("restartPolicy").equals("RestartContainer")) {
        errors.invalid(
            path.child("resizePolicy").index(i).child("restartPolicy"),
            "RestartContainer",
            "must not be set to 'RestartContainer' for non-sidecar initContainers");
      }
    }
  }

  private void ephemeralContainers(List<Tree> containers, FieldPath path) {
    var others = new HashSet<String>();
    spec.trees("containers").forEach(each -> others.add(each.textOrEmpty("name")));
    spec.trees("initContainers").forEach(each -> others.add(each.textOrEmpty("name")));
    var names = new HashSet<>(others);
    for (int i = 0; i < containers.size(); i++) {
      var container = containers.get(i);
      var at = path.index(i);
      common(container, at);
      image(container, at);
      if (!names.add(container.textOrEmpty("name"))) {
        errors.duplicate(at.child("name"), container.textOrEmpty("name"));
      }
      var target = container.textOrEmpty("targetContainerName");
      if (!target.isEmpty() && !others.contains(target)) {
        errors.notFound(at.child("targetContainerName"), target);
      }
      ephemeralFields(container, at);
    }
  }

  private void ephemeralFields(Tree container, FieldPath path) {
    for (var field :
        List.of(
            "ports",
            "resources",
            "resizePolicy",
            "restartPolicy",
            "restartPolicyRules",
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "lifecycle")) {
      if (isSet(container.get(field))) {
        errors.forbidden(path.child(field), NOT_EPHEMERAL);
      }
    }
    var volumeMounts = container.trees("volumeMounts");
    for (int i = 0; i < volumeMounts.size(); i++) {
      for (var field : List.of("subPath", "subPathExpr")) {
        if (!volumeMounts.get(i).textOrEmpty(field).isEmpty()) {
          errors.forbidden(path.child("volumeMounts").index(i).child(field), NOT_EPHEMERAL);
        }
      }
    }
  }

  private static boolean isSet(@Nullable Object value) {
    return switch (value) {
      case null -> false;
      case Tree tree -> !tree.isEmpty();
      case List<?> list -> !list.isEmpty();
      default -> true;
    };
  }

  /// An image's name has no blanks around it, in pods; in templates Kubernetes lets them pass.
  static void image(Tree container, FieldPath path, FieldErrors errors) {
    var image = container.textOrEmpty("image");
    if (!image.equals(image.strip())) {
      errors.invalid(path.child("image"), image, "must not have leading or trailing whitespace");
    }
  }

  private void image(Tree container, FieldPath path) {
    image(container, path, errors);
  }

  private void common(Tree container, FieldPath path) {
    var name = container.textOrEmpty("name");
    if (Checks.required(path.child("name"), name, errors)) {
      Checks.dnsLabel(path.child("name"), name, errors);
    }
    Checks.required(path.child("image"), container.textOrEmpty("image"), errors);
    Checks.oneOf(
        path.child("terminationMessagePolicy"),
        container.textOrEmpty("terminationMessagePolicy"),
        List.of("File", "FallbackToLogsOnError"),
        errors);
    ports(container.trees("ports"), path.child("ports"));
    environment.variables(container.trees("env"), path.child("env"));
    environment.sources(container.trees("envFrom"), path.child("envFrom"));
    mounts.validate(container, path);
    Checks.oneOf(
        path.child("imagePullPolicy"),
        container.textOrEmpty("imagePullPolicy"),
        PULL_POLICIES,
        errors);
    resources.container(container.treeOrEmpty("resources"), claims, path.child("resources"));
    resizePolicies(container.trees("resizePolicy"), path.child("resizePolicy"));
    security.container(container.tree("securityContext"), path.child("securityContext"));
  }

  private void ports(List<Tree> ports, FieldPath path) {
    var names = new HashSet<String>();
    for (int i = 0; i < ports.size(); i++) {
      var port = ports.get(i);
      var at = path.index(i);
      portName(port.textOrEmpty("name"), names, at.child("name"));
      long container = port.number(0, "containerPort");
      if (container == 0) {
        errors.required(at.child("containerPort"));
      } else {
        Checks.complaints(
            at.child("containerPort"), container, Names.portNumber(container), errors);
      }
      long host = port.number(0, "hostPort");
      if (host != 0) {
        Checks.complaints(at.child("hostPort"), host, Names.portNumber(host), errors);
      }
      Checks.oneOf(at.child("protocol"), port.textOrEmpty("protocol"), PROTOCOLS, errors);
    }
  }

  private void portName(String name, Set<String> names, FieldPath path) {
    if (name.isEmpty()) {
      return;
    }
    var wrong = Names.portName(name);
    Checks.complaints(path, name, wrong, errors);
    if (wrong.isEmpty() && !names.add(name)) {
      errors.duplicate(path, name);
    }
  }

  private void hostPorts(List<Tree> containers, FieldPath path) {
    var taken = new HashSet<String>();
    for (int i = 0; i < containers.size(); i++) {
      var ports = containers.get(i).trees("ports");
      for (int p = 0; p < ports.size(); p++) {
        var port = ports.get(p);
        long number = port.number(0, "hostPort");
        var key = port.textOrEmpty("protocol") + "/" + port.textOrEmpty("hostIP") + "/" + number;
        if (number != 0 && !taken.add(key)) {
          errors.duplicate(path.index(i).child("ports").index(p).child("hostPort"), key);
        }
      }
    }
  }

  private void resizePolicies(List<Tree> policies, FieldPath path) {
    var seen = new HashSet<String>();
    for (int i = 0; i < policies.size(); i++) {
      var resource = policies.get(i).textOrEmpty("resourceName");
      if (!seen.add(resource)) {
        errors.duplicate(path.index(i), resource);
      }
      Checks.oneOf(path, resource, List.of("cpu", "memory"), errors);
      var policy = policies.get(i).textOrEmpty("restartPolicy");
      Checks.oneOf(path, policy, List.of("NotRequired", "RestartContainer"), errors);
      if (spec.textOrEmpty("restartPolicy").equals("Never") && !policy.equals("NotRequired")) {
        errors.invalid(path, policy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
      }
    }
  }
}
