package io.berth.controllers.runtime;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.PatchType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Which objects belong to an owner: adopts orphans that match its selector, releases what no
/// longer does.
///
/// Before the first adoption the owner is read again from the API: one that was deleted meanwhile,
/// or replaced by another of its name, must not collect children.
public final class Ownership {

  private final Cluster cluster;
  private final Resource ownerResource;
  private final Resource childResource;

  public Ownership(Cluster cluster, Resource ownerResource, Resource childResource) {
    this.cluster = cluster;
    this.ownerResource = ownerResource;
    this.childResource = childResource;
  }

  /// The objects of `candidates` that `owner` controls after claiming. `adoptable` narrows what may
  /// be adopted beyond the selector.
  public List<Tree> claim(
      Tree owner, Selector selector, List<Tree> candidates, Predicate<Tree> adoptable) {
    var claimed = new ArrayList<Tree>();
    var checked = false;
    for (var child : candidates) {
      var controller = Meta.controllerOf(child);
      if (controller != null) {
        if (!controller.textOrEmpty("uid").equals(Meta.uid(owner))) {
          continue;
        }
        if (selector.matches(child)) {
          claimed.add(child);
        } else if (!Meta.isDeleting(owner)) {
          release(owner, child);
        }
        continue;
      }
      if (Meta.isDeleting(owner)
          || Meta.isDeleting(child)
          || !selector.matches(child)
          || !adoptable.test(child)) {
        continue;
      }
      if (!checked) {
        check(owner);
        checked = true;
      }
      var adopted = adopt(owner, child);
      if (adopted != null) {
        claimed.add(adopted);
      }
    }
    return claimed;
  }

  private void check(Tree owner) {
    var live = cluster.fetch(ownerResource, Meta.namespace(owner), Meta.name(owner));
    if (!Meta.uid(live).equals(Meta.uid(owner)) || Meta.isDeleting(live)) {
      throw ApiException.conflict(
          ownerResource, Meta.name(owner), "it was deleted or replaced and adopts nothing");
    }
  }

  private @Nullable Tree adopt(Tree owner, Tree child) {
    var owners = new ArrayList<Object>(Meta.owners(child));
    owners.add(Meta.controllerRef(ownerResource, owner));
    return patchOwners(child, owners);
  }

  private void release(Tree owner, Tree child) {
    var owners = new ArrayList<Object>(Meta.owners(child));
    owners.removeIf(o -> o instanceof Tree ref && ref.textOrEmpty("uid").equals(Meta.uid(owner)));
    patchOwners(child, owners);
  }

  private @Nullable Tree patchOwners(Tree child, List<Object> owners) {
    var metadata =
        Tree.of("uid", Meta.uid(child), "resourceVersion", Meta.revision(child))
            .put("ownerReferences", owners.isEmpty() ? null : owners);
    try {
      return cluster.patch(
          childResource,
          Meta.namespace(child),
          Meta.name(child),
          null,
          PatchType.MERGE,
          Tree.of("metadata", metadata));
    } catch (ApiException e) {
      if (e.is("NotFound") || e.is("Invalid")) {
        return null; // Gone, or replaced by another of its name.
      }
      throw e;
    }
  }
}
