package io.berth.admission;

import static io.berth.api.Resource.PODS;

import io.berth.api.QosClass;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What several plugins ask about pods.
final class Pods {

  static final String MIRROR = "kubernetes.io/config.mirror";

  private static final List<String> CONTAINERS =
      List.of("initContainers", "containers", "ephemeralContainers");

  private Pods() {}

  /// Whether this creates or replaces a pod itself, not through a subresource.
  static boolean isWrittenBy(Attributes request) {
    return request.isFor(PODS) && (request.is(Operation.CREATE) || request.is(Operation.UPDATE));
  }

  static boolean isCreatedBy(Attributes request) {
    return request.isFor(PODS) && request.is(Operation.CREATE);
  }

  static boolean isMirror(Tree pod) {
    return pod.treeOrEmpty("metadata", "annotations").has(MIRROR);
  }

  /// Init, ordinary and ephemeral containers.
  static List<Tree> allContainers(Tree pod) {
    var containers = new ArrayList<Tree>();
    CONTAINERS.forEach(list -> containers.addAll(pod.trees("spec", list)));
    return containers;
  }

  /// Whether the pod names a secret anywhere: pull secrets, environment, volumes.
  static boolean referencesSecrets(Tree pod) {
    if (!pod.list("spec", "imagePullSecrets").isEmpty()) {
      return true;
    }
    return environmentNames(pod, "secretRef", "secretKeyRef")
        || pod.trees("spec", "volumes").stream().anyMatch(Pods::usesSecret);
  }

  static boolean referencesConfigMaps(Tree pod) {
    return environmentNames(pod, "configMapRef", "configMapKeyRef")
        || pod.trees("spec", "volumes").stream()
            .anyMatch(volume -> volume.has("configMap") || projects(volume, "configMap"));
  }

  private static boolean environmentNames(Tree pod, String whole, String single) {
    for (var container : allContainers(pod)) {
      for (var source : container.trees("envFrom")) {
        if (source.has(whole)) {
          return true;
        }
      }
      for (var variable : container.trees("env")) {
        if (variable.at("valueFrom", single) != null) {
          return true;
        }
      }
    }
    return false;
  }

  private static final Set<String> VOLUMES_WITH_SECRET_REF =
      Set.of("cephfs", "cinder", "flexVolume", "rbd", "scaleIO", "iscsi", "storageos");

  private static boolean usesSecret(Tree volume) {
    if (volume.has("secret") || volume.has("azureFile") || projects(volume, "secret")) {
      return true;
    }
    for (var type : VOLUMES_WITH_SECRET_REF) {
      if (volume.at(type, "secretRef") != null) {
        return true;
      }
    }
    return volume.at("csi", "nodePublishSecretRef") != null;
  }

  /// Whether a projected volume has a source of this type.
  static boolean projects(Tree volume, String source) {
    return volume.trees("projected", "sources").stream().anyMatch(each -> each.has(source));
  }

  /// `Guaranteed`, `Burstable` or `BestEffort`.
  static String qosClass(Tree pod) {
    var known = pod.text("status", "qosClass");
    return known != null && !known.isEmpty() ? known : QosClass.of(pod.treeOrEmpty("spec")).word();
  }

  /// A toleration of every value of a taint.
  static Tree tolerationOf(String key, String effect) {
    return Tree.of("effect", effect, "key", key, "operator", "Exists");
  }

  /// Whether this is a resource that is neither Kubernetes' own nor a quota's name for one.
  static boolean isExtendedResource(String resource) {
    return resource.contains("/")
        && !resource.contains("kubernetes.io/")
        && !resource.startsWith("requests.");
  }

  /// Keys with different values, or in one map only.
  static Set<String> changedKeys(Map<String, String> one, Map<String, String> other) {
    var changed = new HashSet<String>();
    one.forEach((key, value) -> {
      if (!value.equals(other.get(key))) {
        changed.add(key);
      }
    });
    other.keySet().stream().filter(key -> !one.containsKey(key)).forEach(changed::add);
    return changed;
  }
}
