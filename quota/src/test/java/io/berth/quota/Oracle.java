package io.berth.quota;

import io.berth.quota.Gang.Preemptibility;
import io.berth.quota.OrgUnit.Project;
import io.berth.quota.Outcome.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Tries every set of victims there is. Slow and obvious: what the arbiter's search must equal.
///
/// Gangs with extras are left alone here, so it knows some of the ways to make room, and for gangs
/// without extras all of them. Only GPUs count.
final class Oracle {

  private final World world;
  private final Ledger ledger;
  private final String pool;
  private final List<Standing> standings;

  Oracle(World world, String pool, List<Standing> standings) {
    this.world = world;
    this.ledger = new Ledger(world);
    this.pool = pool;
    this.standings = standings;
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

  /// The least GPUs that reclaiming, by the first rule that helps, takes for the gang.
  OptionalLong leastReclaimed(Gang gang) {
    for (boolean byDeserved : new boolean[] {false, true}) {
      for (boolean projectToo : new boolean[] {true, false}) {
        var found = leastReclaimed(gang, byDeserved, projectToo);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return OptionalLong.empty();
  }

  /// The same by one rule: `byDeserved` measures by deserved quota instead of fair share,
  /// `projectToo` takes only from projects that are beyond it themselves.
  OptionalLong leastReclaimed(Gang gang, boolean byDeserved, boolean projectToo) {
    if (!staysWithin(ledger.project(gang), gang, List.of(), byDeserved)) {
      return OptionalLong.empty();
    }
    return least(
        gang,
        candidates(g -> !g.project().equals(gang.project())),
        (victim, gone) -> mayReclaim(gang, victim, gone, byDeserved, projectToo));
  }

  OptionalLong leastPreempted(Gang gang) {
    var lower =
        candidates(g -> g.project().equals(gang.project()) && g.priority() < gang.priority());
    var priorities = new TreeSet<Integer>();
    lower.forEach(victim -> priorities.add(victim.priority()));
    for (int highest : priorities) {
      var those = lower.stream().filter(g -> g.priority() <= highest).toList();
      var found = least(gang, those, (_, _) -> true);
      if (found.isPresent()) {
        return found;
      }
    }
    return OptionalLong.empty();
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

  private OptionalLong least(Gang gang, List<Gang> candidates, Rule rule) {
    var reachable = new boolean[1 << candidates.size()];
    reachable[0] = true;
    var least = OptionalLong.empty();
    for (int mask = 0; mask < reachable.length; mask++) {
      if (!reachable[mask]) {
        continue;
      }
      var gone = chosen(candidates, mask);
      long cost = gone.stream().mapToLong(Ledger::least).sum();
      if ((least.isEmpty() || cost < least.getAsLong())
          && isAdmitted(gang, gone)
          && fits(gang, gone)) {
        least = OptionalLong.of(cost);
      }
      for (int i = 0; i < candidates.size(); i++) {
        int bit = 1 << i;
        if ((mask & bit) == 0 && rule.mayTake(candidates.get(i), gone)) {
          reachable[mask | bit] = true;
        }
      }
    }
    return least;
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

  private boolean mayReclaim(
      Gang gang, Gang victim, List<Gang> gone, boolean byDeserved, boolean projectToo) {
    Project own = ledger.project(gang);
    Project other = ledger.project(victim);
    boolean sameDepartment = own.department().equals(other.department());
    OrgUnit mine = sameDepartment ? own : ledger.department(own);
    OrgUnit theirs = sameDepartment ? other : ledger.department(other);
    return staysWithin(mine, gang, gone, byDeserved)
        && used(theirs, gone) > measure(theirs, byDeserved)
        && (!projectToo || used(other, gone) > measure(other, byDeserved))
        && (byDeserved
            || (keepsDeserved(theirs, victim, gone) && keepsDeserved(other, victim, gone)));
  }

  /// Who is beyond its fair share keeps what it deserves when it gives way to another's share.
  private boolean keepsDeserved(OrgUnit unit, Gang victim, List<Gang> gone) {
    long used = used(unit, gone);
    return used <= measure(unit, false)
        || used - Ledger.least(victim) >= unit.quota(pool).gpu().deserved();
  }

  private boolean staysWithin(OrgUnit unit, Gang gang, List<Gang> gone, boolean byDeserved) {
    return used(unit, gone) + Ledger.least(gang) <= measure(unit, byDeserved);
  }

  private long used(OrgUnit unit, List<Gang> gone) {
    long used = ledger.allocated(unit, pool, false);
    for (var gang : gone) {
      used -= ledger.isOf(gang, unit) ? Ledger.least(gang) : 0;
    }
    return used;
  }

  private long measure(OrgUnit unit, boolean byDeserved) {
    if (byDeserved) {
      return unit.quota(pool).gpu().deserved();
    }
    return standings.stream()
        .filter(s -> s.unit().equals(unit.id()) && s.pool().equals(pool))
        .mapToLong(s -> s.fairShare().gpuMillis())
        .findFirst()
        .orElseThrow();
  }

  private List<OrgUnit> units(Gang gang) {
    var project = ledger.project(gang);
    return List.of(project, ledger.department(project));
  }
}
