package io.berth.controllers.cloud;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.core.Provisioner;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Meta;
import java.util.List;
import java.util.regex.Pattern;

/// Makes up volumes for every class that has a provisioner, whichever that is.
///
/// What is made up holds nothing: the nodes are simulated, and so are their disks.
final class SimulatedProvisioner implements Provisioner {

  /// What may be the name of a CSI driver; others, such as `rancher.io/local-path`, are of
  /// provisioners that make volumes of another kind.
  private static final Pattern DRIVER = Pattern.compile("[a-z0-9]([-.a-z0-9]*[a-z0-9])?");

  private final Environment environment;
  private final Events.Source events;

  SimulatedProvisioner(Environment environment) {
    this.environment = environment;
    this.events = environment.events().from("persistentvolume-controller");
  }

  @Override
  public void provision(Tree claim, Tree storageClass) {
    var volume = volume(claim, storageClass);
    try {
      environment.cluster().create(Resource.PERSISTENT_VOLUMES, volume);
    } catch (ApiException e) {
      if (e.is("AlreadyExists")) {
        return;
      }
      throw e;
    }
    events.normal(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        claim,
        "ProvisioningSucceeded",
        "Successfully provisioned volume %s using %s"
            .formatted(Meta.name(volume), storageClass.textOrEmpty("provisioner")));
  }

  @Override
  public void reclaim(Tree volume) {
    if (Meta.annotation(volume, PROVISIONED_BY) == null) {
      return;
    }
    try {
      environment
          .cluster()
          .delete(
              Resource.PERSISTENT_VOLUMES,
              "",
              Meta.name(volume),
              DeleteOptions.background(Meta.uid(volume)));
    } catch (ApiException e) {
      if (!e.is("NotFound") && !e.is("Conflict")) {
        throw e;
      }
    }
  }

  private static Tree volume(Tree claim, Tree storageClass) {
    var name = Provisioner.volumeName(claim);
    var provisioner = storageClass.textOrEmpty("provisioner");
    var spec = Provisioner.specFor(claim, storageClass);
    if (DRIVER.matcher(provisioner).matches()) {
      spec.put("csi", Tree.of("driver", provisioner, "volumeHandle", name));
    } else {
      spec.put("hostPath", Tree.of("path", "/var/lib/volumes/" + name, "type", ""));
    }
    var node = Meta.annotation(claim, SELECTED_NODE);
    if (node != null && provisioner.contains("local")) {
      // A disk of that very node; everywhere else it would not be there.
      var term =
          Tree.of("key", "kubernetes.io/hostname", "operator", "In", "values", List.of(node));
      spec.putAt(
          List.of(Tree.of("matchExpressions", List.of(term))),
          "nodeAffinity",
          "required",
          "nodeSelectorTerms");
    }
    return Tree.of("apiVersion", "v1", "kind", "PersistentVolume")
        .put("metadata", Tree.of("name", name, "annotations", Tree.of(PROVISIONED_BY, provisioner)))
        .put("spec", spec);
  }
}
