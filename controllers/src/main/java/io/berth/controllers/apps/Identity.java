package io.berth.controllers.apps;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import java.util.ArrayList;
import java.util.List;

/// What makes a StatefulSet's pod that pod: name, labels, hostname, and its own volumes.
final class Identity {

  static final String POD_NAME = "statefulset.kubernetes.io/pod-name";
  static final String POD_INDEX = "apps.kubernetes.io/pod-index";

  private Identity() {}

  /// The ordinal in the pod's name, or −1 when the name is not one of the set's.
  static long ordinal(Tree set, Tree pod) {
    var name = Meta.name(pod);
    var prefix = Meta.name(set) + "-";
    if (!name.startsWith(prefix)) {
      return -1;
    }
    var rest = name.substring(prefix.length());
    return rest.matches("0|[1-9]\\d{0,8}") ? Long.parseLong(rest) : -1;
  }

  static Tree pod(Tree set, long ordinal, Tree template, String revision) {
    var name = "%s-%d".formatted(Meta.name(set), ordinal);
    var metadata = Tree.of("name", name, "namespace", Meta.namespace(set));
    metadata.put("generateName", Meta.name(set) + "-");
    var labels = template.treeOrEmpty("metadata", "labels").copy();
    labels.put(POD_NAME, name).put(POD_INDEX, Long.toString(ordinal)).put(Revisions.HASH, revision);
    metadata.put("labels", labels);
    for (var kept : List.of("annotations", "finalizers")) {
      var value = template.at("metadata", kept);
      if (value != null) {
        metadata.put(kept, Tree.copyOf(value));
      }
    }
    metadata.put("ownerReferences", List.of(Meta.controllerRef(Resource.STATEFUL_SETS, set)));
    var spec = template.treeOrEmpty("spec").copy();
    spec.put("hostname", name);
    var service = set.textOrEmpty("spec", "serviceName");
    if (!service.isEmpty()) {
      spec.put("subdomain", service);
    }
    mountClaims(set, name, spec);
    return Tree.of("apiVersion", "v1", "kind", "Pod").put("metadata", metadata).put("spec", spec);
  }

  /// The claims that a pod of this ordinal needs.
  static List<Tree> claims(Tree set, long ordinal) {
    var claims = new ArrayList<Tree>();
    for (var template : set.trees("spec", "volumeClaimTemplates")) {
      var claim = template.copy();
      claim.remove("status");
      var metadata = claim.child("metadata");
      metadata
          .put("name", claimName(template, "%s-%d".formatted(Meta.name(set), ordinal)))
          .put("namespace", Meta.namespace(set));
      var labels = metadata.child("labels");
      set.texts("spec", "selector", "matchLabels").forEach(labels::put);
      claims.add(claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim"));
    }
    return claims;
  }

  static List<String> claimNames(Tree set, String podName) {
    var names = new ArrayList<String>();
    for (var template : set.trees("spec", "volumeClaimTemplates")) {
      names.add(claimName(template, podName));
    }
    return names;
  }

  private static void mountClaims(Tree set, String podName, Tree spec) {
    var templates = set.trees("spec", "volumeClaimTemplates");
    if (templates.isEmpty()) {
      return;
    }
    var volumes = new ArrayList<Tree>();
    for (var template : templates) {
      volumes.add(
          Tree.of("name", Meta.name(template))
              .put("persistentVolumeClaim", Tree.of("claimName", claimName(template, podName))));
    }
    for (var volume : spec.trees("volumes")) {
      if (volumes.stream().noneMatch(v -> v.textOrEmpty("name").equals(volume.text("name")))) {
        volumes.add(volume);
      }
    }
    spec.put("volumes", volumes);
  }

  private static String claimName(Tree template, String podName) {
    return "%s-%s".formatted(Meta.name(template), podName);
  }
}
