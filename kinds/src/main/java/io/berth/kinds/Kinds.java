package io.berth.kinds;

import static io.berth.kinds.Trait.CONDITIONAL_UPDATE;
import static io.berth.kinds.Trait.CREATE_ON_UPDATE;
import static io.berth.kinds.Trait.DELETE_RETURNS_OBJECT;
import static io.berth.kinds.Trait.GENERATION;
import static io.berth.kinds.Trait.ORPHANS_DEPENDENTS;
import static io.berth.kinds.Trait.STATUS;

import io.berth.api.FeatureGates;
import io.berth.api.Resource;
import io.berth.kinds.admissionregistration.MutatingAdmissionPolicyStrategy;
import io.berth.kinds.admissionregistration.PolicyBindingStrategy;
import io.berth.kinds.admissionregistration.ValidatingAdmissionPolicyStrategy;
import io.berth.kinds.admissionregistration.WebhookConfigurationStrategy;
import io.berth.kinds.apiextensions.CustomResourceDefinitionStrategy;
import io.berth.kinds.apiregistration.ApiServiceStrategy;
import io.berth.kinds.apps.ControllerRevisionStrategy;
import io.berth.kinds.apps.DaemonSetStrategy;
import io.berth.kinds.apps.DeploymentStrategy;
import io.berth.kinds.apps.ReplicaSetStrategy;
import io.berth.kinds.apps.StatefulSetStrategy;
import io.berth.kinds.autoscaling.HorizontalPodAutoscalerConversion;
import io.berth.kinds.autoscaling.HorizontalPodAutoscalerStrategy;
import io.berth.kinds.batch.CronJobStrategy;
import io.berth.kinds.batch.JobStrategy;
import io.berth.kinds.certificates.CertificateSigningRequestStrategy;
import io.berth.kinds.certificates.ClusterTrustBundleStrategy;
import io.berth.kinds.certificates.PodCertificateRequestStrategy;
import io.berth.kinds.coordination.LeaseStrategy;
import io.berth.kinds.core.ConfigMapStrategy;
import io.berth.kinds.core.EndpointsStrategy;
import io.berth.kinds.core.EventConversion;
import io.berth.kinds.core.EventStrategy;
import io.berth.kinds.core.LimitRangeStrategy;
import io.berth.kinds.core.NamespaceStrategy;
import io.berth.kinds.core.NodeStrategy;
import io.berth.kinds.core.PersistentVolumeClaimStrategy;
import io.berth.kinds.core.PersistentVolumeStrategy;
import io.berth.kinds.core.PodStrategy;
import io.berth.kinds.core.PodTemplateStrategy;
import io.berth.kinds.core.ReplicationControllerStrategy;
import io.berth.kinds.core.ResourceQuotaStrategy;
import io.berth.kinds.core.SecretStrategy;
import io.berth.kinds.core.ServiceAccountStrategy;
import io.berth.kinds.core.ServiceStrategy;
import io.berth.kinds.discovery.EndpointSliceStrategy;
import io.berth.kinds.flowcontrol.FlowSchemaStrategy;
import io.berth.kinds.flowcontrol.PriorityLevelConfigurationStrategy;
import io.berth.kinds.networking.IngressClassStrategy;
import io.berth.kinds.networking.IngressStrategy;
import io.berth.kinds.networking.IpAddressStrategy;
import io.berth.kinds.networking.NetworkPolicyStrategy;
import io.berth.kinds.networking.ServiceCidrStrategy;
import io.berth.kinds.node.RuntimeClassStrategy;
import io.berth.kinds.policy.PodDisruptionBudgetStrategy;
import io.berth.kinds.rbac.RoleBindingStrategy;
import io.berth.kinds.rbac.RoleStrategy;
import io.berth.kinds.resource.DeviceClassStrategy;
import io.berth.kinds.resource.DeviceTaintRuleStrategy;
import io.berth.kinds.resource.ResourceClaimStrategy;
import io.berth.kinds.resource.ResourceClaimTemplateStrategy;
import io.berth.kinds.resource.ResourceSliceStrategy;
import io.berth.kinds.scheduling.PodGroupStrategy;
import io.berth.kinds.scheduling.PriorityClassStrategy;
import io.berth.kinds.scheduling.WorkloadStrategy;
import io.berth.kinds.storage.CsiDriverStrategy;
import io.berth.kinds.storage.CsiNodeStrategy;
import io.berth.kinds.storage.CsiStorageCapacityStrategy;
import io.berth.kinds.storage.StorageClassStrategy;
import io.berth.kinds.storage.StorageVersionMigrationStrategy;
import io.berth.kinds.storage.VolumeAttachmentStrategy;
import io.berth.kinds.storage.VolumeAttributesClassStrategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Every kind the server stores, one line each.
public final class Kinds {

