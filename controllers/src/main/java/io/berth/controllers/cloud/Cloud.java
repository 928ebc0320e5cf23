package io.berth.controllers.cloud;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import io.berth.controllers.ControllerManager;
import io.berth.controllers.core.PersistentVolumes;
import io.berth.controllers.runtime.Environment;

/// What charts and manifests take for granted in a cluster: a default StorageClass whose claims get
/// volumes, addresses for Services of type LoadBalancer, and an IngressClass.
public final class Cloud {

  static final Resource INGRESS_CLASSES =
      new Resource("networking.k8s.io", "v1", "ingressclasses", "IngressClass", false);

  /// No chart makes classes of these names and could find them taken.
  private static final String INGRESS_CLASS = "berth";

  private static final String STORAGE_CLASS = "standard";

  private Cloud() {}

  /// Makes the classes. Where there are others, people have chosen, and nothing is made.
  public static void install(Cluster cluster) {
    unlessThereAreAny(cluster, Resource.STORAGE_CLASSES, storageClass());
    unlessThereAreAny(cluster, INGRESS_CLASSES, ingressClass());
  }

  /// Adds the controllers behind them.
  public static ControllerManager controllers(ControllerManager manager) {
    return manager.with(Cloud::volumes).with(LoadBalancers::new).with(IngressAddresses::new);
  }

  /// Binds claims, and makes up volumes for them.
  public static PersistentVolumes volumes(Environment environment) {
    return new PersistentVolumes(environment, new SimulatedProvisioner(environment));
  }

  private static void unlessThereAreAny(Cluster cluster, Resource resource, Tree object) {
    if (!cluster.list(resource, "", Selection.ALL).items().isEmpty()) {
      return;
    }
    try {
      cluster.create(resource, object);
    } catch (ApiException e) {
      if (!e.is("AlreadyExists")) {
        throw e;
      }
    }
  }

  private static Tree storageClass() {
    var isDefault = Tree.of("storageclass.kubernetes.io/is-default-class", "true");
    return Tree.of("apiVersion", "storage.k8s.io/v1", "kind", "StorageClass")
        .put("metadata", Tree.of("name", STORAGE_CLASS, "annotations", isDefault))
        .put("provisioner", "disk.berth.io")
        .put("reclaimPolicy", "Delete")
        .put("volumeBindingMode", "WaitForFirstConsumer");
  }

  private static Tree ingressClass() {
    return Tree.of("apiVersion", "networking.k8s.io/v1", "kind", "IngressClass")
        .put("metadata", Tree.of("name", INGRESS_CLASS))
        .put("spec", Tree.of("controller", IngressAddresses.CONTROLLER));
  }
}
