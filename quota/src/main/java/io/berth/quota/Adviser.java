package io.berth.quota;

import io.berth.quota.Gang.Preemptibility;
import io.berth.quota.OrgUnit.Department;
import io.berth.quota.OrgUnit.Project;
import io.berth.quota.Outcome.Reason;
import io.berth.quota.Outcome.Refusal;
import io.berth.quota.Outcome.Waiting;
import io.berth.quota.Quota.Entitlement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds what would let a gang that waits start now. Each suggestion was tried: with that change
/// and no other, a pass places the gang.
///
/// A suggestion costs a pass. The thread that owns the arbiter owns this as well.
public final class Adviser {

  private final Arbiter arbiter;

  public Adviser(Arbiter arbiter) {
    this.arbiter = arbiter;
  }

  /// One change that helps, alone.
  public sealed interface Advice {

    /// Let others take it back.
    record BecomePreemptible() implements Advice {}

    /// Run in another node pool.
    record UsePool(String pool) implements Advice {}

    /// Come before the project's other gangs; `priority` is the least that helps.
    record RaisePriority(int priority) implements Advice {}

    /// Give a department or project more of its own, so much in all.
    record RaiseQuota(String unit, String pool, long gpuMillis) implements Advice {}

    /// Let a department or project use more, so much in all.
    record RaiseLimit(String unit, String pool, long gpuMillis) implements Advice {}
  }

  /// What would help; nothing if the gang starts anyway, or is not one that waits.
  ///
  /// `priorities` are those a gang may have.
  public List<Advice> advise(Situation situation, String gangId, List<Integer> priorities) {
    var gang = situation.gangs().stream().filter(each -> each.id().equals(gangId)).findFirst();
    if (gang.isEmpty()) {
      return List.of();
    }
    var waiting = findWaiting(arbiter.decide(situation), gangId);
    if (waiting.isEmpty()) {
      return List.of();
    }
    var found = new ArrayList<Advice>();
    changeGang(situation, gang.get(), priorities, found);
    for (var refusal : waiting.get().refusals()) {
      raise(situation, gang.get(), refusal, found);
    }
    return found;
  }

  private static Optional<Waiting> findWaiting(Outcome outcome, String gang) {
    return outcome.waiting().stream().filter(each -> each.gang().equals(gang)).findFirst();
  }

  private void changeGang(
      Situation situation, Gang gang, List<Integer> priorities, List<Advice> found) {
    if (gang.preemptibility() != Preemptibility.PREEMPTIBLE
        && helps(situation, gang.withPreemptibility(Preemptibility.PREEMPTIBLE))) {
      found.add(new Advice.BecomePreemptible());
    }
    for (var pool : situation.pools()) {
      boolean other = !gang.pools().contains(pool.name());
      if (other && helps(situation, gang.withPools(List.of(pool.name())))) {
        found.add(new Advice.UsePool(pool.name()));
      }
    }
    priorities.stream()
        .sorted()
        .filter(each -> each > gang.priority())
        .filter(each -> helps(situation, gang.withPriority(each)))
        .findFirst()
        .ifPresent(each -> found.add(new Advice.RaisePriority(each)));
  }

  private boolean helps(Situation situation, Gang changed) {
    var gangs = new ArrayList<Gang>();
    situation.gangs().forEach(each -> gangs.add(each.id().equals(changed.id()) ? changed : each));
    return helps(situation.withGangs(gangs), changed.id());
  }

  private boolean helps(Situation changed, String gang) {
    return arbiter.decide(changed).placements().stream().anyMatch(each -> each.gang().equals(gang));
  }

  /// The books have the word when a quota or limit of GPUs stands in the way.
  private void raise(Situation situation, Gang gang, Refusal refusal, List<Advice> found) {
    var unit = refusal.unit();
    boolean firm = refusal.reason() == Reason.NON_PREEMPTIBLE_OVER_QUOTA;
    if (unit == null || (!firm && refusal.reason() != Reason.OVER_LIMIT)) {
      return;
    }
    var standing =
        arbiter.decide(situation).standings().stream()
            .filter(each -> each.unit().equals(unit) && each.pool().equals(refusal.pool()))
            .findFirst();
    if (standing.isEmpty()) {
      return;
    }
    var used = firm ? standing.get().nonPreemptible() : standing.get().allocated();
    long enough = used.gpuMillis() + refusal.gpuMillis();
    if (!firm
        && !isTied(situation, unit, refusal.pool())
        && helps(raised(situation, unit, refusal.pool(), false, enough), gang.id())) {
      found.add(new Advice.RaiseLimit(unit, refusal.pool(), enough));
    } else if (helps(raised(situation, unit, refusal.pool(), true, enough), gang.id())) {
      found.add(new Advice.RaiseQuota(unit, refusal.pool(), enough));
    }
  }

  private static boolean isTied(Situation situation, String unit, String pool) {
    return Stream.concat(situation.departments().stream(), situation.projects().stream())
        .anyMatch(each -> each.id().equals(unit) && isTied(each.quota(pool).gpu()));
  }

  /// Whoever may not use what others leave has the quota for a limit: the two go up together.
  private static boolean isTied(Entitlement gpu) {
    return gpu.weightMillis() == 0 && gpu.limit() == gpu.deserved();
  }

  private static Situation raised(
      Situation situation, String unit, String pool, boolean deserved, long gpuMillis) {
    var departments = new ArrayList<Department>();
    for (var each : situation.departments()) {
      departments.add(
          each.id().equals(unit)
              ? new Department(
                  each.id(),
                  each.name(),
                  each.parent(),
                  each.createdAt(),
                  raised(each, pool, deserved, gpuMillis))
              : each);
    }
    var projects = new ArrayList<Project>();
    for (var each : situation.projects()) {
      projects.add(
          each.id().equals(unit)
              ? new Project(
                  each.id(),
                  each.name(),
                  each.department(),
                  each.createdAt(),
                  raised(each, pool, deserved, gpuMillis))
              : each);
    }
    return situation.withUnits(departments, projects);
  }

  private static Map<String, Quota> raised(
      OrgUnit unit, String pool, boolean deserved, long gpuMillis) {
    var quotas = new HashMap<>(unit.quotas());
    var quota = unit.quota(pool);
    var gpu = quota.gpu();
    var more =
        deserved
            ? new Entitlement(gpuMillis, isTied(gpu) ? gpuMillis : gpu.limit(), gpu.weightMillis())
            : new Entitlement(gpu.deserved(), gpuMillis, gpu.weightMillis());
    quotas.put(pool, new Quota(more, quota.cpu(), quota.memory(), quota.rank()));
    return quotas;
  }
}
