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

  /// Departments divide a pool among each other first.
  record Department(String id, String name, Instant createdAt, Map<String, Quota> quotas)
      implements OrgUnit {

    public Department {
      quotas = Map.copyOf(quotas);
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
