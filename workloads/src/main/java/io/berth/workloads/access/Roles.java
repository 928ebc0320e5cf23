package io.berth.workloads.access;

import static io.berth.workloads.access.ResourceType.*;

import java.util.List;
import java.util.Optional;

/// The roles that exist. There are no others: custom roles are not served.
public final class Roles {

  private static final ResourceType[] ASSETS = {
    ENVIRONMENTS, COMPUTE_RESOURCES, CREDENTIALS, PVC_ASSETS, HOST_PATH_ASSETS, TEMPLATES
  };
  private static final ResourceType[] SUBMITTED = {WORKLOADS, WORKSPACES, TRAININGS, INFERENCES};
  private static final ResourceType[] SURROUNDINGS = {
    CLUSTER, NODEPOOLS, NODES, NETWORK_TOPOLOGIES, ROLES, WORKLOAD_PROPERTIES
  };

  public static final List<Role> ALL =
      List.of(
          new Role.Builder()
              .owns(ResourceType.values())
              .named(1, "System administrator", "Everything, everywhere in its scope."),
          base()
              .edits(DEPARTMENT)
              .owns(PROJECT, POLICIES, ACCESS_RULES, ACCESS_KEYS)
              .owns(SUBMITTED)
              .owns(ASSETS)
              .reads(SERVICE_ACCOUNT, USERS, APPS, EVENTS_HISTORY)
              .named(
                  2, "Department administrator", "A department, its projects and what they run."),
          viewer()
              .reads(DEPARTMENT, ACCESS_RULES)
              .named(3, "Department viewer", "Reads a department and what its projects run."),
          base()
              .reads(DEPARTMENT)
              .edits(PROJECT)
              .owns(POLICIES, ACCESS_RULES, ACCESS_KEYS)
              .owns(SUBMITTED)
              .owns(ASSETS)
              .named(4, "Project administrator", "A project, its policies and what it runs."),
          base()
              .reads(PROJECT, POLICIES)
              .owns(SUBMITTED)
              .owns(ASSETS)
              .owns(ACCESS_KEYS)
              .named(5, "L1 researcher", "Submits workloads, and makes what they are built of."),
          base()
              .reads(PROJECT, POLICIES)
              .reads(ASSETS)
              .owns(SUBMITTED)
              .owns(ACCESS_KEYS)
              .named(6, "L2 researcher", "Submits workloads of what others have made."),
          base()
              .reads(PROJECT, POLICIES, WORKLOADS, WORKSPACES, TRAININGS)
              .reads(ASSETS)
              .owns(INFERENCES, ACCESS_KEYS)
              .named(7, "ML engineer", "Deploys inference, and reads the rest."),
          base()
              .reads(PROJECT, POLICIES)
              .reads(SUBMITTED)
              .owns(ASSETS)
              .owns(ACCESS_KEYS)
              .named(8, "Research manager", "Makes what workloads are built of."),
          base()
              .edits(DEPARTMENT)
              .owns(PROJECT, POLICIES, ACCESS_KEYS)
              .owns(SUBMITTED)
              .owns(ASSETS)
              .named(9, "Editor", "Changes everything but who may do what."),
          viewer().named(10, "Viewer", "Reads."),
          base()
              .owns(SERVICE_ACCOUNT, APPS, ACCESS_KEYS)
              .named(11, "Application administrator", "Makes accounts for programs."));

  private Roles() {}

  public static Role administrator() {
    return ALL.getFirst();
  }

  public static Optional<Role> find(long id) {
    return ALL.stream().filter(role -> role.id() == id).findFirst();
  }

  private static Role.Builder base() {
    return new Role.Builder().reads(SURROUNDINGS);
  }

  private static Role.Builder viewer() {
    return base().reads(PROJECT, POLICIES).reads(SUBMITTED).reads(ASSETS);
  }
}
