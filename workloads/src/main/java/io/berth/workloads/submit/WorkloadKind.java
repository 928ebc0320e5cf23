package io.berth.workloads.submit;

import io.berth.api.Resource;
import io.berth.workloads.access.ResourceType;
import io.berth.workloads.policies.PolicyType;
import io.berth.workloads.state.BerthKinds;

/// The types of workloads, and what differs between them.
public enum WorkloadKind {
  WORKSPACE("workspaces", "Workspace", ResourceType.WORKSPACES, "Build", "high", false),
  TRAINING("trainings", "Training", ResourceType.TRAININGS, "Train", "low", true),
  DISTRIBUTED("distributed", "Distributed", ResourceType.TRAININGS, "Train", "low", true),
  INFERENCE("inferences", "Inference", ResourceType.INFERENCES, "Deploy", "very-high", false),
  DISTRIBUTED_INFERENCE(
      "distributed-inferences",
      "DistributedInference",
      ResourceType.INFERENCES,
      "Deploy",
      "very-high",
      false);

  private final String path;
  private final String title;
  private final ResourceType access;
  private final String category;
  private final String priority;
  private final boolean preemptible;

  WorkloadKind(
      String path,
      String title,
      ResourceType access,
      String category,
      String priority,
      boolean preemptible) {
    this.path = path;
    this.title = title;
    this.access = access;
    this.category = category;
    this.priority = priority;
    this.preemptible = preemptible;
  }

  public static WorkloadKind of(Resource resource) {
    for (var kind : values()) {
      if (kind.resource().equals(resource)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(resource.qualified());
  }

  /// The kind of an object, by its `kind`.
  public static WorkloadKind of(String kubernetesKind) {
    for (var kind : values()) {
      if (kind.resource().kind().equals(kubernetesKind)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(kubernetesKind);
  }

  public Resource resource() {
    return switch (this) {
      case WORKSPACE -> BerthKinds.WORKSPACES;
      case TRAINING -> BerthKinds.TRAININGS;
      case DISTRIBUTED -> BerthKinds.DISTRIBUTED;
      case INFERENCE -> BerthKinds.INFERENCES;
      case DISTRIBUTED_INFERENCE -> BerthKinds.DISTRIBUTED_INFERENCES;
    };
  }

  public String path() {
    return path;
  }

  /// Its name in answers.
  public String title() {
    return title;
  }

  public ResourceType access() {
    return access;
  }

  /// What it is for, unless the submission says otherwise.
  public String category() {
    return category;
  }

  public String priority() {
    return priority;
  }

  public boolean preemptible() {
    return preemptible;
  }

  public PolicyType policy() {
    return PolicyType.valueOf(name());
  }

  public boolean isInference() {
    return this == INFERENCE || this == DISTRIBUTED_INFERENCE;
  }

  public boolean canBeSuspended() {
    return !isInference();
  }
}
