package io.berth.quota;

import io.berth.quota.Gang.Preemptibility;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Tries every set of victims there is. Slow and obvious: what the arbiter's search must equal.
///
/// Gangs with extras are left alone here, so it knows some of the ways to make room, and for gangs
/// without extras all of them. Only GPUs count.
final class Oracle {

  private final World world;
  private final Ledger ledger;
  private final String pool;

  Oracle(World world, String pool) {
    this.world = world;
    this.ledger = new Ledger(world);
    this.pool = pool;
  }

  /// Whether the gang may start in the pool as far as its own project and department go.
  boolean isAdmitted(Gang gang, List<Gang> gone) {
    boolean firm = gang.preemptibility() != Preemptibility.PREEMPTIBLE;
    long least = Ledger.least(gang);
    for (var unit : units(gang)) {
      var quota = unit.quota(pool).gpu();
      boolean limited = least + used(unit, gone) > quota.limit();
      if (limited || (firm && least + ledger.allocated(unit, pool, true) > quota.deserved())) {
        return false;
      }
    }
    return true;
  }

  boolean fits(Gang gang, List<Gang> gone) {
    return Ledger.fits(gang, ledger.freeDevices(pool, gone));
  }

  /// Whether reclaiming helps a gang that stays within what it deserves, from those beyond that who
  /// keep what they deserve. Where somebody must fall below, the better claim decides.
  boolean reclaims(Gang gang) {
    return staysWithin(ledger.project(gang), gang, List.of())
        && helps(
            gang,
            candidates(g -> !g.project().equals(gang.project())),
            (victim, gone) -> mayReclaim(gang, victim, gone));
  }

  boolean preempts(Gang gang) {
    var lower =
        candidates(g -> g.project().equals(gang.project()) && g.priority() < gang.priority());
    return helps(gang, lower, (_, _) -> true);
  }

  interface Rule {
    boolean mayTake(Gang victim, List<Gang> gone);
  }

  List<Gang> candidates(Predicate<Gang> which) {
    var found = new ArrayList<Gang>();
    for (var gang : world.gangs.values()) {
      boolean here = gang.running() != null && gang.running().pool().equals(pool);
      boolean rigid = world.placed(gang.id()).size() == gang.sets().getFirst().min();
      boolean evictable = gang.preemptibility() == Preemptibility.PREEMPTIBLE;
      if (here && rigid && evictable && which.test(gang)) {
        found.add(gang);
      }
    }
    return found;
  }

  private boolean helps(Gang gang, List<Gang> candidates, Rule rule) {
    var reachable = new boolean[1 << candidates.size()];
    reachable[0] = true;
    for (int mask = 0; mask < reachable.length; mask++) {
      if (!reachable[mask]) {
        continue;
      }
      var gone = chosen(candidates, mask);
      if (isAdmitted(gang, gone) && fits(gang, gone)) {
        return true;
      }
      for (int i = 0; i < candidates.size(); i++) {
        int bit = 1 << i;
        if ((mask & bit) == 0 && rule.mayTake(candidates.get(i), gone)) {
          reachable[mask | bit] = true;
        }
      }
    }
    return false;
  }

  private static List<Gang> chosen(List<Gang> candidates, int mask) {
    var chosen = new ArrayList<Gang>();
    for (int i = 0; i < candidates.size(); i++) {
      if ((mask & 1 << i) != 0) {
        chosen.add(candidates.get(i));
      }
    }
    return chosen;
  }

  private boolean mayReclaim(Gang gang, Gang victim, List<Gang> gone) {
    var own = ledger.project(gang);
    var other = ledger.project(victim);
    boolean sameDepartment = own.department().equals(other.department());
    OrgUnit mine = sameDepartment ? own : ledger.department(own);
    OrgUnit theirs = sameDepartment ? other : ledger.department(other);
    return staysWithin(mine, gang, gone)
        && used(theirs, gone) - Ledger.least(victim) >= theirs.quota(pool).gpu().deserved();
  }

  private boolean staysWithin(OrgUnit unit, Gang gang, List<Gang> gone) {
    return used(unit, gone) + Ledger.least(gang) <= unit.quota(pool).gpu().deserved();
  }

  private long used(OrgUnit unit, List<Gang> gone) {
    long used = ledger.allocated(unit, pool, false);
    for (var gang : gone) {
      used -= ledger.isOf(gang, unit) ? Ledger.least(gang) : 0;
    }
    return used;
  }

  private List<OrgUnit> units(Gang gang) {
    var project = ledger.project(gang);
    return List.of(project, ledger.department(project));
  }
}
