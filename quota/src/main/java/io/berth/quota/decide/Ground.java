package io.berth.quota.decide;

import io.berth.api.NodeAffinity;
import io.berth.api.Pod;
import io.berth.api.PodAffinity;
import io.berth.api.PodSpec;
import io.berth.engine.Decision;
import io.berth.engine.Plan;
import io.berth.quota.GpuRequest;
import io.berth.quota.Outcome.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Puts pods on nodes and takes them off, in the engine's plan, in the devices' table and in the
/// books at once; and takes all of it back to a checkpoint.
final class Ground {

  private static final PodSpec RESERVING =
      new PodSpec(
          List.of(),
          List.of(Templates.gpus(1)),
          Map.of(),
          null,
          Map.of(),
          NodeAffinity.NONE,
          PodAffinity.NONE,
          PodAffinity.NONE,
          List.of(),
          List.of(),
          0,
          true,
          PodSpec.DEFAULT_SCHEDULER,
          List.of(),
          List.of(),
          List.of(),
          List.of());

  private final Plan plan;
  private final Devices devices;
  final Budgets budgets;
  private final List<Step> journal = new ArrayList<>();

  /// What the engine said when it last found no node.
  private String objection = "";

  /// Where pods have to be at the moment, besides their pool.
  private Domains.@Nullable Domain within;

  /// Where a pod was before a step, and how far the plan had come.
  private record Step(
      Slot slot,
      @Nullable Pool pool,
      @Nullable String node,
      List<Integer> devices,
      long[] amounts,
      int planned) {}

  Ground(Plan plan, Devices devices, Budgets budgets) {
    this.plan = plan;
    this.devices = devices;
    this.budgets = budgets;
  }

  String objection() {
    return objection;
  }

  int checkpoint() {
    return journal.size();
  }

  void rollback(int checkpoint) {
    if (journal.size() == checkpoint) {
      return;
    }
    plan.rollback(journal.get(checkpoint).planned());
    while (journal.size() > checkpoint) {
      var step = journal.removeLast();
      var slot = step.slot();
      leave(slot, false);
      slot.job.pool = step.pool();
      slot.amounts = step.amounts();
      enter(slot, step.node(), step.devices(), false);
    }
  }

  /// Finds a place in the pool for each pod, or for none; as close together as their gang wants it.
  boolean placeAll(List<Slot> slots, Pool pool) {
    var job = slots.getFirst().job;
    var topology = job.gang.topology();
    if (topology == null) {
      return placeEach(slots, pool);
    }
    var occupied = job.nodes();
    objection = "no nodes of the pool have all labels of its topology";
    try {
      for (var domain : pool.domains.toTry(topology, occupied, pool.gpus)) {
        within = domain;
        if (placeEach(slots, pool)) {
          return true;
        }
      }
      return false;
    } finally {
      within = null;
    }
  }

  /// Puts pods where a placement of another pass had them, or wherever there is room; all or none.
  boolean placeAs(Placement placement, List<Slot> slots, Pool pool) {
    int start = checkpoint();
    for (var slot : slots) {
      var node = nodeOf(slot, placement);
      boolean whole = slot.set.gpu() instanceof GpuRequest.Devices;
      if (node == null || !whole || !fits(pool.templates.inPool(slot.pod), pool, node)) {
        rollback(start);
        return placeAll(slots, pool);
      }
      put(slot, pool, node, List.of());
    }
    return true;
  }

  private static @Nullable String nodeOf(Slot slot, Placement placement) {
    for (var pod : placement.pods()) {
      if (pod.pod().equals(slot.pod.name()) && pod.namespace().equals(slot.pod.namespace())) {
        return pod.node();
      }
    }
    return null;
  }

  private boolean placeEach(List<Slot> slots, Pool pool) {
    int start = checkpoint();
    for (int i = 0; i < slots.size(); i++) {
      if (!place(slots.get(i), pool)) {
        if (slots.size() > 1) {
          objection = "%d of %d pods found room, then: %s".formatted(i, slots.size(), objection);
        }
        rollback(start);
        return false;
      }
    }
    return true;
  }

  private boolean place(Slot slot, Pool pool) {
    if (slot.set.gpu() instanceof GpuRequest.Devices) {
      var node = decide(pool.templates.inPool(slot.pod), pool);
      if (node != null) {
        put(slot, pool, node, List.of());
      }
      return node != null;
    }
    return pool.packs()
        ? placeShared(slot, pool) || placeFresh(slot, pool)
        : placeFresh(slot, pool) || placeShared(slot, pool);
  }

  private @Nullable String decide(Pod asked, Pool pool) {
    var pod = within == null ? asked : pool.templates.within(asked, within);
    return switch (plan.decide(pod)) {
      case Decision.Placed(var node, var _) -> node;
      case Decision.Unschedulable refused -> {
        objection = refused.message();
        yield null;
      }
      case Decision.Failed(var error) -> {
        objection = error;
        yield null;
      }
    };
  }

  private boolean fits(Pod asked, Pool pool, String node) {
    var pod = within == null ? asked : pool.templates.within(asked, within);
    return plan.fits(pod, node);
  }

