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
    return List.of(
        of(
            resource("apiregistration.k8s.io", "apiservices", "APIService", false),
            ApiServiceStrategy::new,
            STATUS));
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
    return List.of(
        of(
            resource(
                "certificates.k8s.io",
                "certificatesigningrequests",
                "CertificateSigningRequest",
                false),
            CertificateSigningRequestStrategy::new),
        of(
            resource("certificates.k8s.io", "clustertrustbundles", "ClusterTrustBundle", false),
            ClusterTrustBundleStrategy::new,
            CONDITIONAL_UPDATE),
        of(
            resource(
                "certificates.k8s.io", "podcertificaterequests", "PodCertificateRequest", true),
            PodCertificateRequestStrategy::new,
            CONDITIONAL_UPDATE,
            STATUS));
  }

  private static List<Kind> networking() {
    return List.of(
        of(
            resource("networking.k8s.io", "ingressclasses", "IngressClass", false),
            IngressClassStrategy::new,
            GENERATION),
        of(
            resource("networking.k8s.io", "ingresses", "Ingress", true),
            IngressStrategy::new,
            STATUS,
            GENERATION),
        of(
            resource("networking.k8s.io", "ipaddresses", "IPAddress", false),
            IpAddressStrategy::new),
        of(
            resource("networking.k8s.io", "networkpolicies", "NetworkPolicy", true),
            NetworkPolicyStrategy::new,
            GENERATION),
        of(
            resource("networking.k8s.io", "servicecidrs", "ServiceCIDR", false),
            ServiceCidrStrategy::new,
            STATUS));
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
    return List.of(
        of(
            resource(
                "rbac.authorization.k8s.io", "clusterrolebindings", "ClusterRoleBinding", false),
            RoleBindingStrategy::new,
            CREATE_ON_UPDATE),
        of(
            resource("rbac.authorization.k8s.io", "clusterroles", "ClusterRole", false),
            RoleStrategy::new,
            CREATE_ON_UPDATE),
        of(
            resource("rbac.authorization.k8s.io", "rolebindings", "RoleBinding", true),
            RoleBindingStrategy::new,
            CREATE_ON_UPDATE),
        of(
            resource("rbac.authorization.k8s.io", "roles", "Role", true),
            RoleStrategy::new,
            CREATE_ON_UPDATE));
  }

  private static List<Kind> storage() {
    return List.of(
        of(
            resource("storage.k8s.io", "csidrivers", "CSIDriver", false),
            CsiDriverStrategy::new,
            CONDITIONAL_UPDATE,
            DELETE_RETURNS_OBJECT),
        new Kind(
            Resource.CSI_NODES, new CsiNodeStrategy(), CONDITIONAL_UPDATE, DELETE_RETURNS_OBJECT),
        of(
            resource("storage.k8s.io", "csistoragecapacities", "CSIStorageCapacity", true),
            CsiStorageCapacityStrategy::new),
        new Kind(Resource.STORAGE_CLASSES, new StorageClassStrategy(), DELETE_RETURNS_OBJECT),
        of(
            resource("storage.k8s.io", "volumeattachments", "VolumeAttachment", false),
            VolumeAttachmentStrategy::new,
            CONDITIONAL_UPDATE,
            DELETE_RETURNS_OBJECT,
            STATUS),
        of(
            resource("storage.k8s.io", "volumeattributesclasses", "VolumeAttributesClass", false),
            VolumeAttributesClassStrategy::new));
  }

  private static List<Kind> admissionregistration() {
    var group = "admissionregistration.k8s.io";
    return List.of(
        of(
            resource(group, "mutatingadmissionpolicies", "MutatingAdmissionPolicy", false),
            MutatingAdmissionPolicyStrategy::new,
            CONDITIONAL_UPDATE,
            GENERATION),
        of(
            resource(
                group, "mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding", false),
            PolicyBindingStrategy::mutating,
            CONDITIONAL_UPDATE,
            GENERATION),
        of(
            resource(group, "mutatingwebhookconfigurations", "MutatingWebhookConfiguration", false),
            WebhookConfigurationStrategy::mutating,
            CONDITIONAL_UPDATE),
        of(
            resource(group, "validatingadmissionpolicies", "ValidatingAdmissionPolicy", false),
            ValidatingAdmissionPolicyStrategy::new,
            CONDITIONAL_UPDATE,
            STATUS,
            GENERATION),
        of(
            resource(
                group,
                "validatingadmissionpolicybindings",
                "ValidatingAdmissionPolicyBinding",
                false),
            PolicyBindingStrategy::validating,
            CONDITIONAL_UPDATE,
            GENERATION),
        of(
            resource(
                group, "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", false),
            WebhookConfigurationStrategy::validating,
            CONDITIONAL_UPDATE));
  }

  private static List<Kind> apiextensions() {
    return List.of(
        of(
            resource(
                "apiextensions.k8s.io",
                "customresourcedefinitions",
                "CustomResourceDefinition",
                false),
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
    return List.of(
        of(
            resource("node.k8s.io", "runtimeclasses", "RuntimeClass", false),
            RuntimeClassStrategy::new,
            CREATE_ON_UPDATE,
            CONDITIONAL_UPDATE));
  }

  private static List<Kind> discovery() {
    return List.of(new Kind(Resource.ENDPOINT_SLICES, new EndpointSliceStrategy()));
  }

  private static List<Kind> resource() {
    return List.of(
        of(
            resource("resource.k8s.io", "deviceclasses", "DeviceClass", false),
            DeviceClassStrategy::new,
            GENERATION),
        of(
            resource("resource.k8s.io", "devicetaintrules", "DeviceTaintRule", false),
            DeviceTaintRuleStrategy::new,
            CONDITIONAL_UPDATE,
            STATUS,
            GENERATION),
        of(
            resource("resource.k8s.io", "resourceclaims", "ResourceClaim", true),
            ResourceClaimStrategy::new,
            STATUS),
        of(
            resource("resource.k8s.io", "resourceclaimtemplates", "ResourceClaimTemplate", true),
            ResourceClaimTemplateStrategy::new),
        of(
            resource("resource.k8s.io", "resourceslices", "ResourceSlice", false),
            ResourceSliceStrategy::new,
            GENERATION));
  }

  private static List<Kind> flowcontrol() {
    var group = "flowcontrol.apiserver.k8s.io";
    return List.of(
        of(
            resource(group, "flowschemas", "FlowSchema", false),
            FlowSchemaStrategy::new,
            STATUS,
            GENERATION),
        of(
            resource(group, "prioritylevelconfigurations", "PriorityLevelConfiguration", false),
            PriorityLevelConfigurationStrategy::new,
            STATUS,
            GENERATION));
  }

  private static List<Kind> storagemigration() {
    return List.of(
        of(
            resource(
                "storagemigration.k8s.io",
                "storageversionmigrations",
                "StorageVersionMigration",
                false),
            StorageVersionMigrationStrategy::new,
            STATUS));
  }

  private static Kind of(
      Resource resource, Function<Resource, Strategy> strategy, Trait... traits) {
    return new Kind(resource, strategy.apply(resource), traits);
  }

  private static Resource resource(String group, String plural, String kind, boolean namespaced) {
    return new Resource(group, "v1", plural, kind, namespaced);
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
}
