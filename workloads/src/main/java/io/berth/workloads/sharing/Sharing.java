package io.berth.workloads.sharing;

import io.berth.api.Tree;
import io.berth.engine.Engine;
import io.berth.quota.Adviser;
import io.berth.quota.Adviser.Advice;
import io.berth.quota.Arbiter;
import io.berth.quota.Gang;
import io.berth.quota.NodePool;
import io.berth.quota.OrgUnit.Department;
import io.berth.quota.OrgUnit.Project;
import io.berth.quota.Outcome;
import io.berth.quota.Outcome.Placement;
import io.berth.quota.Situation;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.Projects;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Priorities;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Shows the arbiter the workloads of the cluster, and asks it what to do.
///
/// One lock guards the arbiter: requests that ask for advice take it between two passes.
final class Sharing {

  private static final int MOST_ADVISED = 1000;

  private final State state;
  private final NodePools pools;
  private final PoolReader reader;
  private final Projects projects;
  private final Arbiter arbiter;
  private final EngineFeed feed;
  private final Gangs gangs;
  private final PastUse pastUse;

  /// What pods had to go for in the last pass.
  private List<Placement> promised = List.of();

  Sharing(State state, NodePools pools, Projects projects, PastUse pastUse) {
    this.state = state;
    this.pools = pools;
    this.reader = new PoolReader(pools);
    this.projects = projects;
    var engine = new Engine(Arbiter.CONFIGURATION, 1);
    this.arbiter = new Arbiter(engine);
    this.feed = new EngineFeed(state, engine);
    this.gangs = new Gangs(feed, state);
    this.pastUse = pastUse;
  }

  /// What to do now; `look` is when time alone may change the answer, if it ever does.
  record Answer(Outcome outcome, @Nullable Instant look) {}

  synchronized Answer decide(List<Tree> workloads) {
    feed.look();
    var situation = situation(workloads);
    var outcome = arbiter.decide(situation);
    promised = outcome.promised();
    return new Answer(outcome, nextLook(situation));
  }

  /// What would let a workload start that waits. Nothing where so much waits that trying it out
  /// would take longer than a request should.
  synchronized List<Advice> advise(List<Tree> workloads, String id) {
    feed.look();
    var situation = situation(workloads);
    return situation.gangs().size() > MOST_ADVISED
        ? List.of()
        : new Adviser(arbiter).advise(situation, id, List.copyOf(Priorities.all().values()));
  }

  private Situation situation(List<Tree> workloads) {
    var live = pools.all().stream().filter(pool -> !pool.isBeingDeleted()).toList();
    var entitlements = new Entitlements(live);
    var units = state.units(BerthKinds.PROJECTS).stream().map(entitlements::project).toList();
    return new Situation(
        state.times().instant(),
        departments(entitlements, units),
        units,
        live.stream().map(reader::read).toList(),
        feed.nodes(),
        gangs(workloads),
        pastUse.counted(),
        feed.budgets(),
        promised);
  }

  private List<Department> departments(Entitlements entitlements, List<Project> projects) {
    var members = new LinkedHashMap<String, List<Project>>();
    for (var project : projects) {
      members.computeIfAbsent(project.department(), _ -> new ArrayList<>()).add(project);
    }
    var departments = new ArrayList<Department>();
    for (var unit : state.units(BerthKinds.DEPARTMENTS)) {
      var own = members.remove(Projects.id(unit));
      departments.add(entitlements.department(unit, own == null ? List.of() : own));
    }
    members.forEach((id, own) -> departments.add(entitlements.missing(id, own)));
    return departments;
  }

  private List<Gang> gangs(List<Tree> workloads) {
    gangs.retain(Gangs.ids(workloads));
    var found = new ArrayList<Gang>();
    for (var workload : workloads) {
      projects
          .findByNamespace(Pods.namespace(workload))
          .filter(_ -> gangs.counts(workload))
          .ifPresent(project -> found.add(gangs.gang(workload, Projects.id(project))));
    }
    return found;
  }

  /// A guaranteed run time that ends, a gang that becomes stale, one that has waited long enough.
  private static @Nullable Instant nextLook(Situation situation) {
    var configs = new HashMap<String, NodePool>();
    situation.pools().forEach(pool -> configs.put(pool.name(), pool));
    Instant next = null;
    for (var gang : situation.gangs()) {
      for (var at : turningPoints(gang, configs)) {
        if (at.isAfter(situation.now()) && (next == null || at.isBefore(next))) {
          next = at;
        }
      }
    }
    return next;
  }

  private static List<Instant> turningPoints(Gang gang, Map<String, NodePool> pools) {
    var points = new ArrayList<Instant>();
    var running = gang.running();
    var current = running == null ? null : pools.get(running.pool());
    if (running != null && current != null) {
      points.add(running.since().plus(current.minRunTime()));
      if (running.staleSince() != null) {
        points.add(running.staleSince().plus(current.staleGrace()));
      }
    } else {
      for (var name : gang.pools()) {
        var pool = pools.get(name);
        if (pool != null) {
          points.add(gang.waitingSince().plus(pool.patience()));
        }
      }
    }
    return points;
  }
}
