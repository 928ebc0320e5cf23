package io.berth.quota.decide;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Visits asks of one pool in the order of fairness: which department is next, which of its
/// projects, which gang of that.
///
/// After each visit the project and its department are weighed anew; the visit says whether it
/// changed others too.
final class Sweep {

  /// One visit. Returns whether anybody else's books changed.
  @FunctionalInterface
  interface Visit {
    boolean ask(Ask ask, Queue queue, long[] amounts);
  }

  /// How urgent a queue is, counting the ask it would come with.
  private record Claim(
      boolean underShare,
      boolean withinDeserved,
      int rank,
      boolean hasShare,
      Ratio with,
      Ratio without,
      int order) {

    static final Comparator<Claim> ORDER =
        Comparator.comparing(Claim::underShare)
            .reversed()
            .thenComparing(Claim::withinDeserved, Comparator.reverseOrder())
            .thenComparing(Claim::rank, Comparator.reverseOrder())
            .thenComparing(Claim::hasShare, Comparator.reverseOrder())
            .thenComparing(Claim::with)
            .thenComparing(Claim::without)
            .thenComparingInt(Claim::order);

    static Claim of(Queue queue, long[] asked) {
      return new Claim(
          !reaches(queue, asked),
          queue.staysWithin(queue.deserved, asked),
          queue.rank,
          hasShare(queue, asked),
          queue.dominantShare(asked),
          queue.dominantShare(new long[asked.length]),
          queue.order);
    }

    private static boolean reaches(Queue queue, long[] asked) {
      for (int r = 0; r < asked.length; r++) {
        if (asked[r] > 0 && queue.allocated[r] >= queue.fairShare[r]) {
          return true;
        }
      }
      return false;
    }

    private static boolean hasShare(Queue queue, long[] asked) {
      for (int r = 0; r < asked.length; r++) {
        if (asked[r] > 0 && queue.fairShare[r] == 0) {
          return false;
        }
      }
      return true;
    }
  }

  /// A queue in line: a project with its asks, or a department with its projects.
  private static final class Line {

    final Queue queue;
    final List<Ask> asks = new ArrayList<>();
    final PriorityQueue<Line> projects = new PriorityQueue<>(BY_CLAIM);
    int at;
    long[] amounts = {};
    @Nullable Claim claim;

    Line(Queue queue) {
      this.queue = queue;
    }

    /// Steps to the next ask that still waits. Returns whether there is one.
    boolean advance() {
      while (at < asks.size() && asks.get(at).isPlaced()) {
        at++;
      }
      return at < asks.size();
    }
  }

  private static final Comparator<Line> BY_CLAIM =
      Comparator.comparing(line -> line.claim, Comparator.nullsLast(Claim.ORDER));

  private final Pool pool;
  private final Map<Queue, Line> departments = new LinkedHashMap<>();
  private final PriorityQueue<Line> line = new PriorityQueue<>(BY_CLAIM);

  Sweep(Pool pool, List<Ask> asks) {
    this.pool = pool;
    var projects = new LinkedHashMap<Queue, Line>();
    for (var ask : asks) {
      projects.computeIfAbsent(pool.queueOf(ask.job()), Line::new).asks.add(ask);
    }
    for (var project : projects.values()) {
      project.asks.sort(Ask.ORDER);
      var parent = project.queue.parent == null ? project.queue : project.queue.parent;
      if (weigh(project)) {
        departments.computeIfAbsent(parent, Line::new).projects.add(project);
      }
    }
    departments.values().forEach(this::enter);
  }

  private boolean weigh(Line project) {
    if (!project.advance()) {
      return false;
    }
    var ask = project.asks.get(project.at);
    for (var slot : ask.slots()) {
      slot.amounts = slot.amountsIn(pool);
    }
    project.amounts = ask.amounts();
    project.claim = Claim.of(project.queue, project.amounts);
    return true;
  }

  private void enter(Line department) {
    var first = department.projects.peek();
    if (first != null) {
      department.claim = Claim.of(department.queue, first.amounts);
      line.add(department);
    }
  }

  void run(Visit visit) {
    while (!line.isEmpty()) {
      var department = line.remove();
      var project = department.projects.remove();
      boolean others = visit.ask(project.asks.get(project.at), project.queue, project.amounts);
      project.at++;
      if (weigh(project)) {
        department.projects.add(project);
      }
      enter(department);
      if (others) {
        weighAll();
      }
    }
  }

  private void weighAll() {
    line.clear();
    for (var department : departments.values()) {
      var projects = new ArrayList<>(department.projects);
      department.projects.clear();
      for (var project : projects) {
        if (weigh(project)) {
          department.projects.add(project);
        }
      }
      enter(department);
    }
  }
}
