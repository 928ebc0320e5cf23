package io.berth.answers.source;

import io.berth.api.ObjectReference;
import io.berth.api.Tree;
import java.util.Optional;

/// An object as its author or a cluster wrote it, and where.
public record Manifest(Tree tree, Origin origin) {

  public Manifest {
    tree = tree.freeze();
  }

  public static Manifest ofCluster(Tree tree) {
    return new Manifest(tree, Origin.CLUSTER);
  }

  public String kind() {
    return tree.textOrEmpty("kind");
  }

  public String name() {
    return tree.textOrEmpty("metadata", "name");
  }

  /// `""` for an object of the whole cluster.
  public String namespace() {
    return tree.textOrEmpty("metadata", "namespace");
  }

  public ObjectReference reference() {
    return new ObjectReference(kind(), namespace(), name());
  }

  /// What the object makes pods of, if it does.
  public Optional<Tree> template() {
    var template =
        kind().equals("CronJob")
            ? tree.tree("spec", "jobTemplate", "spec", "template")
            : tree.tree("spec", "template");
    return Optional.ofNullable(template)
        .filter(each -> !each.trees("spec", "containers").isEmpty());
  }

  /// `web.yaml:12: Deployment shop/web`, for messages.
  @Override
  public String toString() {
    return "%s: %s %s".formatted(origin, kind(), reference().key());
  }
}