  /// As many devices as possible among those that are shared already, on the tightest node.
  private boolean placeShared(Slot slot, Pool pool) {
    int wanted = slot.set.gpu().devices();
    for (int reused = wanted; reused > 0; reused--) {
      for (var node : tightest(slot, pool, reused)) {
        var own = devices.withFree(node, devices.need(slot.set.gpu(), node)).subList(0, reused);
        if (placeOn(slot, pool, node, List.copyOf(own))) {
          return true;
        }
      }
    }
    return false;
  }

  private List<String> tightest(Slot slot, Pool pool, int reused) {
    var nodes = new ArrayList<String>();
    for (var node : devices.nodesWithShared()) {
      long need = devices.need(slot.set.gpu(), node);
      if (pool.has(node)
          && devices.hasFree(node, need)
          && devices.withFree(node, need).size() >= reused) {
        nodes.add(node);
      }
    }
    nodes.sort((a, b) -> Long.compare(slack(slot, a), slack(slot, b)));
    return nodes;
  }

  /// What whole devices say about these, as it is now.
  Headroom headroom(List<Slot> slots, Pool pool) {
    boolean opensDevice = false;
    for (var slot : slots) {
      opensDevice |= slot.set.gpu() instanceof GpuRequest.Devices ? false : isNew(slot, pool);
    }
    return new Headroom(slots, pool, opensDevice);
  }

  /// Where what is taken could go, as it is now.
  Elsewhere elsewhere(Pool pool) {
    long most = 0;
    for (var node : devices.nodesWithShared()) {
      most = pool.has(node) ? Math.max(most, devices.mostFree(node)) : most;
    }
    return new Elsewhere(pool.gpus.most(), most);
  }

  private boolean isNew(Slot slot, Pool pool) {
    for (var node : devices.nodesWithShared()) {
      if (pool.has(node) && devices.hasFree(node, devices.need(slot.set.gpu(), node))) {
        return false;
      }
    }
    return true;
  }

  private long slack(Slot slot, String node) {
    long need = devices.need(slot.set.gpu(), node);
    return devices.free(node, devices.withFree(node, need).getFirst()) - need;
  }

  /// On devices of any node that nobody shares yet.
  private boolean placeFresh(Slot slot, Pool pool) {
    int fresh = slot.set.gpu().devices();
    var node = decide(pool.templates.sharing(slot.pod, slot.set.gpu(), fresh), pool);
    if (node != null) {
      put(slot, pool, node, devices.fresh(node, fresh));
    }
    return node != null;
  }

  /// On these devices of the node, and as many that nobody shares yet as are missing.
  private boolean placeOn(Slot slot, Pool pool, String node, List<Integer> shared) {
    int fresh = slot.set.gpu().devices() - shared.size();
    if (!fits(pool.templates.sharing(slot.pod, slot.set.gpu(), fresh), pool, node)) {
      return false;
    }
    var all = new ArrayList<>(shared);
    all.addAll(devices.fresh(node, fresh));
    put(slot, pool, node, all);
    return true;
  }

  /// Counts a pod on a node.
  void put(Slot slot, Pool pool, String node, List<Integer> on) {
    record(slot);
    slot.job.pool = pool;
    slot.amounts = slot.amountsIn(pool);
    enter(slot, node, List.copyOf(on), true);
  }

  /// Takes a pod off its node.
  void remove(Slot slot) {
    record(slot);
    leave(slot, true);
  }

  private void record(Slot slot) {
    journal.add(
        new Step(slot, slot.job.pool, slot.node, slot.devices, slot.amounts, plan.checkpoint()));
  }

  private void enter(Slot slot, @Nullable String node, List<Integer> on, boolean planned) {
    slot.node = node;
    slot.devices = on;
    if (node == null) {
      return;
    }
    slot.job.queue().book(slot.amounts, slot.firm, 1);
    if (slot.isAtStart()) {
      budgets.disrupt(slot, -1);
    }
    if (planned) {
      plan.place(slot.pod, node);
    }
    int taken = wholeDevices(slot);
    for (int device : on) {
      if (devices.take(node, device, devices.need(slot.set.gpu(), node))) {
        taken++;
        if (planned) {
          plan.place(Devices.reservation(RESERVING, node, device), node);
        }
      }
    }
    count(slot, node, -taken, 1);
  }

  private void leave(Slot slot, boolean planned) {
    var node = slot.node;
    if (node == null) {
      return;
    }
    slot.job.queue().book(slot.amounts, slot.firm, -1);
    if (slot.isAtStart()) {
      budgets.disrupt(slot, 1);
    }
    if (planned) {
      plan.evict(slot.pod.namespace(), slot.pod.name());
    }
    int freed = wholeDevices(slot);
    for (int device : slot.devices) {
      if (devices.release(node, device, devices.need(slot.set.gpu(), node))) {
        freed++;
        if (planned) {
          plan.evict(Devices.RESERVATIONS, node + "-gpu-" + device);
        }
      }
    }
    count(slot, node, freed, -1);
    slot.node = null;
    slot.devices = List.of();
  }

  private static int wholeDevices(Slot slot) {
    return slot.set.gpu() instanceof GpuRequest.Devices(var whole) ? whole : 0;
  }

  private static void count(Slot slot, String node, int freed, int sign) {
    var pool = Objects.requireNonNull(slot.job.pool);
    pool.gpus.add(node, freed);
    if (!(slot.set.gpu() instanceof GpuRequest.Devices)) {
      pool.rounded += (long) sign * slot.set.gpu().devices();
    }
  }
}