  private final List<Kind> all = new ArrayList<>();
  private final Map<String, Kind> byResource = new HashMap<>();

  /// All there are.
  public Kinds() {
    this(FeatureGates.ALL);
  }

  public Kinds(FeatureGates gates) {
    addAll(core());
    addAll(apiregistration());
    addAll(apps());
    addAll(autoscaling());
    addAll(batch());
    addAll(certificates());
    addAll(networking());
    addAll(policy());
    addAll(rbac());
    addAll(storage());
    addAll(admissionregistration());
    addAll(apiextensions());
    addAll(scheduling());
    if (gates.isOn(FeatureGates.GENERIC_WORKLOAD)) {
      addAll(podGroups());
    }
    addAll(coordination());
    addAll(node());
    addAll(discovery());
    addAll(resource());
    addAll(flowcontrol());
    addAll(storagemigration());
  }

  /// All kinds, in the order of discovery.
  public List<Kind> all() {
    return List.copyOf(all);
  }

  /// The kind served under this group, version and plural.
  public Optional<Kind> find(String group, String version, String plural) {
    return Optional.ofNullable(byResource.get(group + "/" + version + "/" + plural));
  }

  private static List<Kind> core() {
    return List.of(
        new Kind(Resource.CONFIG_MAPS, new ConfigMapStrategy()),
        new Kind(Resource.ENDPOINTS, new EndpointsStrategy(), CREATE_ON_UPDATE),
        new Kind(
            Resource.CORE_EVENTS,
            new EventStrategy(false),
            List.of(
                new Kind.Served(Resource.EVENTS, new EventConversion(), new EventStrategy(true))),
            Set.of(CREATE_ON_UPDATE)),
        new Kind(Resource.LIMIT_RANGES, new LimitRangeStrategy(), CREATE_ON_UPDATE),
        new Kind(Resource.NAMESPACES, new NamespaceStrategy(), DELETE_RETURNS_OBJECT, STATUS),
        new Kind(Resource.NODES, new NodeStrategy()),
        new Kind(
            Resource.PERSISTENT_VOLUME_CLAIMS,
            new PersistentVolumeClaimStrategy(),
            DELETE_RETURNS_OBJECT,
            STATUS),
        new Kind(
            Resource.PERSISTENT_VOLUMES,
            new PersistentVolumeStrategy(),
            DELETE_RETURNS_OBJECT,
            STATUS),
        new Kind(Resource.PODS, new PodStrategy(), DELETE_RETURNS_OBJECT, STATUS, GENERATION),
        new Kind(PodTemplateStrategy.RESOURCE, new PodTemplateStrategy(), DELETE_RETURNS_OBJECT),
        new Kind(
            Resource.REPLICATION_CONTROLLERS,
            new ReplicationControllerStrategy(),
            ORPHANS_DEPENDENTS,
            STATUS,
            GENERATION),
        new Kind(
            Resource.RESOURCE_QUOTAS, new ResourceQuotaStrategy(), DELETE_RETURNS_OBJECT, STATUS),
        new Kind(Resource.SECRETS, new SecretStrategy()),
        new Kind(Resource.SERVICE_ACCOUNTS, new ServiceAccountStrategy(), DELETE_RETURNS_OBJECT),
        new Kind(
            Resource.SERVICES,
            new ServiceStrategy(),
            CREATE_ON_UPDATE,
            DELETE_RETURNS_OBJECT,
            STATUS));
  }

  private static List<Kind> apiregistration() {
    var group = new Group("apiregistration.k8s.io");
    return List.of(
        group.cluster(
            "apiservices", "APIService", ApiServiceStrategy::new, STATUS, CONDITIONAL_UPDATE));
  }

  private static List<Kind> apps() {
    return List.of(
        new Kind(Resource.CONTROLLER_REVISIONS, new ControllerRevisionStrategy()),
        new Kind(Resource.DAEMON_SETS, new DaemonSetStrategy()),
        new Kind(Resource.DEPLOYMENTS, new DeploymentStrategy()),
        new Kind(Resource.REPLICA_SETS, new ReplicaSetStrategy()),
        new Kind(Resource.STATEFUL_SETS, new StatefulSetStrategy()));
  }

