package io.berth.scheduler;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.engine.Decision;
import io.berth.engine.Extension.Answers;
import io.berth.engine.Scored;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Tells one journal, then the other.
record BothJournals(Journal first, Journal second) implements Journal {

  @Override
  public void put(ClusterObject object, Tree written) {
    first.put(object, written);
    second.put(object, written);
  }

  @Override
  public void removed(ObjectReference reference) {
    first.removed(reference);
    second.removed(reference);
  }

  @Override
  public void decided(Pod pod, Decision decision, Function<Pod, List<Scored>> best) {
    first.decided(pod, decision, best);
    second.decided(pod, decision, best);
  }

  @Override
  public void extended(Pod pod, Decision decision, @Nullable Answers said) {
    first.extended(pod, decision, said);
    second.extended(pod, decision, said);
  }

  @Override
  public void groupDecided(List<Pod> pods, List<Decision> decisions, Map<String, Answers> said) {
    first.groupDecided(pods, decisions, said);
    second.groupDecided(pods, decisions, said);
  }

  @Override
  public void assumed(Pod pod, String node) {
    first.assumed(pod, node);
    second.assumed(pod, node);
  }

  @Override
  public void forgotten(Pod pod) {
    first.forgotten(pod);
    second.forgotten(pod);
  }

  @Override
  public void nominated(Pod pod, String node) {
    first.nominated(pod, node);
    second.nominated(pod, node);
  }
}
