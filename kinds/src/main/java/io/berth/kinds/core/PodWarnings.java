package io.berth.kinds.core;

import io.berth.api.FieldError;
import io.berth.api.FieldPath;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// What is accepted in a pod or a template but hardly meant.
///
/// Mirrors: api/pod.GetWarningsForPod, GetWarningsForPodTemplate
public final class PodWarnings {

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private static final Map<String, String> DEPRECATED_NODE_LABELS =
      Map.of(
          "beta.kubernetes.io/arch",
          "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
          "beta.kubernetes.io/os",
          "deprecated since v1.14; use \"kubernetes.io/os\" instead",
          "failure-domain.beta.kubernetes.io/region",
          "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
          "failure-domain.beta.kubernetes.io/zone",
          "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
          "beta.kubernetes.io/instance-type",
          "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead",
          "app.kubernetes.io/created-by",
          "deprecated since v1.9",
          "scheduler.alpha.kubernetes.io/preferAvoidPods",
          "deprecated since v1.22; use Taints and Tolerations instead",
          "node-role.kubernetes.io/master",
          "use \"node-role.kubernetes.io/control-plane\" instead");

  private static final List<List<String>> DEPRECATED_ANNOTATIONS =
      List.of(
          List.of(
              "scheduler.alpha.kubernetes.io/critical-pod",
              "non-functional in v1.16+; use the \"priorityClassName\" field instead"),
          List.of(
              "security.alpha.kubernetes.io/sysctls",
              "non-functional in v1.11+; use the \"sysctls\" field instead"),
          List.of(
              "security.alpha.kubernetes.io/unsafe-sysctls",
              "non-functional in v1.11+; use the \"sysctls\" field instead"));

  private static final Map<String, String> DEPRECATED_VOLUMES =
      Map.of(
          "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+",
          "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+",
          "scaleIO", "deprecated in v1.16, non-functional in v1.22+",
          "flocker", "deprecated in v1.22, non-functional in v1.25+",
          "storageos", "deprecated in v1.22, non-functional in v1.25+",
          "quobyte", "deprecated in v1.22, non-functional in v1.25+",
          "glusterfs", "deprecated in v1.25, non-functional in v1.26+",
          "cephfs", "deprecated in v1.28, non-functional in v1.31+",
          "rbd", "deprecated in v1.28, non-functional in v1.31+");

  private static final List<String> BYTES = List.of("memory", "ephemeral-storage");

  private final List<String> warnings = new ArrayList<>();
  private final Cursor spec;
  private final Cursor annotations;
  private final boolean template;

  private PodWarnings(Cursor pod, boolean template) {
    this.spec = pod.at("spec");
    this.annotations = pod.at("metadata", "annotations");
    this.template = template;
  }

  /// `root` is where the pod or template stands in the object.
  public static List<String> of(Tree pod, FieldPath root, boolean template) {
    return new PodWarnings(Cursor.reading(root, pod), template).all();
  }

  /// The hint about an outdated node label, or `""`.
  public static String ofNodeLabel(String key) {
    return DEPRECATED_NODE_LABELS.getOrDefault(key, "");
  }

  private List<String> all() {
    nodeSelection();
    spec.each("topologySpreadConstraints", this::spread);
    for (var deprecated : DEPRECATED_ANNOTATIONS) {
      warnIf(annotations.has(deprecated.getFirst()), deprecated.getFirst(), deprecated.getLast());
    }
    spec.each("volumes", this::volume);
    warnings.addAll(OverlappingPaths.warnings(spec.tree().trees("volumes")));
    duplicates("hostAliases", "ip");
    duplicates("imagePullSecrets", "name");
    for (var secret : spec.each("imagePullSecrets")) {
      if (secret.text("name").isEmpty()) {
        warn(secret.at("name"), "invalid empty name \"\"");
      }
    }
    BYTES.forEach(name -> fraction(spec.at("overhead").key(name)));
    seccomp(spec, "seccomp.security.alpha.kubernetes.io/pod");
    var containers = Containers.all(spec);
    containers.forEach(this::container);
    ports(containers);
    portNames(containers);
    if (spec.number("terminationGracePeriodSeconds") < 0) {
      warn(
          spec.at("terminationGracePeriodSeconds"),
          "must be >= 0; negative values are invalid and will be treated as 1");
    }
    podAffinity(spec.at("affinity", "podAffinity"));
    podAffinity(spec.at("affinity", "podAntiAffinity"));
    return warnings;
  }

  private void warn(Cursor at, String text) {
    warnings.add(at.path() + ": " + text);
  }

  private void warnIf(boolean deprecated, String annotation, String text) {
    if (deprecated) {
      warn(annotations.key(annotation), text);
    }
  }

  private void nodeSelection() {
    for (var label : spec.at("nodeSelector").entries()) {
      if (DEPRECATED_NODE_LABELS.containsKey(label.name())) {
        warn(label, ofNodeLabel(label.name()));
      }
    }
    var affinity = spec.at("affinity", "nodeAffinity");
    affinity.at(REQUIRED).each("nodeSelectorTerms", term -> nodeTerm(term, false));
    affinity.each(PREFERRED, term -> nodeTerm(term.at("preference"), true));
  }

  private void nodeTerm(Cursor term, boolean checkValues) {
    for (var expression : term.each("matchExpressions")) {
      nodeLabel(expression.at("key"));
      if (checkValues) {
        for (var value : expression.each("values")) {
          for (var wrong : Names.labelValue(value.text())) {
            warn(value, value.text() + " is invalid, " + wrong);
          }
        }
      }
    }
  }

