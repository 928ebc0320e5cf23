package io.berth.engine.decide;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Plan;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Undo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A plan: changes made to the model itself, with a journal of how to take them back.
///
/// Taking back costs what the change cost; views follow through the change log like any change.
public final class Transaction implements Plan {

  private final ClusterModel cluster;
  private final Decider decider;
  private final Runnable whenOver;
  private final List<Undo> journal = new ArrayList<>();
  private boolean over;

  public Transaction(ClusterModel cluster, Decider decider, Runnable whenOver) {
    this.cluster = cluster;
    this.decider = decider;
    this.whenOver = whenOver;
  }

  @Override
  public Decision decide(Pod pod) {
    checkOpen();
    return decider.decide(pod);
  }

  @Override
  public boolean fits(Pod pod, String node) {
    checkOpen();
    return decider.fits(pod, node);
  }

  @Override
  public boolean isDecidedByNodesAlone(Pod pod) {
    checkOpen();
    return decider.cycleOf(pod).dependsOnNodesAlone();
  }

  @Override
  public Set<String> exceedingBudgets(List<String> pods) {
    var running = new ArrayList<RunningPod>();
    for (var key : pods) {
      int slash = key.indexOf('/');
      var pod = cluster.findPod(key.substring(0, slash), key.substring(slash + 1));
      if (pod != null) {
        running.add(pod);
      }
    }
    var exceeding = new HashSet<String>();
    new Budgets(cluster.budgets()).violating(running).forEach(pod -> exceeding.add(pod.key()));
    return exceeding;
  }

  @Override
  public void put(ClusterObject object) {
    keep(object.reference());
    cluster.put(object);
  }

  @Override
  public void remove(ObjectReference reference) {
    keep(reference);
    cluster.remove(reference);
  }

  @Override
  public void place(Pod pod, String node) {
    remove(pod.reference());
    // What its claims get there is not there for the next.
    if (pod.spec().hasClaims()) {
      journal.add(new Undo.OfReservations(cluster.volumes().reserved()));
      decider.profileOf(pod).reserve(pod, node, cluster);
    }
    cluster.assume(pod, node);
  }

  // A claim or volume that changes ends its reservation.
  private void keep(ObjectReference reference) {
    checkOpen();
    if (cluster.volumes().isReserved(reference)) {
      journal.add(new Undo.OfReservations(cluster.volumes().reserved()));
    }
    journal.add(Undo.of(reference, cluster));
  }

  @Override
  public boolean evict(String namespace, String name) {
    checkOpen();
    if (cluster.findPod(namespace, name) == null) {
      return false;
    }
    remove(ObjectReference.pod(namespace, name));
    return true;
  }

  @Override
  public List<Decision> placeAll(List<Pod> pods) {
    int start = checkpoint();
    var decisions = new ArrayList<Decision>();
    for (var pod : pods) {
      var decision = decide(pod);
      decisions.add(decision);
      if (!(decision instanceof Decision.Placed placed)) {
        rollback(start);
        break;
      }
      place(pod, placed.node());
    }
    return decisions;
  }

  @Override
  public int checkpoint() {
    checkOpen();
    return journal.size();
  }

  @Override
  public void rollback(int checkpoint) {
    checkOpen();
    if (checkpoint < 0 || checkpoint > journal.size()) {
      throw new IllegalArgumentException(
          "checkpoint %d is none of this plan; it keeps %d steps"
              .formatted(checkpoint, journal.size()));
    }
    while (journal.size() > checkpoint) {
      journal.removeLast().run(cluster);
    }
  }

  @Override
  public void commit() {
    checkOpen();
    journal.clear();
    end();
  }

  @Override
  public void close() {
    if (!over) {
      rollback(0);
      end();
    }
  }

  private void end() {
    over = true;
    whenOver.run();
  }

  private void checkOpen() {
    if (over) {
      throw new IllegalStateException("this plan is over; ask the engine for another");
    }
  }
}
