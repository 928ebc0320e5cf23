package io.berth.scheduler;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A cluster whose watch of pods can be held back, and where something happens before or after a
/// write.
final class LaggingCluster implements Cluster {

  private final Cluster cluster;
  private final List<Runnable> late = new ArrayList<>();
  private final List<Watcher> podWatches = new ArrayList<>();
  private boolean held;
  private boolean releases;
  private volatile Runnable beforeBinds = () -> {};
  private volatile Runnable beforePatches = () -> {};
  private volatile Runnable afterCreations = () -> {};
  private volatile Runnable afterFirstPod = () -> {};

  LaggingCluster(Cluster cluster) {
    this.cluster = cluster;
  }

  /// From now on nothing comes from the watch of pods.
  synchronized void hold() {
    held = true;
  }

  /// What was held back comes after the next list of pods has been read.
  synchronized void releaseAtNextList() {
    releases = true;
  }

  /// What was held back never comes: the watch has expired.
  synchronized void expire() {
    held = false;
    late.clear();
    podWatches.forEach(watcher -> watcher.ended(true));
    podWatches.clear();
  }

  void beforeBinds(Runnable wait) {
    beforeBinds = wait;
  }

  /// Lists of pods are handed over one by one, and this happens after the first.
  void afterFirstPod(Runnable act) {
    afterFirstPod = act;
  }

  void afterCreations(Runnable act) {
    afterCreations = act;
  }

  void beforePatches(Runnable act) {
    beforePatches = act;
  }

  private synchronized void pass(Runnable news) {
    if (held) {
      late.add(news);
    } else {
      news.run();
    }
  }

  private synchronized void listed() {
    if (releases) {
      held = false;
      late.forEach(Runnable::run);
      late.clear();
    }
  }

  @Override
  public Page list(Resource resource, String namespace, Selection selection) {
    var page = cluster.list(resource, namespace, selection);
    if (resource.equals(Resource.PODS)) {
      listed();
      return new Page(page.revision(), new Halting(page.items()));
    }
    return page;
  }

  private final class Halting extends AbstractList<Tree> {

    private final List<Tree> items;

    Halting(List<Tree> items) {
      this.items = items;
    }

    @Override
    public Tree get(int index) {
      if (index == 1) {
        afterFirstPod.run();
      }
      return items.get(index);
    }

    @Override
    public int size() {
      return items.size();
    }
  }

  @Override
  public Watch watch(
      Resource resource,
      String namespace,
      Selection selection,
      String afterRevision,
      Watcher watcher) {
    var seen = resource.equals(Resource.PODS) ? late(watcher) : watcher;
    return cluster.watch(resource, namespace, selection, afterRevision, seen);
  }

  private synchronized Watcher late(Watcher watcher) {
    podWatches.add(watcher);
    return new Late(watcher);
  }

  private final class Late implements Watcher {

    private final Watcher watcher;

    Late(Watcher watcher) {
      this.watcher = watcher;
    }

    @Override
    public void added(Tree object) {
      pass(() -> watcher.added(object));
    }

    @Override
    public void modified(Tree object) {
      pass(() -> watcher.modified(object));
    }

    @Override
    public void deleted(Tree object) {
      pass(() -> watcher.deleted(object));
    }

    @Override
    public void ended(boolean expired) {
      watcher.ended(expired);
    }
  }

  @Override
  public Tree post(
      Resource resource, String namespace, String name, String subresource, Tree body) {
    beforeBinds.run();
    return cluster.post(resource, namespace, name, subresource, body);
  }

  @Override
  public Tree fetch(Resource resource, String namespace, String name) {
    return cluster.fetch(resource, namespace, name);
  }

  @Override
  public Tree create(Resource resource, Tree object) {
    var created = cluster.create(resource, object);
    afterCreations.run();
    return created;
  }

  @Override
  public Tree update(Resource resource, @Nullable String subresource, Tree object) {
    return cluster.update(resource, subresource, object);
  }

  @Override
  public Tree patch(
      Resource resource,
      String namespace,
      String name,
      @Nullable String subresource,
      PatchType type,
      Object patch) {
    beforePatches.run();
    return cluster.patch(resource, namespace, name, subresource, type, patch);
  }

  @Override
  public void delete(Resource resource, String namespace, String name, DeleteOptions options) {
    cluster.delete(resource, namespace, name, options);
  }
}
