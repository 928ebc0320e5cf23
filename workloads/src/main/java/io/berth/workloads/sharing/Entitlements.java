package io.berth.workloads.sharing;

import io.berth.api.Tree;
import io.berth.quota.Amounts;
import io.berth.quota.Counted;
import io.berth.quota.OrgUnit.Department;
import io.berth.quota.OrgUnit.Project;
import io.berth.quota.Quota;
import io.berth.quota.Quota.Entitlement;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.NodePools.Pool;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Ranks;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Departments and projects as fair sharing sees them.
final class Entitlements {

  private final List<Pool> pools;

  Entitlements(List<Pool> pools) {
    this.pools = pools;
  }

  /// In pools nobody gave it a quota for, a department bounds nobody and deserves what its projects
  /// do together.
  Department department(Tree unit, List<Project> projects) {
    var quotas = sums(projects);
    quotas.putAll(quotas(unit));
    return new Department(Projects.id(unit), Projects.name(unit), createdAt(unit), quotas);
  }

  /// For projects whose department is gone.
  Department missing(String id, List<Project> projects) {
    return new Department(id, id, Instant.EPOCH, sums(projects));
  }

  private Map<String, Quota> sums(List<Project> projects) {
    var quotas = new HashMap<String, Quota>();
    for (var pool : pools) {
      quotas.put(
          pool.name(),
          new Quota(
              sum(projects, pool, Counted.GPU),
              sum(projects, pool, Counted.CPU),
              sum(projects, pool, Counted.MEMORY),
              Quota.DEFAULT_RANK));
    }
    return quotas;
  }

  private static Entitlement sum(List<Project> projects, Pool pool, Counted resource) {
    long deserved = 0;
    for (var project : projects) {
      deserved = Amounts.add(deserved, project.quota(pool.name()).of(resource).deserved());
    }
    return new Entitlement(deserved, Entitlement.UNLIMITED, Entitlement.DEFAULT_WEIGHT_MILLIS);
  }

  Project project(Tree unit) {
    return new Project(
        Projects.id(unit),
        Projects.name(unit),
        Projects.departmentId(unit),
        createdAt(unit),
        quotas(unit));
  }

  private Map<String, Quota> quotas(Tree unit) {
    var quotas = new HashMap<String, Quota>();
    for (var entry : unit.trees("spec", "resources")) {
      var memory = entry.treeOrEmpty("memory");
      var pool = NodePools.referred(pools, entry);
      if (pool.isEmpty()) {
        continue;
      }
      quotas.put(
          pool.get().name(),
          new Quota(
              entitlement(entry.treeOrEmpty("gpu"), 1000, 0),
              entitlement(entry.treeOrEmpty("cpu"), 1, Entitlement.UNLIMITED),
              entitlement(memory, bytes(memory.textOrEmpty("units")), Entitlement.UNLIMITED),
              Ranks.value(entry)));
    }
    return quotas;
  }

  /// Whoever has no weight may not go over quota, even where devices are idle: the quota is a
  /// limit.
  private static Entitlement entitlement(Tree share, long unit, long unset) {
    long deserved = amount(share, "deserved", unit, unset);
    long limit = amount(share, "limit", unit, Entitlement.UNLIMITED);
    long weight = amount(share, "overQuotaWeight", 1000, Entitlement.DEFAULT_WEIGHT_MILLIS);
    return new Entitlement(deserved, weight == 0 ? Math.min(deserved, limit) : limit, weight);
  }

  private static long amount(Tree share, String field, long unit, long unset) {
    if (!(share.get(field) instanceof Number number) || number.doubleValue() < 0) {
      return unset;
    }
    var amount = new BigDecimal(number.toString()).multiply(BigDecimal.valueOf(unit));
    return amount.min(BigDecimal.valueOf(Entitlement.UNLIMITED)).longValue();
  }

  private static long bytes(String unit) {
    return switch (unit) {
      case "MB" -> 1_000_000;
      case "GB" -> 1_000_000_000;
      default -> 1 << 20;
    };
  }

  static Instant createdAt(Tree object) {
    var text = object.textOrEmpty("metadata", "creationTimestamp");
    return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
  }
}
