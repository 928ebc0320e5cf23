package io.berth.api;

/// A kind of object as the API addresses it: `apps/v1 deployments`, of kind `Deployment`.
///
/// Two resources are the same when group and plural are; versions of one resource share storage.
public record Resource(
    String group, String version, String plural, String kind, boolean namespaced) {

  public static final Resource PODS = core("pods", "Pod", true);
  public static final Resource NODES = core("nodes", "Node", false);
  public static final Resource NAMESPACES = core("namespaces", "Namespace", false);
  public static final Resource EVENTS =
      new Resource("events.k8s.io", "v1", "events", "Event", true);
  public static final Resource CORE_EVENTS = core("events", "Event", true);
  public static final Resource CUSTOM_RESOURCE_DEFINITIONS =
      new Resource(
          "apiextensions.k8s.io",
          "v1",
          "customresourcedefinitions",
          "CustomResourceDefinition",
          false);
  public static final Resource CONFIG_MAPS = core("configmaps", "ConfigMap", true);
  public static final Resource SECRETS = core("secrets", "Secret", true);
  public static final Resource SERVICES = core("services", "Service", true);
  public static final Resource SERVICE_ACCOUNTS = core("serviceaccounts", "ServiceAccount", true);
  public static final Resource REPLICATION_CONTROLLERS =
      core("replicationcontrollers", "ReplicationController", true);
  public static final Resource RESOURCE_QUOTAS = core("resourcequotas", "ResourceQuota", true);
  public static final Resource LIMIT_RANGES = core("limitranges", "LimitRange", true);
  public static final Resource ENDPOINTS = core("endpoints", "Endpoints", true);
  public static final Resource PERSISTENT_VOLUMES =
      core("persistentvolumes", "PersistentVolume", false);
  public static final Resource PERSISTENT_VOLUME_CLAIMS =
      core("persistentvolumeclaims", "PersistentVolumeClaim", true);
  public static final Resource DEPLOYMENTS =
      new Resource("apps", "v1", "deployments", "Deployment", true);
  public static final Resource REPLICA_SETS =
      new Resource("apps", "v1", "replicasets", "ReplicaSet", true);
  public static final Resource STATEFUL_SETS =
      new Resource("apps", "v1", "statefulsets", "StatefulSet", true);
  public static final Resource DAEMON_SETS =
      new Resource("apps", "v1", "daemonsets", "DaemonSet", true);
  public static final Resource CONTROLLER_REVISIONS =
      new Resource("apps", "v1", "controllerrevisions", "ControllerRevision", true);
  public static final Resource JOBS = new Resource("batch", "v1", "jobs", "Job", true);
  public static final Resource CRON_JOBS = new Resource("batch", "v1", "cronjobs", "CronJob", true);
  public static final Resource LEASES =
      new Resource("coordination.k8s.io", "v1", "leases", "Lease", true);
  public static final Resource POD_DISRUPTION_BUDGETS =
      new Resource("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true);
  public static final Resource PRIORITY_CLASSES =
      new Resource("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", false);
  public static final Resource POD_GROUPS =
      new Resource("scheduling.k8s.io", "v1beta1", "podgroups", "PodGroup", true);
  public static final Resource WORKLOADS =
      new Resource("scheduling.k8s.io", "v1beta1", "workloads", "Workload", true);
  public static final Resource STORAGE_CLASSES =
      new Resource("storage.k8s.io", "v1", "storageclasses", "StorageClass", false);
  public static final Resource CSI_DRIVERS =
      new Resource("storage.k8s.io", "v1", "csidrivers", "CSIDriver", false);
  public static final Resource CSI_STORAGE_CAPACITIES =
      new Resource("storage.k8s.io", "v1", "csistoragecapacities", "CSIStorageCapacity", true);
  public static final Resource VOLUME_ATTACHMENTS =
      new Resource("storage.k8s.io", "v1", "volumeattachments", "VolumeAttachment", false);
  public static final Resource CSI_NODES =
      new Resource("storage.k8s.io", "v1", "csinodes", "CSINode", false);
  public static final Resource ENDPOINT_SLICES =
      new Resource("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);

  private static Resource core(String plural, String kind, boolean namespaced) {
    return new Resource("", "v1", plural, kind, namespaced);
  }

  /// `v1` or `apps/v1`, as objects name it.
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /// `pods` or `deployments.apps`, as messages name it.
  public String qualified() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
