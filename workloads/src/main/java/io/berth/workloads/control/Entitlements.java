package io.berth.workloads.control;

import io.berth.api.Tree;
import io.berth.quota.OrgUnit.Department;
import io.berth.quota.OrgUnit.Project;
import io.berth.quota.Quota;
import io.berth.quota.Quota.Entitlement;
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

  private static final Quota OPEN =
      new Quota(Entitlement.OPEN, Entitlement.OPEN, Entitlement.OPEN, Quota.DEFAULT_RANK);

  private final List<Pool> pools;

  Entitlements(List<Pool> pools) {
    this.pools = pools;
  }

  /// A department bounds nobody in pools nobody gave it a quota for.
  Department department(Tree unit) {
    var quotas = new HashMap<String, Quota>();
    pools.forEach(pool -> quotas.put(pool.name(), OPEN));
    quotas.putAll(quotas(unit));
    return new Department(Projects.id(unit), Projects.name(unit), createdAt(unit), quotas);
  }

  Project project(Tree unit) {
    return new Project(
        Projects.id(unit),
        Projects.name(unit),
        Projects.departmentId(unit),
        createdAt(unit),
        quotas(unit));
  }

  /// For projects whose department is gone.
  static Department missing(String id) {
    return new Department(id, id, Instant.EPOCH, Map.of());
  }

  private static Map<String, Quota> quotas(Tree unit) {
    var quotas = new HashMap<String, Quota>();
    for (var entry : unit.trees("spec", "resources")) {
      var memory = entry.treeOrEmpty("memory");
      quotas.put(
          entry.textOrEmpty("nodePool", "name"),
          new Quota(
              entitlement(entry.treeOrEmpty("gpu"), 1000, 0),
              entitlement(entry.treeOrEmpty("cpu"), 1, Entitlement.UNLIMITED),
              entitlement(memory, bytes(memory.textOrEmpty("units")), Entitlement.UNLIMITED),
              Ranks.value(entry.textOrEmpty("priority"))));
    }
    return quotas;
  }

  private static Entitlement entitlement(Tree share, long unit, long unset) {
    return new Entitlement(
        amount(share, "deserved", unit, unset),
        amount(share, "limit", unit, Entitlement.UNLIMITED),
        amount(share, "overQuotaWeight", 1000, Entitlement.DEFAULT_WEIGHT_MILLIS));
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
