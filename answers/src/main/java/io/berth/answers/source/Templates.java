package io.berth.answers.source;

import io.berth.api.Pod;
import io.berth.api.Tree;
import java.util.List;

/// Makes pods of what makes pods, as its controller would.
public final class Templates {

  private Templates() {}

  /// A pod of the manifest's template under this name. Pods of a Deployment belong to a ReplicaSet
  /// in between, [#replicaSet].
  public static Tree pod(Manifest owner, Tree template, String name) {
    var pod = Tree.of("apiVersion", "v1", "kind", Pod.KIND);
    var meta = template.treeOrEmpty("metadata").copy();
    meta.put("name", name).put("namespace", owner.namespace());
    meta.put("ownerReferences", List.of(reference(owner)));
    return pod.put("metadata", meta).put("spec", template.treeOrEmpty("spec").copy());
  }

  /// The ReplicaSet of a Deployment that has none yet.
  public static Tree replicaSet(Manifest deployment) {
    var tree = deployment.tree();
    var meta = Tree.of("name", deployment.name(), "namespace", deployment.namespace());
    meta.put("ownerReferences", List.of(referenceTo(tree, "Deployment", deployment.name())));
    return Tree.of("apiVersion", tree.textOrEmpty("apiVersion"), "kind", "ReplicaSet")
        .put("metadata", meta)
        .put("spec", Tree.of("selector", tree.treeOrEmpty("spec", "selector").copy()));
  }

  private static Tree reference(Manifest owner) {
    var kind = owner.kind().equals("Deployment") ? "ReplicaSet" : owner.kind();
    return referenceTo(owner.tree(), kind, owner.name());
  }

  private static Tree referenceTo(Tree owner, String kind, String name) {
    return Tree.of("apiVersion", owner.textOrEmpty("apiVersion"), "kind", kind)
        .put("name", name)
        .put("controller", true);
  }
}
