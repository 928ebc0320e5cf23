package io.berth.kinds.core;

import io.berth.api.FieldError;
import io.berth.api.FieldPath;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.meta.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// What is accepted in a pod or a template but hardly meant.
public final class PodWarnings {

  private static final String NULL_SELECTOR = "a null labelSelector results in matching no pod";

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

  private final List<String> warnings = new ArrayList<>();
  private final Tree spec;
  private final Map<String, String> annotations;
  private final FieldPath root;
  private final FieldPath path;
  private final boolean template;

  private PodWarnings(Tree pod, FieldPath root, boolean template) {
    this.spec = pod.treeOrEmpty("spec");
    this.annotations = pod.texts("metadata", "annotations");
    this.root = root;
    this.path = root.child("spec");
    this.template = template;
  }

  /// `root` is where the pod or template stands in the object.
  public static List<String> of(Tree pod, FieldPath root, boolean template) {
    return new PodWarnings(pod, root, template).all();
  }

  /// The hint about an outdated node label, or `""`.
  public static String ofNodeLabel(String key) {
    return DEPRECATED_NODE_LABELS.getOrDefault(key, "");
  }

  private List<String> all() {
    nodeSelection();
    spread();
    annotations();
    volumes();
    warnings.addAll(OverlappingPaths.warnings(spec.trees("volumes")));
    duplicates("hostAliases", "ip");
    duplicates("imagePullSecrets", "name");
    emptyPullSecrets();
    fractions(spec.treeOrEmpty("overhead"), path.child("overhead"));
    profileAnnotations();
    Containers.visit(spec, path, this::container);
    ports();
    portNames();
    if (spec.number(0, "terminationGracePeriodSeconds") < 0) {
      warn(
          path.child("terminationGracePeriodSeconds"),
          "must be >= 0; negative values are invalid and will be treated as 1");
    }
    affinity();
    return warnings;
  }

  private void warn(FieldPath at, String text) {
    warnings.add(at + ": " + text);
  }

  private void nodeSelection() {
    for (var key : spec.texts("nodeSelector").keySet()) {
      if (DEPRECATED_NODE_LABELS.containsKey(key)) {
        warn(path.child("nodeSelector").key(key), ofNodeLabel(key));
      }
    }
    var affinity = spec.treeOrEmpty("affinity", "nodeAffinity");
    var required = "requiredDuringSchedulingIgnoredDuringExecution";
    var preferred = "preferredDuringSchedulingIgnoredDuringExecution";
    var at = path.child("affinity", "nodeAffinity");
    var terms = affinity.trees(required, "nodeSelectorTerms");
    for (int i = 0; i < terms.size(); i++) {
      nodeTerm(terms.get(i), false, at.child(required, "nodeSelectorTerms").index(i));
    }
    var preferences = affinity.trees(preferred);
    for (int i = 0; i < preferences.size(); i++) {
      nodeTerm(
          preferences.get(i).treeOrEmpty("preference"),
          true,
          at.child(preferred).index(i).child("preference"));
    }
  }

  private void nodeTerm(Tree term, boolean checkValues, FieldPath at) {
    var expressions = term.trees("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      var expressionPath = at.child("matchExpressions").index(i);
      var key = expressions.get(i).textOrEmpty("key");
      if (DEPRECATED_NODE_LABELS.containsKey(key)) {
        warn(expressionPath.child("key"), key + " is " + ofNodeLabel(key));
      }
      var values = expressions.get(i).list("values");
      for (int v = 0; checkValues && v < values.size(); v++) {
        var value = String.valueOf(values.get(v));
        for (var wrong : Names.labelValue(value)) {
          warn(expressionPath.child("values").index(v), value + " is invalid, " + wrong);
        }
      }
    }
  }

  private void spread() {
    var constraints = spec.trees("topologySpreadConstraints");
    for (int i = 0; i < constraints.size(); i++) {
      var at = path.child("topologySpreadConstraints").index(i);
      var key = constraints.get(i).textOrEmpty("topologyKey");
      if (DEPRECATED_NODE_LABELS.containsKey(key)) {
        warn(at.child("topologyKey"), key + " is " + ofNodeLabel(key));
      }
      if (constraints.get(i).tree("labelSelector") == null) {
        warn(at.child("labelSelector"), NULL_SELECTOR);
      }
    }
  }

