package io.berth.workloads.policies;

import io.berth.workloads.http.Refusal;
import io.berth.workloads.policy.PolicyFields;

/// What a policy is about: one type of workload.
public enum PolicyType {
  WORKSPACE("workspaces", "workspace", "Workspace", PolicyFields.WORKSPACE),
  TRAINING("trainings", "training", "Training", PolicyFields.TRAINING),
  DISTRIBUTED("distributed", "distributed", "Distributed", PolicyFields.DISTRIBUTED),
  INFERENCE("inferences", "inference", "Inference", PolicyFields.INFERENCE),
  DISTRIBUTED_INFERENCE(
      "distributed-inferences",
      "distributedInference",
      "DistributedInference",
      PolicyFields.DISTRIBUTED_INFERENCE);

  private final String path;
  private final String listed;
  private final String asked;
  private final PolicyFields fields;

  PolicyType(String path, String listed, String asked, PolicyFields fields) {
    this.path = path;
    this.listed = listed;
    this.asked = asked;
    this.fields = fields;
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

  /// The last part of its path.
  public String path() {
    return path;
  }

  /// Its name in lists of policies.
  String listed() {
    return listed;
  }

  PolicyFields fields() {
    return fields;
  }

  /// The type of the body that sets it, in the table of types.
  String overwriteType() {
    return asked + "PolicyOverwriteRequest";
  }

  String changeType() {
    return asked + "PolicyChangeRequest";
  }
}
