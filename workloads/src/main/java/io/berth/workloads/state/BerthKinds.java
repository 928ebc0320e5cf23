package io.berth.workloads.state;

import io.berth.api.Resource;
import java.util.List;

/// The custom resources of the workload layer.
public final class BerthKinds {

  public static final String GROUP = "berth.io";
  public static final String VERSION = "v1alpha1";

  public static final Resource TENANTS = cluster("tenants", "Tenant");
  public static final Resource DEPARTMENTS = cluster("departments", "Department");
  public static final Resource PROJECTS = cluster("projects", "Project");
  public static final Resource NODE_POOLS = cluster("nodepools", "NodePool");
  public static final Resource NETWORK_TOPOLOGIES = cluster("networktopologies", "NetworkTopology");
  public static final Resource ACCESS_RULES = cluster("accessrules", "AccessRule");
  public static final Resource POLICIES = cluster("workloadpolicies", "WorkloadPolicy");
  public static final Resource TEMPLATES = cluster("workloadtemplates", "WorkloadTemplate");
  public static final Resource ASSETS = cluster("workloadassets", "WorkloadAsset");
  public static final Resource WORKLOAD_TYPES = cluster("workloadtypes", "WorkloadType");
  public static final Resource DELETED_WORKLOADS = cluster("deletedworkloads", "DeletedWorkload");
  public static final Resource WORKSPACES = namespaced("workspaces", "Workspace");
  public static final Resource TRAININGS = namespaced("trainings", "Training");
  public static final Resource DISTRIBUTED =
      namespaced("distributedtrainings", "DistributedTraining");
  public static final Resource INFERENCES = namespaced("inferences", "Inference");
  public static final Resource DISTRIBUTED_INFERENCES =
      namespaced("distributedinferences", "DistributedInference");

  public static final List<Resource> WORKLOADS =
      List.of(WORKSPACES, TRAININGS, DISTRIBUTED, INFERENCES, DISTRIBUTED_INFERENCES);

  private BerthKinds() {}

  private static Resource cluster(String plural, String kind) {
    return new Resource(GROUP, VERSION, plural, kind, false);
  }

  private static Resource namespaced(String plural, String kind) {
    return new Resource(GROUP, VERSION, plural, kind, true);
  }
}