  private void annotations() {
    for (var deprecated : DEPRECATED_ANNOTATIONS) {
      if (annotations.containsKey(deprecated.getFirst())) {
        warn(annotationPath(deprecated.getFirst()), deprecated.getLast());
      }
    }
  }

  private FieldPath annotationPath(String key) {
    return root.child("metadata", "annotations").key(key);
  }

  private void volumes() {
    var volumes = spec.trees("volumes");
    for (int i = 0; i < volumes.size(); i++) {
      for (var source : volumes.get(i).names()) {
        var text = DEPRECATED_VOLUMES.get(source);
        if (text != null) {
          var name = source.equals("storageos") ? "storageOS" : source;
          warn(path.child("volumes").index(i).child(name), text);
        }
      }
      var claim = volumes.get(i).tree("ephemeral", "volumeClaimTemplate", "spec");
      if (claim != null) {
        warnings.addAll(
            PersistentVolumeClaimValidation.warnings(
                claim,
                path.child("volumes").index(i).child("ephemeral", "volumeClaimTemplate", "spec")));
      }
    }
  }

  private void duplicates(String list, String key) {
    var seen = new HashSet<String>();
    var items = spec.trees(list);
    for (int i = 0; i < items.size(); i++) {
      var value = items.get(i).textOrEmpty(key);
      if (!seen.add(value)) {
        warn(
            path.child(list).index(i).child(key),
            "duplicate " + key + " " + FieldError.quoted(value));
      }
    }
  }

  private void emptyPullSecrets() {
    var secrets = spec.trees("imagePullSecrets");
    for (int i = 0; i < secrets.size(); i++) {
      if (secrets.get(i).textOrEmpty("name").isEmpty()) {
        warn(path.child("imagePullSecrets").index(i).child("name"), "invalid empty name \"\"");
      }
    }
  }

  private void fractions(Tree amounts, FieldPath at) {
    for (var name : List.of("memory", "ephemeral-storage")) {
      fraction(amounts, name, at);
    }
  }

  private void fraction(Tree amounts, String name, FieldPath at) {
    if (amounts.get(name) != null) {
      var amount = ResourceList.quantity(amounts.get(name));
      if (amount.milliValue() % 1000 != 0) {
        warn(
            at.key(name),
            "fractional byte value \"" + amount + "\" is invalid, must be an integer");
      }
    }
  }

  private void profileAnnotations() {
    var key = "seccomp.security.alpha.kubernetes.io/pod";
    if (spec.at("securityContext", "seccompProfile") == null && annotations.containsKey(key)) {
      warn(
          annotationPath(key),
          "non-functional in v1.27+; use the \"seccompProfile\" field instead");
    }
  }

  private void container(Tree container, FieldPath at) {
    var name = container.textOrEmpty("name");
    var seccomp = "container.seccomp.security.alpha.kubernetes.io/" + name;
    if (container.at("securityContext", "seccompProfile") == null
        && annotations.containsKey(seccomp)) {
      warn(
          annotationPath(seccomp),
          "non-functional in v1.27+; use the \"seccompProfile\" field instead");
    }
    var appArmor = "container.apparmor.security.beta.kubernetes.io/" + name;
    if (template
        && container.at("securityContext", "appArmorProfile") == null
        && annotations.containsKey(appArmor)) {
      warn(
          annotationPath(appArmor),
          "deprecated since v1.30; use the \"appArmorProfile\" field instead");
    }
    for (var resource : List.of("memory", "ephemeral-storage")) {
      for (var list : List.of("limits", "requests")) {
        fraction(container.treeOrEmpty("resources", list), resource, at.child("resources", list));
      }
    }
    environment(container.trees("env"), at.child("env"));
  }

