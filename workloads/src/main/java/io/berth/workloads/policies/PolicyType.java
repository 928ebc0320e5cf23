package io.berth.workloads.policies;

import io.berth.workloads.http.Refusal;
import io.berth.workloads.policy.PolicyFields;
import java.util.Arrays;
import java.util.stream.Collectors;

/// What a policy is about: one type of workload.
public enum PolicyType {
  WORKSPACE("workspaces", "workspace", "Workspace"),
  TRAINING("trainings", "training", "Training"),
  DISTRIBUTED("distributed", "distributed", "Distributed"),
  INFERENCE("inferences", "inference", "Inference"),
  DISTRIBUTED_INFERENCE("distributed-inferences", "distributedInference", "DistributedInference");

  private final String path;
  private final String listed;
  private final String asked;

  PolicyType(String path, String listed, String asked) {
    this.path = path;
    this.listed = listed;
    this.asked = asked;
  }

  static PolicyType named(String workloadType) {
    for (var type : values()) {
      if (type.asked.equals(workloadType)) {
        return type;
      }
    }
    throw Refusal.badRequest(
        "workloadType \"%s\" is none of Workspace, Training, Distributed, Inference, DistributedInference"
            .formatted(workloadType));
  }

  /// By the name lists give it.
  static PolicyType listed(String name) {
    for (var type : values()) {
      if (type.listed.equals(name)) {
        return type;
      }
    }
    throw Refusal.badRequest(
        "Bad request - type: \"%s\" is none of %s"
            .formatted(
                name,
                Arrays.stream(values()).map(PolicyType::listed).collect(Collectors.joining(", "))));
  }

  /// The last part of its path.
  public String path() {
    return path;
  }

  /// Its name in lists of policies.
  String listed() {
    return listed;
  }

  PolicyFields fields() {
    return switch (this) {
      case WORKSPACE -> PolicyFields.WORKSPACE;
      case TRAINING -> PolicyFields.TRAINING;
      case DISTRIBUTED -> PolicyFields.DISTRIBUTED;
      case INFERENCE -> PolicyFields.INFERENCE;
      case DISTRIBUTED_INFERENCE -> PolicyFields.DISTRIBUTED_INFERENCE;
    };
  }

  /// The type of the body that sets it, in the table of types.
  String overwriteType() {
    return asked + "PolicyOverwriteRequest";
  }

  /// The type of the defaults in it.
  String defaultsType() {
    return this == DISTRIBUTED_INFERENCE ? asked + "Defaults" : asked + "PolicyDefaults";
  }

  String changeType() {
    return asked + "PolicyChangeRequest";
  }
}
