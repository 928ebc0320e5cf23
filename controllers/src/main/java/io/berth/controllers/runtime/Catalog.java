package io.berth.controllers.runtime;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The resources there are: those built in, and those that CustomResourceDefinitions add.
///
/// Garbage collection and namespace deletion must know every kind of object, also those that no
/// other controller reads.
public final class Catalog {

  public static final Resource CUSTOM_RESOURCE_DEFINITIONS =
      new Resource(
          "apiextensions.k8s.io",
          "v1",
          "customresourcedefinitions",
          "CustomResourceDefinition",
          false);
  public static final Resource POD_TEMPLATES =
      new Resource("", "v1", "podtemplates", "PodTemplate", true);
  public static final Resource HORIZONTAL_POD_AUTOSCALERS =
      new Resource(
          "autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", true);
  public static final Resource CERTIFICATE_SIGNING_REQUESTS =
      new Resource(
          "certificates.k8s.io",
          "v1",
          "certificatesigningrequests",
          "CertificateSigningRequest",
          false);

  /// What every cluster has, for an API that does not tell.
  private static final List<Resource> USUAL =
      List.of(
          CUSTOM_RESOURCE_DEFINITIONS,
          Resource.PODS,
          Resource.CONFIG_MAPS,
          Resource.SECRETS,
          Resource.SERVICES,
          Resource.SERVICE_ACCOUNTS,
          Resource.REPLICATION_CONTROLLERS,
          Resource.RESOURCE_QUOTAS,
          Resource.LIMIT_RANGES,
          Resource.ENDPOINTS,
          Resource.PERSISTENT_VOLUME_CLAIMS,
          POD_TEMPLATES,
          Resource.DEPLOYMENTS,
          Resource.REPLICA_SETS,
          Resource.STATEFUL_SETS,
          Resource.DAEMON_SETS,
          Resource.CONTROLLER_REVISIONS,
          Resource.JOBS,
          Resource.CRON_JOBS,
          Resource.LEASES,
          Resource.POD_DISRUPTION_BUDGETS,
          Resource.ENDPOINT_SLICES,
          HORIZONTAL_POD_AUTOSCALERS,
          namespaced("networking.k8s.io", "networkpolicies", "NetworkPolicy"),
          namespaced("networking.k8s.io", "ingresses", "Ingress"),
          namespaced("rbac.authorization.k8s.io", "roles", "Role"),
          namespaced("rbac.authorization.k8s.io", "rolebindings", "RoleBinding"),
          Resource.POD_GROUPS,
          Resource.WORKLOADS,
          namespaced("resource.k8s.io", "resourceclaims", "ResourceClaim"),
          namespaced("resource.k8s.io", "resourceclaimtemplates", "ResourceClaimTemplate"),
          namespaced("storage.k8s.io", "csistoragecapacities", "CSIStorageCapacity"),
          namespaced("certificates.k8s.io", "podcertificaterequests", "PodCertificateRequest"),
          Resource.NODES,
          Resource.NAMESPACES,
          Resource.PERSISTENT_VOLUMES,
          Resource.PRIORITY_CLASSES,
          Resource.STORAGE_CLASSES,
          clusterWide("rbac.authorization.k8s.io", "clusterroles", "ClusterRole"),
          clusterWide("rbac.authorization.k8s.io", "clusterrolebindings", "ClusterRoleBinding"));

  private final List<Resource> builtIn;
  private final Cache definitions;

  public Catalog(Environment environment) {
    var told = environment.cluster().builtIn();
    this.builtIn =
        told.isEmpty()
            ? USUAL
            : told.stream().filter(resource -> !resource.plural().equals("events")).toList();
    this.definitions = environment.informers().of(CUSTOM_RESOURCE_DEFINITIONS);
  }

  /// All but events, which nobody owns and which come by the thousand.
  public List<Resource> builtIn() {
    return builtIn;
  }

  public Cache definitions() {
    return definitions;
  }

  /// Everything that lives in namespaces, events last.
  public List<Resource> namespaced() {
    var resources = new ArrayList<Resource>();
    for (var resource : builtIn) {
      if (resource.namespaced()) {
        resources.add(resource);
      }
    }
    for (var definition : definitions.all()) {
      custom(definition).filter(Resource::namespaced).ifPresent(resources::add);
    }
    resources.add(Resource.CORE_EVENTS);
    return resources;
  }

  /// The resource of an owner reference; its version may be another one of the same kind.
  public Optional<Resource> find(String apiVersion, String kind) {
    var slash = apiVersion.indexOf('/');
    var group = slash < 0 ? "" : apiVersion.substring(0, slash);
    for (var resource : builtIn) {
      if (resource.kind().equals(kind) && resource.group().equals(group)) {
        return Optional.of(resource);
      }
    }
    for (var definition : definitions.all()) {
      var resource = custom(definition);
      if (resource.filter(r -> r.kind().equals(kind) && r.group().equals(group)).isPresent()) {
        return resource;
      }
    }
    return Optional.empty();
  }

  /// What a CustomResourceDefinition defines, once it serves a version.
  public static Optional<Resource> custom(Tree definition) {
    var version = served(definition);
    if (version == null || !Conditions.isTrue(definition, "Established")) {
      return Optional.empty();
    }
    var names = definition.treeOrEmpty("spec", "names");
    return Optional.of(
        new Resource(
            definition.textOrEmpty("spec", "group"),
            version,
            names.textOrEmpty("plural"),
            names.textOrEmpty("kind"),
            definition.textOrEmpty("spec", "scope").equals("Namespaced")));
  }

  /// The version in which objects are stored if it is served: reading it converts nothing.
  private static @Nullable String served(Tree definition) {
    String served = null;
    for (var version : definition.trees("spec", "versions")) {
      if (version.flag("served") && (served == null || version.flag("storage"))) {
        served = version.textOrEmpty("name");
      }
    }
    return served;
  }

  private static Resource namespaced(String group, String plural, String kind) {
    return new Resource(group, "v1", plural, kind, true);
  }

  private static Resource clusterWide(String group, String plural, String kind) {
    return new Resource(group, "v1", plural, kind, false);
  }
}
