package io.berth.workloads.access;

import java.util.Locale;

/// The types of resources that roles speak of, under the names the API has for them.
public enum ResourceType {
  DEPARTMENT(Group.ORGANIZATION),
  TENANT(Group.ORGANIZATION),
  PROJECT(Group.ORGANIZATION),
  CLUSTER(Group.PHYSICAL_RESOURCE),
  NODEPOOLS(Group.PHYSICAL_RESOURCE),
  NODES(Group.PHYSICAL_RESOURCE),
  NETWORK_TOPOLOGIES(Group.PHYSICAL_RESOURCE),
  SETTINGS(Group.ORGANIZATION),
  USERS(Group.IAM),
  APPS(Group.IAM),
  SERVICE_ACCOUNT(Group.IAM),
  ROLES(Group.IAM),
  ACCESS_RULES(Group.IAM),
  ACCESS_KEYS(Group.IAM),
  EVENTS_HISTORY(Group.IAM),
  WORKLOADS(Group.WORKLOAD),
  WORKSPACES(Group.WORKLOAD),
  TRAININGS(Group.WORKLOAD),
  INFERENCES(Group.WORKLOAD),
  WORKLOAD_PROPERTIES(Group.WORKLOAD),
  POLICIES(Group.WORKLOAD),
  ENVIRONMENTS(Group.WORKLOAD_ASSET),
  COMPUTE_RESOURCES(Group.WORKLOAD_ASSET),
  CREDENTIALS(Group.WORKLOAD_ASSET),
  PVC_ASSETS(Group.WORKLOAD_ASSET),
  HOST_PATH_ASSETS(Group.WORKLOAD_ASSET),
  TEMPLATES(Group.WORKLOAD_ASSET);

  /// Families of types.
  public enum Group {
    ORGANIZATION,
    PHYSICAL_RESOURCE,
    IAM,
    WORKLOAD,
    WORKLOAD_ASSET;

    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Group group;

  ResourceType(Group group) {
    this.group = group;
  }

  public Group group() {
    return group;
  }

  public String text() {
    return this == ACCESS_RULES
        ? "access_rules"
        : name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// What is made for a scope is for everybody in it: a tenant's environment is there for the
  /// researchers of all projects to use.
  boolean isInherited() {
    return group == Group.WORKLOAD_ASSET;
  }

  /// What belongs to the whole cluster is read by whoever may read it anywhere: a project's
  /// researcher sees the pools and nodes its workloads run on.
  boolean isShared() {
    return group == Group.PHYSICAL_RESOURCE || this == ROLES || this == WORKLOAD_PROPERTIES;
  }
}
