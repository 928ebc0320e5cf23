package io.berth.controllers.apps;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.TemplateHash;
import io.berth.controllers.runtime.Trees;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A Deployment's ReplicaSet of one template: its name, its labels and its annotations.
final class Version {

  private static final String HISTORY = "deployment.kubernetes.io/revision-history";
  private static final int LONGEST_HISTORY = 2000;
  private static final Set<String> OWN =
      Set.of(
          "kubectl.kubernetes.io/last-applied-configuration",
          "deprecated.deployment.rollback.to",
          Rollout.REVISION,
          Rollout.DESIRED,
          Rollout.MAX,
          HISTORY);

  private final Tree deployment;
  private final long replicas;
  private final long surge;

  Version(Tree deployment, long replicas, long surge) {
    this.deployment = deployment;
    this.replicas = replicas;
    this.surge = surge;
  }

  /// The ReplicaSet of the current template, to be created.
  Tree create(long revision, long size) {
    var template = deployment.treeOrEmpty("spec", "template").copy();
    var hash = TemplateHash.of(template, collisions());
    template.child("metadata").child("labels").put(Rollout.HASH, hash);
    var selector = deployment.treeOrEmpty("spec", "selector").copy();
    selector.child("matchLabels").put(Rollout.HASH, hash);
    var metadata =
        Tree.of("name", name(hash), "namespace", Meta.namespace(deployment))
            .put("labels", template.treeOrEmpty("metadata", "labels").copy())
            .put("ownerReferences", List.of(Meta.controllerRef(Resource.DEPLOYMENTS, deployment)));
    var spec = Tree.of("replicas", size).put("selector", selector).put("template", template);
    if (deployment.number(0, "spec", "minReadySeconds") > 0) {
      spec.put("minReadySeconds", deployment.at("spec", "minReadySeconds"));
    }
    var set =
        Tree.of("apiVersion", "apps/v1", "kind", "ReplicaSet")
            .put("metadata", metadata)
            .put("spec", spec);
    annotate(set, revision);
    annotateSizes(set);
    return set;
  }

  private @Nullable Long collisions() {
    return deployment.at("status", "collisionCount") instanceof Long count ? count : null;
  }

  private String name(String hash) {
    var longest = 253 - 1 - hash.length();
    var name = Meta.name(deployment);
    return (name.length() > longest ? name.substring(0, longest) : name) + "-" + hash;
  }

  /// The ReplicaSet as the Deployment wants it now, its size aside.
  Tree refreshed(Tree set, long revision) {
    var changed = set.copy();
    annotate(changed, revision);
    var minReady = deployment.at("spec", "minReadySeconds");
    if (minReady == null) {
      changed.child("spec").remove("minReadySeconds");
    } else {
      changed.child("spec").put("minReadySeconds", minReady);
    }
    return changed;
  }

  /// The ReplicaSet with this size, and what it is a part of.
  Tree resized(Tree set, long size) {
    var changed = set.copy();
    changed.child("spec").put("replicas", size);
    annotateSizes(changed);
    return changed;
  }

  private void annotate(Tree set, long revision) {
    var before = Meta.annotation(set, Rollout.REVISION);
    var annotations = set.child("metadata").child("annotations");
    deployment
        .texts("metadata", "annotations")
        .forEach((key, value) -> {
          if (isInherited(key)) {
            annotations.put(key, value);
          }
        });
    annotations.put(Rollout.REVISION, Long.toString(revision));
    if (before == null || before.equals(Long.toString(revision))) {
      return;
    }
    // The template is used again: what revisions it had stays known, the oldest aside.
    var history = new ArrayList<String>();
    Collections.addAll(history, annotations.textOrEmpty(HISTORY).split(","));
    history.removeIf(String::isEmpty);
    history.add(before);
    while (String.join(",", history).length() > LONGEST_HISTORY) {
      history.removeFirst();
    }
    annotations.put(HISTORY, String.join(",", history));
  }

  private void annotateSizes(Tree set) {
    set.child("metadata")
        .child("annotations")
        .put(Rollout.DESIRED, Long.toString(replicas))
        .put(Rollout.MAX, Long.toString(replicas + surge));
  }

  private static boolean isInherited(String annotation) {
    return !OWN.contains(annotation);
  }

  /// Whether both have the same template, the hash that only one has aside.
  boolean isOf(Tree set) {
    return Trees.equivalent(
        bare(set.treeOrEmpty("spec", "template")),
        bare(deployment.treeOrEmpty("spec", "template")));
  }

  private static Tree bare(Tree template) {
    var bare = template.copy();
    bare.child("metadata").child("labels").remove(Rollout.HASH);
    return bare;
  }
}
