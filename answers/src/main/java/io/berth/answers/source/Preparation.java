package io.berth.answers.source;

import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.codec.ClusterKind;
import io.berth.codec.PodReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What an API server makes of an object before placement sees it. Objects of a cluster have been
/// through it.
public final class Preparation {

  /// Classes that are there without anybody creating them. As in Kubernetes.
  private static final Map<String, Long> SYSTEM =
      Map.of("system-cluster-critical", 2_000_000_000L, "system-node-critical", 2_000_001_000L);

  private static final Set<String> OWNERS =
      Set.of("Deployment", "DaemonSet", "Job", "CronJob", "LimitRange", "Ingress", "ConfigMap");

  private final UnaryOperator<Tree> defaults;
  private final Map<String, Tree> classes = new HashMap<>();

  public Preparation(UnaryOperator<Tree> defaults, Iterable<Manifest> manifests) {
    this.defaults = defaults;
    for (var manifest : manifests) {
      if (manifest.kind().equals("PriorityClass")) {
        classes.put(manifest.name(), manifest.tree());
      }
    }
  }

  /// The same manifest, in the namespace it will be in and under the name it will have.
  static Manifest named(Manifest manifest, String namespace) {
    var meta = manifest.tree().treeOrEmpty("metadata");
    boolean homeless = isNamespaced(manifest) && manifest.namespace().isEmpty();
    if (!homeless && !manifest.name().isEmpty()) {
      return manifest;
    }
    var tree = manifest.tree().copy();
    if (homeless) {
      tree.child("metadata").put("namespace", namespace);
    }
    if (manifest.name().isEmpty()) {
      tree.child("metadata").put("name", meta.textOrEmpty("generateName") + "0");
    }
    return new Manifest(tree, manifest.origin());
  }

  private static boolean isNamespaced(Manifest manifest) {
    var known = ClusterKind.find(manifest.kind());
    return known.isPresent()
        ? known.get().resource().namespaced()
        : OWNERS.contains(manifest.kind()) || manifest.template().isPresent();
  }

  Tree prepared(Manifest manifest) {
    if (manifest.origin().isCluster()) {
      return manifest.tree();
    }
    return manifest.kind().equals(Pod.KIND) ? pod(manifest.tree()) : filledIn(manifest.tree());
  }

  // Whoever fills in expects fields of the right types; about others the readers complain.
  private Tree filledIn(Tree written) {
    try {
      return defaults.apply(written.copy());
    } catch (RuntimeException e) {
      return written.copy();
    }
  }

  /// A pod that is not of a cluster: with priority, defaults, and a uid that follows from its name.
  Tree pod(Tree written) {
    var pod = filledIn(written);
    var meta = pod.child("metadata");
    meta.putIfAbsent("uid", meta.textOrEmpty("namespace") + "/" + meta.textOrEmpty("name"));
    var spec = pod.child("spec");
    if (!spec.has("priority")) {
      prioritise(spec);
    }
    return pod;
  }

  /// One more pod of an owner's template.
  public SurveyedPod podOf(Manifest owner, Tree template, String name) {
    var tree = pod(Templates.pod(owner, template, name));
    return SurveyedPod.of(PodReader.read(tree), tree, owner);
  }

  private void prioritise(Tree spec) {
    var name = spec.textOrEmpty("priorityClassName");
    var chosen = name.isEmpty() ? globalDefault() : classes.get(name);
    if (chosen != null) {
      spec.put("priority", chosen.number(0, "value"));
      spec.putIfAbsent("preemptionPolicy", chosen.get("preemptionPolicy"));
    } else if (SYSTEM.containsKey(name)) {
      spec.put("priority", SYSTEM.get(name));
    }
  }

  private @Nullable Tree globalDefault() {
    Tree lowest = null;
    for (var each : classes.values()) {
      boolean lower = lowest == null || each.number(0, "value") < lowest.number(0, "value");
      if (each.flag("globalDefault") && lower) {
        lowest = each;
      }
    }
    return lowest;
  }

  /// Whether the pod names a class that nobody knows.
  boolean lacksClass(Tree pod) {
    var name = pod.textOrEmpty("spec", "priorityClassName");
    return !name.isEmpty() && pod.at("spec", "priority") == null;
  }
}
