package io.berth.controllers.apps;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Meta;
import java.util.ArrayList;
import java.util.List;

/// Who owns the claims of a StatefulSet's pods, as its retention policy wants: nobody, the set, or
/// the pod once it is scaled away. The garbage collector does the rest.
final class ClaimOwners {

  private final Environment environment;
  private final Cache claims;
  private final Tree set;
  private final boolean deletedWithSet;
  private final boolean deletedWhenScaled;

  ClaimOwners(Environment environment, Cache claims, Tree set) {
    this.environment = environment;
    this.claims = claims;
    this.set = set;
    var policy = set.treeOrEmpty("spec", "persistentVolumeClaimRetentionPolicy");
    this.deletedWithSet = policy.textOrEmpty("whenDeleted").equals("Delete");
    this.deletedWhenScaled = policy.textOrEmpty("whenScaled").equals("Delete");
  }

  /// The owners of a new claim of a pod that is to stay.
  List<Tree> first() {
    return deletedWithSet ? List.of(Meta.controllerRef(Resource.STATEFUL_SETS, set)) : List.of();
  }

  /// Whether a claim of this pod is still to go with an earlier pod of the same name.
  boolean awaitDeletion(String pod, List<String> names) {
    return deletedWhenScaled
        && find(names).stream()
            .flatMap(claim -> owners(claim).stream())
            .anyMatch(owner -> names(owner, Resource.PODS, pod));
  }

  /// Gives the claims of `pod` the owners they shall have.
  void settle(Tree pod, List<String> names, boolean scaledAway) {
    for (var claim : find(names)) {
      if (!isOfAnEarlierOwner(claim, pod)) {
        settle(claim, pod, scaledAway);
      }
    }
  }

  private void settle(Tree claim, Tree pod, boolean scaledAway) {
    var others = new ArrayList<Tree>(owners(claim));
    others.removeIf(owner -> isOurs(owner, pod));
    var mine = new ArrayList<Tree>();
    var foreign = others.stream().anyMatch(owner -> owner.flag("controller"));
    if (!foreign && deletedWhenScaled && scaledAway) {
      mine.add(Meta.controllerRef(Resource.PODS, pod));
    } else if (!foreign && deletedWithSet) {
      mine.add(Meta.controllerRef(Resource.STATEFUL_SETS, set));
    }
    var before = new ArrayList<Tree>(owners(claim));
    before.removeAll(others);
    if (before.equals(mine)) {
      return;
    }
    others.addAll(mine);
    var changed = claim.copy();
    changed.child("metadata").put("ownerReferences", others);
    environment.cluster().update(Resource.PERSISTENT_VOLUME_CLAIMS, null, changed);
  }

  /// Of the same name as ours, and gone: the garbage collector knows what to do.
  private boolean isOfAnEarlierOwner(Tree claim, Tree pod) {
    return owners(claim).stream()
        .anyMatch(owner ->
            isOurs(owner, pod)
                && !Meta.uid(pod).equals(owner.text("uid"))
                && !Meta.uid(set).equals(owner.text("uid")));
  }

  private boolean isOurs(Tree owner, Tree pod) {
    return names(owner, Resource.STATEFUL_SETS, Meta.name(set))
        || names(owner, Resource.PODS, Meta.name(pod));
  }

  private static boolean names(Tree owner, Resource resource, String name) {
    return owner.textOrEmpty("kind").equals(resource.kind())
        && owner.textOrEmpty("apiVersion").equals(resource.apiVersion())
        && owner.textOrEmpty("name").equals(name);
  }

  private List<Tree> find(List<String> names) {
    var found = new ArrayList<Tree>();
    for (var name : names) {
      claims.find(new Key(Meta.namespace(set), name)).ifPresent(found::add);
    }
    return found;
  }

  private static List<Tree> owners(Tree claim) {
    return claim.trees("metadata", "ownerReferences");
  }
}
