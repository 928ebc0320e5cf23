package io.berth.workloads.policy;

import io.berth.workloads.http.Refusal;
import io.berth.workloads.types.Type;
import io.berth.workloads.types.Types;
import java.util.Objects;

/// What a policy is about: one type of workload.
public enum PolicyType {
  WORKSPACE("workspaces", "workspace", "Workspace", "WorkspacePolicy"),
  TRAINING("trainings", "training", "Training", "TrainingPolicy"),
  DISTRIBUTED("distributed", "distributed", "Distributed", "DistributedPolicy"),
  INFERENCE("inferences", "inference", "Inference", "InferencePolicy"),
  DISTRIBUTED_INFERENCE(
      "distributed-inferences",
      "distributedInference",
      "DistributedInference",
      "DistributedInferencePolicy"),
  NIM_SERVICE("nim-services", "nimService", "NimService", "NimServicePolicy");

  private final String path;
  private final String listed;
  private final String asked;
  private final String table;

  PolicyType(String path, String listed, String asked, String table) {
    this.path = path;
    this.listed = listed;
    this.asked = asked;
    this.table = table;
  }

  public static PolicyType named(String workloadType) {
    for (var type : values()) {
      if (type.asked.equals(workloadType)) {
        return type;
      }
    }
    throw Refusal.badRequest(
        "workloadType \"%s\" is none of Workspace, Training, Distributed, Inference, DistributedInference, NimService"
            .formatted(workloadType));
  }

  /// The last part of its path.
  public String path() {
    return path;
  }

  /// Its name in lists of policies.
  public String listed() {
    return listed;
  }

  String overwriteType() {
    return table + "OverwriteRequest";
  }

  String changeType() {
    return table + "ChangeRequest";
  }

  /// The type of the rules in the table of types.
  String rulesType() {
    return below("rules");
  }

  String defaultsType() {
    return below("defaults");
  }

  private String below(String field) {
    var policy = ref(overwriteType(), "policy");
    return ref(policy, field);
  }

  private static String ref(String type, String field) {
    var found = Objects.requireNonNull(Types.REQUESTS.fields(type).get(field)).type();
    return ((Type.Ref) found).name();
  }
}
