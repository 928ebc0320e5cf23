package io.berth.controllers.core;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Meta;

/// Leaves volumes to a program beside the cluster: says on the claim whom it waits for.
///
/// Mirrors: volume/persistentvolume.PersistentVolumeController.provisionClaimOperationExternal
public final class ExternalProvisioner implements Provisioner {

  private static final String WHO = "volume.kubernetes.io/storage-provisioner";
  private static final String WHO_BETA = "volume.beta.kubernetes.io/storage-provisioner";

  private final Environment environment;
  private final Events.Source events;

  public ExternalProvisioner(Environment environment) {
    this.environment = environment;
    this.events = environment.events().from("persistentvolume-controller");
  }

  @Override
  public void provision(Tree claim, Tree storageClass) {
    var provisioner = storageClass.textOrEmpty("provisioner");
    if (!provisioner.equals(Meta.annotation(claim, WHO))) {
      var named = claim.copy();
      named.child("metadata").child("annotations").put(WHO_BETA, provisioner).put(WHO, provisioner);
      environment.cluster().update(Resource.PERSISTENT_VOLUME_CLAIMS, null, named);
    }
    events.normal(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        claim,
        "ExternalProvisioning",
        ("Waiting for a volume to be created either by the external provisioner '%s' or manually by"
                + " the system administrator. If volume creation is delayed, please verify that"
                + " the provisioner is running and correctly registered.")
            .formatted(provisioner));
  }

  /// Whoever made the volume takes it away.
  @Override
  public void reclaim(Tree volume) {}
}
