package io.berth.workloads.control;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.door.Door;
import io.berth.workloads.org.Projects;
import io.berth.workloads.sharing.Admission;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Submission;
import io.berth.workloads.submit.WorkloadKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks at every workload and project that may need something, on one thread.
///
/// What failed is looked at again after a second; everything, so that nothing is forgotten for
/// ever, after a minute.
public final class WorkloadController implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(WorkloadController.class);
  private static final long RETRY_MILLIS = 1_000;
  private static final long RESYNC_MILLIS = 60_000;

  private final State state;
  private final DeletedWorkloads deleted;
  private final WorkloadStep step;
  private final ProjectStep projects;
  private final Door door;
  private final DoorStep doorStep;
  private final Admission admission;
  private final Thread thread;
  // Guarded by this: ids of workloads and names of projects to look at.
  private final Set<String> workloads = new LinkedHashSet<>();
  private final Set<String> changedProjects = new LinkedHashSet<>();
  private final Set<Named> atTheDoor = new LinkedHashSet<>();
  // Only for the thread: what to put on the list again, and since when.
  private final List<Runnable> later = new ArrayList<>();
  private long failedAt;
  // Only for the thread: when time alone calls for another pass.
  private @Nullable Instant nextPass;
  // Only for the thread: when time alone calls for a look at a workload, one entry for each at
  // most.
  private final Map<String, Instant> due = new HashMap<>();
  private boolean cluster = true;
  private boolean closed;

  public WorkloadController(
      State state, Door door, Admission admission, Projects projects, Submission submission) {
    this.state = state;
    this.door = door;
    this.doorStep = new DoorStep(state, door);
    this.deleted = new DeletedWorkloads(state, projects);
    this.step = new WorkloadStep(state, projects, submission, deleted);
    this.projects = new ProjectStep(state);
    this.admission = admission;
    this.thread = Thread.ofPlatform().name("workloads").daemon().unstarted(this::run);
  }

  public WorkloadController start() {
    for (var resource : BerthKinds.WORKLOADS) {
      state
          .table(resource)
          .onChange(workload -> {
            dirty(workload.textOrEmpty("metadata", "uid"));
            dirtyProjectOf(workload.textOrEmpty("metadata", "namespace"));
          });
    }
    state
        .table(Resource.PODS)
        .onChange(pod -> {
          if (pod.at("metadata", "labels", State.WORKLOAD_ID_LABEL) instanceof String id) {
            dirty(id);
          }
          clusterChanged();
        });
    state.table(Resource.NODES).onChange(_ -> clusterChanged());
    state.table(BerthKinds.NODE_POOLS).onChange(_ -> clusterChanged());
    state.table(BerthKinds.DEPARTMENTS).onChange(_ -> clusterChanged());
    state.table(Resource.POD_DISRUPTION_BUDGETS).onChange(_ -> clusterChanged());
    state
        .table(BerthKinds.PROJECTS)
        .onChange(project -> {
          dirtyProject(Projects.name(project));
          clusterChanged();
        });
    state
        .table(Resource.NAMESPACES)
        .onChange(namespace -> dirtyProjectOf(namespace.textOrEmpty("metadata", "name")));
    for (var resource : door.units()) {
      state.table(resource).onChange(object -> dirtyAtTheDoor(resource, object));
    }
    everything();
    thread.start();
    return this;
  }

  private void dirtyProjectOf(String namespace) {
    new Projects(state)
        .findByNamespace(namespace)
        .ifPresent(project -> dirtyProject(Projects.name(project)));
  }

  private synchronized void dirty(String workloadId) {
    workloads.add(workloadId);
    notifyAll();
  }

  private synchronized void dirtyProject(String name) {
    changedProjects.add(name);
    notifyAll();
  }

  private synchronized void dirtyAtTheDoor(Resource resource, Tree object) {
    atTheDoor.add(new Named(resource, Projects.name(object)));
    notifyAll();
  }

  private synchronized void clusterChanged() {
    cluster = true;
    notifyAll();
  }

  private synchronized void everything() {
    state.workloads().forEach(each -> workloads.add(each.textOrEmpty("metadata", "uid")));
    state
        .table(BerthKinds.PROJECTS)
        .all()
        .forEach(each -> changedProjects.add(Projects.name(each)));
    for (var resource : door.units()) {
      state.table(resource).all().forEach(each -> dirtyAtTheDoor(resource, each));
    }
    cluster = true;
    notifyAll();
  }

  private record Named(Resource resource, String name) {}

  private record Work(
      Set<String> workloads, Set<String> projects, Set<Named> atTheDoor, boolean cluster) {}

  private void run() {
    try {
      long resync = System.nanoTime();
      while (true) {
        var work = take(Math.min(millisToRetry(), millisToNext()));
        wake();
        if (work == null) {
          return;
        }
        retry();
        look(work);
        if (System.nanoTime() - resync > RESYNC_MILLIS * 1_000_000) {
          resync = System.nanoTime();
          quietly("deleted workloads", deleted::forget, () -> {});
          everything();
        }
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private long millisToRetry() {
    return later.isEmpty()
        ? RESYNC_MILLIS
        : Math.max(1, RETRY_MILLIS - (System.nanoTime() - failedAt) / 1_000_000);
  }

  /// Puts what failed on the list again, after a pause that no other work makes shorter.
  private void retry() {
    if (!later.isEmpty() && System.nanoTime() - failedAt >= RETRY_MILLIS * 1_000_000) {
      later.forEach(Runnable::run);
      later.clear();
    }
  }

  /// How long until time alone calls for something.
  private long millisToNext() {
    var next = nextPass;
    for (var each : due.values()) {
      next = next == null || each.isBefore(next) ? each : next;
    }
    return next == null
        ? RESYNC_MILLIS
        : Math.max(1, Duration.between(state.times().instant(), next).toMillis() + 1);
  }

  private synchronized @Nullable Work take(long patienceMillis) throws InterruptedException {
    long end = System.nanoTime() + patienceMillis * 1_000_000;
    while (workloads.isEmpty()
        && changedProjects.isEmpty()
        && atTheDoor.isEmpty()
        && !cluster
        && !closed) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        break;
      }
      wait(left);
    }
    if (closed) {
      return null;
    }
    var work =
        new Work(
            new LinkedHashSet<>(workloads),
            new HashSet<>(changedProjects),
            new LinkedHashSet<>(atTheDoor),
            cluster);
    workloads.clear();
    changedProjects.clear();
    atTheDoor.clear();
    cluster = false;
    return work;
  }

  private void look(Work work) {
    for (var each : atTheDoor(work)) {
      quietly(
          each.resource().kind() + " " + each.name(),
          () -> doorStep.look(each.resource(), each.name()),
          () -> dirtyAgain(each));
    }
    for (var name : work.projects()) {
      quietly("project " + name, () -> projects.look(name), () -> dirtyProject(name));
    }
    for (var id : work.workloads()) {
      quietly("workload " + id, () -> look(id), () -> dirty(id));
    }
    boolean isTime = nextPass != null && !state.times().instant().isBefore(nextPass);
    if (work.cluster() || isTime || !work.workloads().isEmpty()) {
      nextPass = null;
      quietly("the queue", () -> nextPass = admission.pass(), this::clusterChanged);
    }
  }

  private void look(String id) {
    due.remove(id);
    find(id)
        .ifPresent(workload -> {
          var next = step.look(workload);
          if (next != null) {
            due.put(id, next);
          }
        });
  }

  /// Puts those on the list whose time has come.
  private void wake() {
    var now = state.times().instant();
    for (var entry : List.copyOf(due.entrySet())) {
      if (!entry.getValue().isAfter(now)) {
        dirty(entry.getKey());
      }
    }
  }

  /// What has changed, and what was refused before: it may be right now.
  private Set<Named> atTheDoor(Work work) {
    var all = new LinkedHashSet<>(work.atTheDoor());
    if (!all.isEmpty()) {
      for (var resource : door.units()) {
        for (var object : state.table(resource).all()) {
          if (doorStep.wasRefused(object)) {
            all.add(new Named(resource, Projects.name(object)));
          }
        }
      }
    }
    return all;
  }

  private synchronized void dirtyAgain(Named named) {
    atTheDoor.add(named);
    notifyAll();
  }

  private java.util.Optional<Tree> find(String id) {
    for (var kind : WorkloadKind.values()) {
      var found = state.table(kind.resource()).findByUid(id);
      if (found.isPresent()) {
        return found;
      }
    }
    return java.util.Optional.empty();
  }

  private void quietly(String what, Runnable work, Runnable again) {
    try {
      work.run();
      return;
    } catch (ApiException e) {
      // Somebody else was faster, or what it is about has gone: the next look sees it.
      if (e.code() != 404 && e.code() != 409) {
        log.warn("{}: {}", what, e.getMessage());
      }
    } catch (RuntimeException e) {
      log.error("{} failed", what, e);
    }
    if (later.isEmpty()) {
      failedAt = System.nanoTime();
    }
    later.add(again);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    thread.interrupt();
  }
}
