package io.berth.app;

import io.berth.answers.live.Happening;
import io.berth.answers.live.Hearing;
import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.scheduler.Journal;
import io.berth.scheduler.Knowledge;
import java.util.ArrayList;

/// Passes on to answers what a scheduler tells its journal.
record HearingJournal(Hearing hearing) implements Journal {

  /// From now on everything is passed on; on the scheduler's thread.
  void begin(Knowledge known) {
    var all = new ArrayList<Happening>(known.objects().size());
    known.objects().forEach(object -> all.add(new Happening.Put(object, 0)));
    known.assumed().forEach(each -> all.add(new Happening.Assumed(each.pod(), each.node())));
    known.nominated().forEach(each -> all.add(new Happening.Nominated(each.pod(), each.node())));
    hearing.begin(all);
  }

  @Override
  public void put(ClusterObject object, Tree written) {
    if (!hearing.isDeaf()) {
      hearing.hear(new Happening.Put(object, revision(written)));
    }
  }

  // A text that is no number says nothing of how far the cluster is.
  private static long revision(Tree written) {
    var text = written.textOrEmpty("metadata", "resourceVersion");
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  @Override
  public void removed(ObjectReference reference) {
    hearing.hear(new Happening.Removed(reference));
  }

  @Override
  public void assumed(Pod pod, String node) {
    hearing.hear(new Happening.Assumed(pod, node));
  }

  @Override
  public void forgotten(Pod pod) {
    hearing.hear(new Happening.Forgotten(pod));
  }

  @Override
  public void nominated(Pod pod, String node) {
    hearing.hear(new Happening.Nominated(pod, node));
  }
}