  private void nodeLabel(Cursor key) {
    if (DEPRECATED_NODE_LABELS.containsKey(key.text())) {
      warn(key, key.text() + " is " + ofNodeLabel(key.text()));
    }
  }

  private void spread(Cursor constraint) {
    nodeLabel(constraint.at("topologyKey"));
    labelSelector(constraint.at("labelSelector"));
  }

  private void labelSelector(Cursor selector) {
    if (!selector.isSet()) {
      warn(selector, "a null labelSelector results in matching no pod");
    }
  }

  private void volume(Cursor volume) {
    for (var source : volume.tree().names()) {
      var text = DEPRECATED_VOLUMES.get(source);
      if (text != null) {
        warn(volume.at(source.equals("storageos") ? "storageOS" : source), text);
      }
    }
    var claim = volume.at("ephemeral", "volumeClaimTemplate", "spec");
    warnings.addAll(PersistentVolumeClaimValidation.warnings(claim.tree(), claim.path()));
  }

  private void duplicates(String list, String key) {
    var seen = new HashSet<String>();
    for (var item : spec.each(list)) {
      var value = item.text(key);
      if (!seen.add(value)) {
        warn(item.at(key), "duplicate " + key + " " + FieldError.quoted(value));
      }
    }
  }

  private void fraction(Cursor field) {
    if (!field.isSet()) {
      return;
    }
    var amount = ResourceList.quantity(field.value());
    if (amount.milliValue() % 1000 != 0) {
      warn(field, "fractional byte value \"" + amount + "\" is invalid, must be an integer");
    }
  }

  private void seccomp(Cursor holder, String annotation) {
    warnIf(
        annotations.has(annotation) && !holder.at("securityContext").has("seccompProfile"),
        annotation,
        "non-functional in v1.27+; use the \"seccompProfile\" field instead");
  }

  private void container(Cursor container) {
    var name = container.text("name");
    seccomp(container, "container.seccomp.security.alpha.kubernetes.io/" + name);
    var appArmor = "container.apparmor.security.beta.kubernetes.io/" + name;
    warnIf(
        template
            && annotations.has(appArmor)
            && !container.at("securityContext").has("appArmorProfile"),
        appArmor,
        "deprecated since v1.30; use the \"appArmorProfile\" field instead");
    var resources = container.at("resources").ifSet();
    for (var resource : BYTES) {
      fraction(resources.at("limits").key(resource));
      fraction(resources.at("requests").key(resource));
    }
    environment(container.each("env"));
  }

  private void environment(List<Cursor> variables) {
    var seen = new HashSet<String>();
    for (var variable : variables) {
      var name = variable.text("name");
      if (seen.add(name)) {
        continue;
      }
      var reference = "$(" + name + ")";
      var value = variable.text("value");
      boolean extended = value.contains(reference) && !value.equals(reference);
      if (variable.has("valueFrom") || !extended) {
        warn(
            variable,
            "hides previous definition of %s, which may be dropped when using apply"
                .formatted(FieldError.quoted(name)));
      }
    }
  }

  private void ports(List<Cursor> containers) {
    var known = new HashMap<String, List<Cursor>>();
    for (var container : containers) {
      for (var port : container.each("ports")) {
        if (!port.text("hostIP").isEmpty() && port.number("hostPort") == 0) {
          warn(port, "hostIP set without hostPort: " + goPort(port));
        }
        var key = port.number("containerPort") + "/" + port.text("protocol");
        var others = known.computeIfAbsent(key, each -> new ArrayList<>());
        others.forEach(other -> portClash(port, other));
        others.add(port);
      }
    }
  }

  /// A port as Go prints its struct.
  private static String goPort(Cursor port) {
    return "{Name:%s HostPort:%d ContainerPort:%d Protocol:%s HostIP:%s}"
        .formatted(
            port.text("name"),
            port.number("hostPort"),
            port.number("containerPort"),
            port.text("protocol"),
            port.text("hostIP"));
  }

  private void portClash(Cursor port, Cursor other) {
    var address = port.text("hostIP");
    var otherAddress = other.text("hostIP");
    long host = port.number("hostPort");
    long otherHost = other.number("hostPort");
    if (address.equals(otherAddress) && host == otherHost) {
      warn(port, "duplicate port definition with " + other.path());
    } else if (host == 0 || otherHost == 0) {
      warn(port, "overlapping port definition with " + other.path());
    } else if (host == otherHost && address.isEmpty() != otherAddress.isEmpty()) {
      warn(port, "dangerously ambiguous port definition with " + other.path());
    }
  }

  private void portNames(List<Cursor> containers) {
    var names = new HashMap<String, Cursor>();
    for (var container : containers) {
      for (var port : container.each("ports")) {
        var name = port.text("name");
        var other = name.isEmpty() ? null : names.putIfAbsent(name, port);
        if (other != null) {
          warn(
              port,
              "duplicate port name %s with %s, services and probes that select ports by name will use %s"
                  .formatted(FieldError.quoted(name), other.path(), other.path()));
        }
      }
    }
  }

  private void podAffinity(Cursor affinity) {
    affinity.each(REQUIRED, term -> labelSelector(term.at("labelSelector")));
    affinity.each(PREFERRED, term -> labelSelector(term.at("podAffinityTerm", "labelSelector")));
  }
}