  private static List<Kind> autoscaling() {
    var plural = "horizontalpodautoscalers";
    var kind = "HorizontalPodAutoscaler";
    var stored = new Resource("autoscaling", "v2", plural, kind, true);
    var old = new Resource("autoscaling", "v1", plural, kind, true);
    return List.of(
        new Kind(
            stored,
            new HorizontalPodAutoscalerStrategy(stored),
            List.of(new Kind.Served(old, new HorizontalPodAutoscalerConversion())),
            Set.of(STATUS, GENERATION)));
  }

  private static List<Kind> batch() {
    return List.of(
        new Kind(Resource.CRON_JOBS, new CronJobStrategy(), STATUS, GENERATION),
        new Kind(Resource.JOBS, new JobStrategy(), ORPHANS_DEPENDENTS, STATUS, GENERATION));
  }

  private static List<Kind> certificates() {
    var group = new Group("certificates.k8s.io");
    return List.of(
        group.cluster(
            "certificatesigningrequests",
            "CertificateSigningRequest",
            CertificateSigningRequestStrategy::new),
        group.cluster(
            "clustertrustbundles",
            "ClusterTrustBundle",
            ClusterTrustBundleStrategy::new,
            CONDITIONAL_UPDATE),
        group.namespaced(
            "podcertificaterequests",
            "PodCertificateRequest",
            PodCertificateRequestStrategy::new,
            CONDITIONAL_UPDATE,
            STATUS));
  }

  private static List<Kind> networking() {
    var group = new Group("networking.k8s.io");
    return List.of(
        group.cluster("ingressclasses", "IngressClass", IngressClassStrategy::new, GENERATION),
        group.namespaced("ingresses", "Ingress", IngressStrategy::new, STATUS, GENERATION),
        group.cluster("ipaddresses", "IPAddress", IpAddressStrategy::new),
        group.namespaced(
            "networkpolicies", "NetworkPolicy", NetworkPolicyStrategy::new, GENERATION),
        group.cluster("servicecidrs", "ServiceCIDR", ServiceCidrStrategy::new, STATUS));
  }

  private static List<Kind> policy() {
    return List.of(
        new Kind(
            Resource.POD_DISRUPTION_BUDGETS,
            new PodDisruptionBudgetStrategy(),
            CONDITIONAL_UPDATE,
            STATUS,
            GENERATION));
  }

  private static List<Kind> rbac() {
    var group = new Group("rbac.authorization.k8s.io");
    return List.of(
        group.cluster(
            "clusterrolebindings",
            "ClusterRoleBinding",
            RoleBindingStrategy::new,
            CREATE_ON_UPDATE),
        group.cluster("clusterroles", "ClusterRole", RoleStrategy::new, CREATE_ON_UPDATE),
        group.namespaced("rolebindings", "RoleBinding", RoleBindingStrategy::new, CREATE_ON_UPDATE),
        group.namespaced("roles", "Role", RoleStrategy::new, CREATE_ON_UPDATE));
  }

  private static List<Kind> storage() {
    var group = new Group("storage.k8s.io");
    return List.of(
        group.cluster(
            "csidrivers",
            "CSIDriver",
            CsiDriverStrategy::new,
            CONDITIONAL_UPDATE,
            DELETE_RETURNS_OBJECT),
        new Kind(
            Resource.CSI_NODES, new CsiNodeStrategy(), CONDITIONAL_UPDATE, DELETE_RETURNS_OBJECT),
        group.namespaced(
            "csistoragecapacities", "CSIStorageCapacity", CsiStorageCapacityStrategy::new),
        new Kind(Resource.STORAGE_CLASSES, new StorageClassStrategy(), DELETE_RETURNS_OBJECT),
        group.cluster(
            "volumeattachments",
            "VolumeAttachment",
            VolumeAttachmentStrategy::new,
            CONDITIONAL_UPDATE,
            DELETE_RETURNS_OBJECT,
            STATUS),
        group.cluster(
            "volumeattributesclasses",
            "VolumeAttributesClass",
            VolumeAttributesClassStrategy::new));
  }

  private static List<Kind> admissionregistration() {
    var group = new Group("admissionregistration.k8s.io");
    return List.of(
        group.cluster(
            "mutatingadmissionpolicies",
            "MutatingAdmissionPolicy",
            MutatingAdmissionPolicyStrategy::new,
            CONDITIONAL_UPDATE,
            GENERATION),
        group.cluster(
            "mutatingadmissionpolicybindings",
            "MutatingAdmissionPolicyBinding",
            PolicyBindingStrategy::mutating,
            CONDITIONAL_UPDATE,
            GENERATION),
        group.cluster(
            "mutatingwebhookconfigurations",
            "MutatingWebhookConfiguration",
            WebhookConfigurationStrategy::mutating,
            CONDITIONAL_UPDATE),
        group.cluster(
            "validatingadmissionpolicies",
            "ValidatingAdmissionPolicy",
            ValidatingAdmissionPolicyStrategy::new,
            CONDITIONAL_UPDATE,
            STATUS,
            GENERATION),
        group.cluster(
            "validatingadmissionpolicybindings",
            "ValidatingAdmissionPolicyBinding",
            PolicyBindingStrategy::validating,
            CONDITIONAL_UPDATE,
            GENERATION),
        group.cluster(
            "validatingwebhookconfigurations",
            "ValidatingWebhookConfiguration",
            WebhookConfigurationStrategy::validating,
            CONDITIONAL_UPDATE));
  }

