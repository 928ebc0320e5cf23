package io.berth.answers.source;

import io.berth.api.ClusterObject;
import io.berth.api.Namespace;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.codec.ClusterKind;
import io.berth.codec.FieldException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Makes engine objects of manifests, and pods of templates whose pods nobody has made yet.
final class Surveyor {

  final Map<ObjectReference, Manifest> manifests;
  final List<ClusterObject> objects = new ArrayList<>();
  final Map<String, SurveyedPod> pods = new LinkedHashMap<>();
  final Set<String> unread;
  final Preparation preparation;

  Surveyor(
      Map<ObjectReference, Manifest> manifests, Survey.Settings settings, List<String> unread) {
    this.manifests = manifests;
    this.unread = new LinkedHashSet<>(unread);
    this.preparation = new Preparation(settings.defaults(), manifests.values());
    if (!settings.configuration().extenders().isEmpty()) {
      this.unread.add("extenders of the scheduler's configuration: they are not asked");
    }
    for (var manifest : manifests.values()) {
      ClusterKind.find(manifest.kind()).ifPresent(kind -> read(kind, manifest));
    }
    addTemplates();
    addNamespaces();
  }

  private void read(ClusterKind kind, Manifest manifest) {
    try {
      var tree = preparation.prepared(manifest);
      if (kind.read(tree) instanceof Pod pod) {
        add(pod, tree, manifest);
      } else {
        objects.add(kind.read(tree));
      }
    } catch (FieldException e) {
      refuse(manifest, e);
    }
  }

  private void add(Pod pod, Tree tree, Manifest source) {
    pods.put(pod.key(), SurveyedPod.of(pod, tree, source));
    if (preparation.lacksClass(tree)) {
      unread.add("PriorityClass " + tree.textOrEmpty("spec", "priorityClassName"));
    }
  }

  private void refuse(Manifest manifest, FieldException e) {
    var exception = ManifestException.of(manifest, e);
    if (!manifest.origin().isCluster()) {
      throw exception;
    }
    unread.add(String.valueOf(exception.getMessage()));
  }

  private void addTemplates() {
    var owners = ownersOfPods();
    for (var manifest : List.copyOf(manifests.values())) {
      if (isYetToBeMade(manifest) && !owners.contains(manifest.reference())) {
        manifest.template().ifPresent(template -> addTemplate(manifest, template));
      }
    }
  }

  // What a cluster has made of its objects is there; so it is when it wrote the file.
  private static boolean isYetToBeMade(Manifest manifest) {
    var tree = manifest.tree();
    return !manifest.origin().isCluster()
        && Ownership.controllerOf(tree, manifest.namespace()) == null
        && tree.number(1, "spec", "replicas") > 0
        && tree.at("status", "completionTime") == null;
  }

  /// Whoever is above a pod that some file holds.
  private Set<ObjectReference> ownersOfPods() {
    var owners = new HashSet<ObjectReference>();
    for (var manifest : manifests.values()) {
      boolean made = manifest.kind().equals(Pod.KIND) || manifest.kind().equals("ReplicaSet");
      var owner = Ownership.controllerOf(manifest.tree(), manifest.namespace());
      if (made && !manifest.origin().isCluster()) {
        while (owner != null && owners.add(owner)) {
          var above = manifests.get(owner);
          owner = above == null ? null : Ownership.controllerOf(above.tree(), owner.namespace());
        }
      }
    }
    return owners;
  }

  private void addTemplate(Manifest owner, Tree template) {
    var taken = pods.containsKey(owner.namespace() + "/" + owner.name());
    var name = taken ? owner.name() + "-template" : owner.name();
    try {
      var pod = preparation.podOf(owner, template, name);
      add(pod.pod(), pod.tree(), owner);
      if (owner.kind().equals("Deployment")) {
        var between = Templates.replicaSet(owner);
        ClusterKind.find("ReplicaSet").ifPresent(kind -> objects.add(kind.read(between)));
      }
    } catch (FieldException e) {
      refuse(owner, new FieldException("spec.template." + e.path(), problem(e)));
    }
  }

  private static String problem(FieldException e) {
    return String.valueOf(e.getMessage()).substring(e.path().length() + 2);
  }

  // Files seldom hold the namespaces they need, and selectors of namespaces look at these.
  private void addNamespaces() {
    var known = new HashSet<String>();
    objects.stream().filter(Namespace.class::isInstance).forEach(each -> known.add(each.name()));
    for (var each : pods.values()) {
      var name = each.pod().namespace();
      if (known.add(name)) {
        objects.add(new Namespace(name, Map.of("kubernetes.io/metadata.name", name)));
      }
    }
  }
}
