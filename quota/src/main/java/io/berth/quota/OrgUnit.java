package io.berth.quota;

import java.time.Instant;
import java.util.Map;

/// A department or a project: who shares with whom.
public sealed interface OrgUnit {

  String id();

  /// As users know it; messages name it.
  String name();

  Instant createdAt();

  /// By name of the node pool; [Quota#DEFAULT] stands for those that are missing.
  Map<String, Quota> quotas();

  default Quota quota(String pool) {
    return quotas().getOrDefault(pool, Quota.DEFAULT);
  }

  /// Departments divide a pool among each other first, and what they got among the departments in
  /// them. `parent` is the id of the one it is in, or `""`.
  record Department(
      String id, String name, String parent, Instant createdAt, Map<String, Quota> quotas)
      implements OrgUnit {

    public Department {
      quotas = Map.copyOf(quotas);
    }

    /// One that is in no other.
    public Department(String id, String name, Instant createdAt, Map<String, Quota> quotas) {
      this(id, name, "", createdAt, quotas);
    }

    public Department withParent(String other) {
      return new Department(id, name, other, createdAt, quotas);
    }
  }

  /// Projects divide what their department got; gangs belong to projects.
  record Project(
      String id, String name, String department, Instant createdAt, Map<String, Quota> quotas)
      implements OrgUnit {

    public Project {
      quotas = Map.copyOf(quotas);
    }
  }
}
