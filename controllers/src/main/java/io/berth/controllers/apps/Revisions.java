package io.berth.controllers.apps;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Ownership;
import io.berth.controllers.runtime.Selector;
import io.berth.controllers.runtime.TemplateHash;
import io.berth.controllers.runtime.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The history of a StatefulSet's or DaemonSet's template, as ControllerRevisions.
final class Revisions {

  /// Says on pods which revision they are of.
  static final String HASH = "controller-revision-hash";

  private static final String HASH_OF_REVISION = "controller.kubernetes.io/hash";

  private final Environment environment;
  private final Resource resource;
  private final Cache revisions;
  private final Ownership ownership;

  Revisions(Environment environment, Resource resource) {
    this.environment = environment;
    this.resource = resource;
    this.revisions =
        environment.informers().of(Resource.CONTROLLER_REVISIONS).indexed(Index.CONTROLLER);
    this.ownership = new Ownership(environment.cluster(), resource, Resource.CONTROLLER_REVISIONS);
  }

  /// The revisions of an owner, oldest first.
  List<Tree> of(Tree owner) {
    var candidates = new ArrayList<Tree>(revisions.by(Index.CONTROLLER, Meta.uid(owner)));
    candidates.addAll(revisions.by(Index.CONTROLLER, Index.orphansOf(Meta.namespace(owner))));
    var mine =
        ownership.claim(owner, Selector.of(owner.tree("spec", "selector")), candidates, _ -> true);
    var sorted = new ArrayList<>(mine);
    sorted.sort(
        Comparator.comparingLong(Revisions::number)
            .thenComparing(Meta::created)
            .thenComparing(Meta::name));
    return sorted;
  }

  /// The revision of the owner's template as it is now, made or renewed where needed.
  Tree newest(Tree owner, List<Tree> known) {
    var data = data(owner);
    var next = known.isEmpty() ? 1 : number(known.getLast()) + 1;
    Tree equal = null;
    for (var revision : known) {
      equal = Trees.equivalent(data, revision.get("data")) ? revision : equal;
    }
    if (equal != null) {
      if (number(equal) == next - 1) {
        return equal;
      }
      var renewed = equal.copy().put("revision", next);
      return environment.cluster().update(Resource.CONTROLLER_REVISIONS, null, renewed);
    }
    return create(owner, data, next);
  }

  private Tree create(Tree owner, Tree data, long number) {
    var hash = TemplateHash.of(data, collisions(owner));
    var labels = owner.treeOrEmpty("spec", "template", "metadata", "labels").copy();
    labels.put(resource.equals(Resource.DAEMON_SETS) ? HASH : HASH_OF_REVISION, hash);
    var metadata =
        Tree.of("name", Meta.name(owner) + "-" + hash, "namespace", Meta.namespace(owner))
            .put("labels", labels)
            .put("annotations", owner.treeOrEmpty("metadata", "annotations").copy())
            .put("ownerReferences", List.of(Meta.controllerRef(resource, owner)));
    var revision =
        Tree.of("apiVersion", "apps/v1", "kind", "ControllerRevision")
            .put("metadata", metadata)
            .put("data", data)
            .put("revision", number);
    try {
      return environment.cluster().create(Resource.CONTROLLER_REVISIONS, revision);
    } catch (ApiException e) {
      if (!e.is("AlreadyExists")) {
        throw e;
      }
      var taken =
          environment
              .cluster()
              .fetch(Resource.CONTROLLER_REVISIONS, Meta.namespace(owner), Meta.name(revision));
      if (Meta.isControlledBy(taken, owner) && Trees.equivalent(data, taken.get("data"))) {
        return taken;
      }
      throw e;
    }
  }

  /// Deletes the oldest revisions that nothing uses, beyond the limit.
  void truncate(Tree owner, List<Tree> known, Set<String> inUse) {
    var unused = new ArrayList<>(known);
    unused.removeIf(revision -> inUse.contains(Meta.name(revision)));
    var surplus = unused.size() - owner.number(10, "spec", "revisionHistoryLimit");
    for (int i = 0; i < surplus; i++) {
      var revision = unused.get(i);
      try {
        environment
            .cluster()
            .delete(
                Resource.CONTROLLER_REVISIONS,
                Meta.namespace(revision),
                Meta.name(revision),
                DeleteOptions.background(Meta.uid(revision)));
      } catch (ApiException e) {
        if (!e.is("NotFound") && !e.is("Conflict")) {
          throw e;
        }
      }
    }
  }

  /// The pod template that a revision holds.
  static Tree template(Tree revision) {
    var template = revision.treeOrEmpty("data", "spec", "template").copy();
    template.remove("$patch");
    return template;
  }

  /// The hash of a DaemonSet's revision.
  static String hash(Tree revision) {
    var hash = Meta.label(revision, HASH);
    return hash == null ? "" : hash;
  }

  /// A patch that brings the template back. Clients compare its bytes with what they would write:
  /// fields are in alphabetical order.
  private static Tree data(Tree owner) {
    var template = owner.treeOrEmpty("spec", "template").copy().put("$patch", "replace");
    return Trees.sorted(Tree.of("spec", Tree.of("template", template)));
  }

  private static long number(Tree revision) {
    return revision.number(0, "revision");
  }

  private static @Nullable Long collisions(Tree owner) {
    return owner.at("status", "collisionCount") instanceof Long count ? count : null;
  }
}
