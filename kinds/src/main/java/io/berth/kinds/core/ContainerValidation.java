package io.berth.kinds.core;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The rules of containers, init containers and ephemeral containers.
///
/// Mirrors: core/validation.validateContainers, validateInitContainers, validateEphemeralContainers
final class ContainerValidation {

  private static final List<String> MESSAGE_POLICIES = List.of("File", "FallbackToLogsOnError");
  private static final List<String> RESIZED = List.of("cpu", "memory");
  private static final List<String> RESTARTS = List.of("NotRequired", "RestartContainer");
  private static final String[] NOT_OF_EPHEMERAL = {
    "ports",
    "resources",
    "resizePolicy",
    "restartPolicy",
    "restartPolicyRules",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle"
  };
  private static final String ONLY_SIDECARS =
      "may not be set for init containers without restartPolicy=Always";
  private static final String NOT_EPHEMERAL = "cannot be set for an Ephemeral Container";

  private final Cursor spec;
  private final Set<String> claims;
  private final MountValidation mounts;
  private final HandlerValidation handlers;
  private final ResourceValidation resources;
  private final SecurityValidation security;

  ContainerValidation(
      Cursor spec, Map<String, Tree> volumes, Set<String> claims, PodOptions options) {
    this.spec = spec;
    this.claims = claims;
    this.mounts = new MountValidation(volumes);
    this.handlers = new HandlerValidation(spec);
    this.resources = new ResourceValidation(options.indivisibleHugePages());
    this.security = new SecurityValidation(spec);
  }

  void all() {
    containers(spec.at("containers").required());
    initContainers(spec.at("initContainers"));
    ephemeralContainers(spec.at("ephemeralContainers"));
  }

  private void containers(Cursor containers) {
    var names = new HashSet<String>();
    for (var container : containers.each()) {
      common(container);
      container.at("name").unique(names);
      handlers.all(container);
      RestartRules.validate(container);
    }
    hostPorts(containers, containers.each());
  }

  private void initContainers(Cursor containers) {
    var names = names("containers");
    for (var container : containers.each()) {
      common(container);
      RestartRules.validate(container);
      var name = container.at("name");
      if (names.contains(name.text())) {
        name.duplicate();
      } else if (!name.isEmpty()) {
        names.add(name.text());
      }
      hostPorts(containers, List.of(container));
      if (container.text("restartPolicy").equals("Always")) {
        handlers.all(container);
      } else {
        plainInitContainer(container);
      }
    }
  }

  private Set<String> names(String... lists) {
    var names = new HashSet<String>();
    for (var list : lists) {
      spec.tree().trees(list).forEach(each -> names.add(each.textOrEmpty("name")));
    }
    return names;
  }

  private static void plainInitContainer(Cursor container) {
    container.forbidden(
        ONLY_SIDECARS, "lifecycle", "livenessProbe", "readinessProbe", "startupProbe");
    for (var policy : container.each("resizePolicy")) {
      var restart = policy.at("restartPolicy");
      if (restart.is("RestartContainer")) {
        restart.invalid("must not be set to 'RestartContainer' for non-sidecar initContainers");
      }
    }
  }

  private void ephemeralContainers(Cursor containers) {
    if (containers.isEmpty()) {
      return;
    }
    var others = names("containers", "initContainers");
    var names = new HashSet<>(others);
    for (var container : containers.each()) {
      common(container);
      image(container);
      container.at("name").unique(names);
      var target = container.at("targetContainerName").ifFilled();
      if (!others.contains(target.text())) {
        target.notFound();
      }
      for (var field : container.fields(NOT_OF_EPHEMERAL)) {
        if (isFilled(field)) {
          field.forbidden(NOT_EPHEMERAL);
        }
      }
      for (var mount : container.each("volumeMounts")) {
        mount.at("subPath").ifFilled().forbidden(NOT_EPHEMERAL);
        mount.at("subPathExpr").ifFilled().forbidden(NOT_EPHEMERAL);
      }
    }
  }

  private static boolean isFilled(Cursor field) {
    return field.value() instanceof Tree tree
        ? !tree.isEmpty()
        : field.isSet() && !(field.value() instanceof List<?> list && list.isEmpty());
  }

  /// An image's name has no blanks around it, in pods; in templates Kubernetes lets them pass.
  static void image(Cursor container) {
    var image = container.at("image");
    if (!image.text().equals(image.text().strip())) {
      image.invalid("must not have leading or trailing whitespace");
    }
  }

  private void common(Cursor container) {
    container.at("name").required().follows(Names::dnsLabel);
    container.at("image").required();
    container.at("terminationMessagePolicy").oneOf(MESSAGE_POLICIES);
    ports(container.each("ports"));
    EnvironmentValidation.validate(container);
    mounts.validate(container);
    container.at("imagePullPolicy").oneOf();
    resources.container(container.at("resources"), claims);
    resizePolicies(container.at("resizePolicy"));
    container.at("securityContext").ifSet(security::container);
  }

  private static void ports(List<Cursor> ports) {
    var names = new HashSet<String>();
    for (var port : ports) {
      var name = port.at("name").ifFilled().follows(Names::portName);
      if (Names.portName(name.text()).isEmpty()) {
        name.unique(names);
      }
      var number = port.at("containerPort");
      if (number.number() == 0) {
        number.missing();
      } else {
        number.port();
      }
      if (port.number("hostPort") != 0) {
        port.at("hostPort").port();
      }
      port.at("protocol").oneOf();
    }
  }

  // As in Kubernetes, which counts the containers it looks at, not those of the list.
  private static void hostPorts(Cursor list, List<Cursor> containers) {
    var taken = new HashSet<String>();
    for (int i = 0; i < containers.size(); i++) {
      for (var port : list.element(i).with(containers.get(i).value()).each("ports")) {
        long number = port.number("hostPort");
        var key = port.text("protocol") + "/" + port.text("hostIP") + "/" + number;
        if (number != 0 && !taken.add(key)) {
          port.at("hostPort").duplicate(key);
        }
      }
    }
  }

  // As in Kubernetes, which names the list and not its elements.
  private void resizePolicies(Cursor policies) {
    var seen = new HashSet<String>();
    for (var policy : policies.each()) {
      var resource = policy.text("resourceName");
      if (!seen.add(resource)) {
        policy.duplicate(resource);
      }
      policies.with(resource).oneOf(RESIZED);
      policies.with(policy.text("restartPolicy")).oneOf(RESTARTS);
      if (spec.text("restartPolicy").equals("Never")
          && !policy.text("restartPolicy").equals("NotRequired")) {
        policies.invalid(
            policy.text("restartPolicy"),
            "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
      }
    }
  }
}
