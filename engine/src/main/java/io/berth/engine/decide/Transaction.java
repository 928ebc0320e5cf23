package io.berth.engine.decide;

import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Plan;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Volumes;
import io.berth.engine.rule.volume.VolumeBinding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A plan: changes made to the model itself, with a journal of how to take them back.
///
/// Taking back costs what the change cost; views follow through the change log like any change.
public final class Transaction implements Plan {

  private final ClusterModel cluster;
  private final Decider decider;
  private final Runnable whenOver;
  private final List<Undo> journal = new ArrayList<>();
  private boolean over;

  /// What a step put where, and what was there before.
  private record Undo(
      String namespace,
      String name,
      @Nullable RunningPod before,
      Volumes.@Nullable Reserved reserved) {}

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
  public void place(Pod pod, String node) {
    checkOpen();
    boolean claims = pod.spec().hasClaims();
    takeOut(pod.namespace(), pod.name(), claims ? cluster.volumes().reserved() : null);
    // What its claims get there is not there for the next.
    if (claims) {
      VolumeBinding.reserve(pod, node, cluster);
    }
    cluster.assume(pod, node);
  }

  @Override
  public boolean evict(String namespace, String name) {
    checkOpen();
    return cluster.findPod(namespace, name) != null && takeOut(namespace, name, null);
  }

  private boolean takeOut(String namespace, String name, Volumes.@Nullable Reserved reserved) {
    var before = cluster.findPod(namespace, name);
    journal.add(new Undo(namespace, name, before, reserved));
    if (before != null) {
      cluster.remove(ObjectReference.pod(namespace, name));
    }
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
          "checkpoint %d is none of this plan; it has gone %d steps"
              .formatted(checkpoint, journal.size()));
    }
    while (journal.size() > checkpoint) {
      var undo = journal.remove(journal.size() - 1);
      cluster.remove(ObjectReference.pod(undo.namespace(), undo.name()));
      if (undo.reserved() != null) {
        cluster.volumes().restore(undo.reserved());
      }
      if (undo.before() != null) {
        cluster.restore(undo.before());
      }
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
