package io.berth.workloads.org;

import io.berth.api.Tree;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.org.NodePools.Pool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Quotas of a department or project, one entry per node pool.
final class Shares {

  private static final double DEFAULT_WEIGHT = 2;

  private final NodePools pools;

  Shares(NodePools pools) {
    this.pools = pools;
  }

  /// Checks what a request says, and gives it the form it is stored in: one entry per pool named,
  /// pools by id and name, no limit instead of -1.
  List<Tree> read(List<Tree> resources) {
    var byPool = new LinkedHashMap<String, Tree>();
    for (int i = 0; i < resources.size(); i++) {
      var entry = resources.get(i);
      var pool = pool(entry, i);
      var read = Tree.of("nodePool", Tree.of("id", pool.id(), "name", pool.name()));
      for (var kind : List.of("gpu", "cpu", "memory")) {
        if (entry.tree(kind) != null) {
          read.put(kind, share(entry.treeOrEmpty(kind), "resources[%d].%s".formatted(i, kind)));
        }
      }
      for (var field : List.of("priority", "rank")) {
        if (entry.text(field) != null) {
          read.put("priority", Ranks.checked(entry.textOrEmpty(field)));
        }
      }
      if (byPool.put(pool.id(), read) != null) {
        throw Refusal.badRequest(
            "Bad request - resources: node pool \"%s\" is listed twice".formatted(pool.name()));
      }
    }
    return new ArrayList<>(byPool.values());
  }

  private Pool pool(Tree entry, int index) {
    var id = entry.textOrEmpty("nodePool", "id");
    var name = entry.textOrEmpty("nodePool", "name");
    return NodePools.referred(pools.all(), entry)
        .filter(pool -> name.isEmpty() || pool.name().equals(name))
        .orElseThrow(() ->
            Refusal.badRequest(
                "Bad request - resources[%d].nodePool: there is no node pool with id \"%s\" and name \"%s\""
                    .formatted(index, id, name)));
  }

  private static Tree share(Tree share, String path) {
    var read = share.copy();
    if (Units.amount(share.get("deserved")) < 0) {
      throw Refusal.badRequest("Bad request - %s.deserved: must be 0 or more".formatted(path));
    }
    if (Units.amount(share.get("overQuotaWeight")) < 0) {
      throw Refusal.badRequest(
          "Bad request - %s.overQuotaWeight: must be 0 or more".formatted(path));
    }
    double limit = Units.amount(share.get("limit"));
    if (limit == -1) {
      read.put("limit", null);
    } else if (limit < 0) {
      throw Refusal.badRequest(
          "Bad request - %s.limit: must be 0 or more, or -1 for none".formatted(path));
    }
    return read;
  }

  /// What is stored, with a request laid over it: entry by entry, field by field.
  List<Tree> merged(List<Tree> stored, List<Tree> changes) {
    var byPool = new LinkedHashMap<String, Tree>();
    byPool(stored).forEach((id, entry) -> byPool.put(id, entry.copy()));
    for (var change : changes) {
      var entry = byPool.computeIfAbsent(change.textOrEmpty("nodePool", "id"), _ -> new Tree());
      change
          .fields()
          .forEach((name, value) -> {
            if (value instanceof Tree tree && entry.tree(name) != null) {
              tree.fields().forEach((field, each) -> entry.child(name).put(field, each));
            } else {
              entry.put(name, value);
            }
          });
    }
    return new ArrayList<>(byPool.values());
  }

  /// The entries of all pools there are, as the API shows them: a pool nobody spoke of has no GPU
  /// quota, and neither limit nor quota on the rest.
  List<Tree> shown(List<Tree> stored) {
    var byPool = byPool(stored);
    var shown = new ArrayList<Tree>();
    // Pools in the order they were given, then the others.
    byPool
        .keySet()
        .forEach(id -> pools.findById(id).ifPresent(pool -> shown.add(entry(pool, byPool))));
    for (var pool : pools.all()) {
      if (!byPool.containsKey(pool.id())) {
        shown.add(entry(pool, byPool));
      }
    }
    return shown;
  }

  /// Entries by the number of their pool; those of pools that have gone are left out.
  private Map<String, Tree> byPool(List<Tree> stored) {
    var all = pools.all();
    var byPool = new LinkedHashMap<String, Tree>();
    for (var entry : stored) {
      NodePools.referred(all, entry).ifPresent(pool -> byPool.put(pool.id(), entry));
    }
    return byPool;
  }

  private static Tree entry(Pool pool, Map<String, Tree> byPool) {
    var stored = byPool.getOrDefault(pool.id(), new Tree());
    var gpu = amounts(stored.treeOrEmpty("gpu"), 0);
    var cpu = amounts(stored.treeOrEmpty("cpu"), null);
    var memory = amounts(stored.treeOrEmpty("memory"), null);
    memory.put("units", stored.tree("memory") == null ? "Mib" : stored.text("memory", "units"));
    return Tree.of(
        "nodePool", Tree.of("id", pool.id(), "name", pool.name()),
        "gpu", gpu,
        "cpu", cpu,
        "memory", memory,
        "priority", Ranks.of(stored).isEmpty() ? Ranks.DEFAULT : Ranks.of(stored));
  }

  private static Tree amounts(Tree share, @org.jspecify.annotations.Nullable Object unset) {
    return Tree.of(
        "deserved", share.get("deserved") == null ? unset : share.get("deserved"),
        "limit", Units.amount(share.get("limit")) < 0 ? null : share.get("limit"),
        "overQuotaWeight",
            share.get("overQuotaWeight") == null ? DEFAULT_WEIGHT : share.get("overQuotaWeight"));
  }

  Tree totals(List<Tree> stored) {
    double gpu = 0;
    double cpu = 0;
    double memory = 0;
    for (var entry : shown(stored)) {
      gpu += Units.amount(entry.at("gpu", "deserved"));
      cpu += Units.amount(entry.at("cpu", "deserved"));
      memory += Units.amount(entry.at("memory", "deserved"));
    }
    return Tree.of("gpuQuota", gpu, "cpuQuota", cpu, "memoryQuota", memory);
  }
}