  private static List<Kind> apiextensions() {
    var group = new Group("apiextensions.k8s.io");
    return List.of(
        group.cluster(
            "customresourcedefinitions",
            "CustomResourceDefinition",
            CustomResourceDefinitionStrategy::new,
            STATUS,
            GENERATION));
  }

  private static List<Kind> scheduling() {
    return List.of(new Kind(Resource.PRIORITY_CLASSES, new PriorityClassStrategy()));
  }

  private static List<Kind> podGroups() {
    return List.of(
        new Kind(Resource.POD_GROUPS, new PodGroupStrategy(), CONDITIONAL_UPDATE, STATUS),
        new Kind(Resource.WORKLOADS, new WorkloadStrategy(), CONDITIONAL_UPDATE));
  }

  private static List<Kind> coordination() {
    return List.of(
        new Kind(Resource.LEASES, new LeaseStrategy(), CREATE_ON_UPDATE, CONDITIONAL_UPDATE));
  }

  private static List<Kind> node() {
    var group = new Group("node.k8s.io");
    return List.of(
        group.cluster(
            "runtimeclasses",
            "RuntimeClass",
            RuntimeClassStrategy::new,
            CREATE_ON_UPDATE,
            CONDITIONAL_UPDATE));
  }

  private static List<Kind> discovery() {
    return List.of(new Kind(Resource.ENDPOINT_SLICES, new EndpointSliceStrategy()));
  }

  private static List<Kind> resource() {
    var group = new Group("resource.k8s.io");
    return List.of(
        group.cluster("deviceclasses", "DeviceClass", DeviceClassStrategy::new, GENERATION),
        group.cluster(
            "devicetaintrules",
            "DeviceTaintRule",
            DeviceTaintRuleStrategy::new,
            CONDITIONAL_UPDATE,
            STATUS,
            GENERATION),
        group.namespaced("resourceclaims", "ResourceClaim", ResourceClaimStrategy::new, STATUS),
        group.namespaced(
            "resourceclaimtemplates", "ResourceClaimTemplate", ResourceClaimTemplateStrategy::new),
        group.cluster("resourceslices", "ResourceSlice", ResourceSliceStrategy::new, GENERATION));
  }

  private static List<Kind> flowcontrol() {
    var group = new Group("flowcontrol.apiserver.k8s.io");
    return List.of(
        group.cluster("flowschemas", "FlowSchema", FlowSchemaStrategy::new, STATUS, GENERATION),
        group.cluster(
            "prioritylevelconfigurations",
            "PriorityLevelConfiguration",
            PriorityLevelConfigurationStrategy::new,
            STATUS,
            GENERATION));
  }

  private static List<Kind> storagemigration() {
    var group = new Group("storagemigration.k8s.io");
    return List.of(
        group.cluster(
            "storageversionmigrations",
            "StorageVersionMigration",
            StorageVersionMigrationStrategy::new,
            STATUS));
  }

  private void addAll(List<Kind> kinds) {
    for (var kind : kinds) {
      all.add(kind);
      byResource.put(key(kind.resource()), kind);
      kind.others().forEach(served -> byResource.put(key(served.resource()), kind));
    }
  }

  private static String key(Resource resource) {
    return resource.group() + "/" + resource.version() + "/" + resource.plural();
  }

  /// The group of kinds whose strategies are told their resource.
  private record Group(String name) {

    Kind namespaced(
        String plural, String kind, Function<Resource, Strategy> strategy, Trait... traits) {
      return of(new Resource(name, "v1", plural, kind, true), strategy, traits);
    }

    Kind cluster(
        String plural, String kind, Function<Resource, Strategy> strategy, Trait... traits) {
      return of(new Resource(name, "v1", plural, kind, false), strategy, traits);
    }

    private static Kind of(
        Resource resource, Function<Resource, Strategy> strategy, Trait... traits) {
      return new Kind(resource, strategy.apply(resource), traits);
    }
  }
}
