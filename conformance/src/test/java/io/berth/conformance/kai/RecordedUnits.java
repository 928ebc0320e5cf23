package io.berth.conformance.kai;

import io.berth.api.Tree;
import io.berth.quota.OrgUnit.Department;
import io.berth.quota.OrgUnit.Project;
import io.berth.quota.Quota;
import io.berth.quota.Quota.Entitlement;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// The queues of a recording as departments and projects; the earlier listed are the older.
record RecordedUnits(List<Department> departments, List<Project> projects) {

  private static final String DEFAULT_DEPARTMENT = "default";
  private static final long WEIGHT = 1000;

  private static final Quota OPEN =
      new Quota(Entitlement.OPEN, Entitlement.OPEN, Entitlement.OPEN, Quota.DEFAULT_RANK);

  static RecordedUnits of(Recording recording) {
    var tree = recording.tree();
    var departments = new ArrayList<Department>();
    var listed = tree.trees("Departments");
    for (var queue : listed) {
      departments.add(
          department(queue.textOrEmpty("Name"), departments.size(), departmental(queue)));
    }
    var parents = new HashSet<String>();
    if (tree.flag("NoDepartment")) {
      tree.trees("Queues").forEach(queue -> parents.add(queue.textOrEmpty("ParentQueue")));
    }
    parents.remove("");
    boolean flat = listed.isEmpty() && parents.isEmpty();
    if (flat) {
      departments.add(department(DEFAULT_DEPARTMENT, 0, OPEN));
    }
    var projects = new ArrayList<Project>();
    for (var queue : tree.trees("Queues")) {
      var name = queue.textOrEmpty("Name");
      var parent = flat ? DEFAULT_DEPARTMENT : queue.textOrEmpty("ParentQueue");
      var quotas = Map.of(Scene.POOL, quota(queue));
      if (parents.contains(name)) {
        departments.add(department(name, departments.size(), quota(queue)).withParent(parent));
        continue;
      }
      projects.add(new Project(name, name, parent, time(projects.size()), quotas));
    }
    return new RecordedUnits(departments, projects);
  }

  private static Department department(String name, int order, Quota quota) {
    return new Department(name, name, time(order), Map.of(Scene.POOL, quota));
  }

  private static Instant time(int order) {
    return Scene.START.plusSeconds(60L * order);
  }

  /// What a department deserves is also its weight.
  private static Quota departmental(Tree queue) {
    var deserved = amount(queue, "DeservedGPUs", WEIGHT);
    long weight = deserved == Entitlement.UNLIMITED ? WEIGHT : deserved;
    return new Quota(
        new Entitlement(deserved, limit(queue, "MaxAllowedGPUs", 1000), weight),
        new Entitlement(Entitlement.UNLIMITED, limit(queue, "MaxAllowedCPUs", 1), WEIGHT),
        new Entitlement(Entitlement.UNLIMITED, limit(queue, "MaxAllowedMemory", 1_000_000), WEIGHT),
        Quota.DEFAULT_RANK);
  }

  private static Quota quota(Tree queue) {
    long weight = amount(queue, "GPUOverQuotaWeight", WEIGHT);
    return new Quota(
        new Entitlement(
            amount(queue, "DeservedGPUs", 1000), limit(queue, "MaxAllowedGPUs", 1000), weight),
        new Entitlement(
            amount(queue, "DeservedCPUs", 1), limit(queue, "MaxAllowedCPUs", 1), WEIGHT),
        new Entitlement(
            amount(queue, "DeservedMemory", 1_000_000),
            limit(queue, "MaxAllowedMemory", 1_000_000),
            WEIGHT),
        Math.toIntExact(queue.number(Quota.DEFAULT_RANK, "Priority")));
  }

  private static long limit(Tree queue, String field, long unit) {
    long amount = amount(queue, field, unit);
    return amount == 0 ? Entitlement.UNLIMITED : amount;
  }

  /// What is not written or negative is without bounds.
  private static long amount(Tree queue, String field, long unit) {
    var value = queue.get(field);
    if (value == null) {
      return Entitlement.UNLIMITED;
    }
    var amount = new BigDecimal(value.toString());
    return amount.signum() < 0
        ? Entitlement.UNLIMITED
        : amount.multiply(BigDecimal.valueOf(unit)).longValueExact();
  }
}