  private void environment(List<Tree> variables, FieldPath at) {
    var seen = new HashSet<String>();
    for (int i = 0; i < variables.size(); i++) {
      var name = variables.get(i).textOrEmpty("name");
      if (seen.add(name)) {
        continue;
      }
      var reference = "$(" + name + ")";
      var value = variables.get(i).textOrEmpty("value");
      boolean extended = value.contains(reference) && !value.equals(reference);
      if (variables.get(i).get("valueFrom") != null || !extended) {
        warn(
            at.index(i),
            "hides previous definition of %s, which may be dropped when using apply"
                .formatted(FieldError.quoted(name)));
      }
    }
  }

  private void ports() {
    var seen = new HashMap<String, List<FieldPath>>();
    var known = new HashMap<String, List<Tree>>();
    Containers.visit(
        spec,
        path,
        (container, at) -> {
          var ports = container.trees("ports");
          for (int i = 0; i < ports.size(); i++) {
            var port = ports.get(i);
            var portPath = at.child("ports").index(i);
            if (!port.textOrEmpty("hostIP").isEmpty() && port.number(0, "hostPort") == 0) {
              warn(portPath, "hostIP set without hostPort: " + goPort(port));
            }
            var key = port.number(0, "containerPort") + "/" + port.textOrEmpty("protocol");
            var paths = seen.computeIfAbsent(key, each -> new ArrayList<>());
            var others = known.computeIfAbsent(key, each -> new ArrayList<>());
            for (int o = 0; o < others.size(); o++) {
              portClash(port, others.get(o), portPath, paths.get(o));
            }
            paths.add(portPath);
            others.add(port);
          }
        });
  }

  /// A port as Go prints its struct.
  private static String goPort(Tree port) {
    return "{Name:%s HostPort:%d ContainerPort:%d Protocol:%s HostIP:%s}"
        .formatted(
            port.textOrEmpty("name"),
            port.number(0, "hostPort"),
            port.number(0, "containerPort"),
            port.textOrEmpty("protocol"),
            port.textOrEmpty("hostIP"));
  }

  private void portClash(Tree port, Tree other, FieldPath at, FieldPath otherPath) {
    var address = port.textOrEmpty("hostIP");
    var otherAddress = other.textOrEmpty("hostIP");
    long host = port.number(0, "hostPort");
    long otherHost = other.number(0, "hostPort");
    if (address.equals(otherAddress) && host == otherHost) {
      warn(at, "duplicate port definition with " + otherPath);
    } else if (host == 0 || otherHost == 0) {
      warn(at, "overlapping port definition with " + otherPath);
    } else if (host == otherHost && address.isEmpty() != otherAddress.isEmpty()) {
      warn(at, "dangerously ambiguous port definition with " + otherPath);
    }
  }

  private void portNames() {
    var names = new HashMap<String, FieldPath>();
    Containers.visit(
        spec,
        path,
        (container, at) -> {
          var ports = container.trees("ports");
          for (int i = 0; i < ports.size(); i++) {
            var name = ports.get(i).textOrEmpty("name");
            var portPath = at.child("ports").index(i);
            var other = name.isEmpty() ? null : names.putIfAbsent(name, portPath);
            if (other != null) {
              warn(
                  portPath,
                  "duplicate port name %s with %s, services and probes that select ports by name will use %s"
                      .formatted(FieldError.quoted(name), other, other));
            }
          }
        });
  }

  private void affinity() {
    for (var kind : List.of("podAffinity", "podAntiAffinity")) {
      var affinity = spec.treeOrEmpty("affinity", kind);
      var at = path.child("affinity", kind);
      var required = "requiredDuringSchedulingIgnoredDuringExecution";
      var terms = affinity.trees(required);
      for (int i = 0; i < terms.size(); i++) {
        if (terms.get(i).tree("labelSelector") == null) {
          warn(at.child(required).index(i).child("labelSelector"), NULL_SELECTOR);
        }
      }
      var preferred = "preferredDuringSchedulingIgnoredDuringExecution";
      var weighted = affinity.trees(preferred);
      for (int i = 0; i < weighted.size(); i++) {
        if (weighted.get(i).tree("podAffinityTerm", "labelSelector") == null) {
          warn(
              at.child(preferred).index(i).child("podAffinityTerm", "labelSelector"),
              NULL_SELECTOR);
        }
      }
    }
  }
}
