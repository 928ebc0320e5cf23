package io.berth.scheduler;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.Informer;
import io.berth.codec.ClusterKind;
import io.berth.codec.FieldException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Turns what watches see into steps for the loop's thread: reading happens here, deciding there.
final class Feed implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Feed.class);

  // As in kube-scheduler: finished pods take no place, so nobody looks at them.
  private static final Selection UNFINISHED =
      Selection.fields("status.phase!=Succeeded,status.phase!=Failed");

  private static final Selection BOUND =
      Selection.fields(UNFINISHED.fieldSelector() + ",spec.nodeName!=");

  private final Cluster cluster;
  private final Inbox inbox;
  private final Journal journal;
  private final List<Informer> informers = new ArrayList<>();

  Feed(Cluster cluster, Inbox inbox, Journal journal) {
    this.cluster = cluster;
    this.inbox = inbox;
    this.journal = journal;
  }

  /// Starts all watches and returns when every first list has been handed over.
  void start() throws InterruptedException {
    for (var kind : ClusterKind.ALL) {
      if (kind.equals(ClusterKind.POD)) {
        // Pods are read when everything they are placed among is known.
        awaitSynced();
        follow(kind, UNFINISHED);
      } else if (kind.everywhere() || isServed(kind.resource())) {
        follow(kind, Selection.ALL);
      }
    }
    awaitSynced();
  }

  /// Returns when the loop has been handed every pod as it is in the API now: a watch may be behind
  /// what another scheduler has just bound.
  void catchUp() throws InterruptedException {
    long newest = 0;
    for (var pod : cluster.list(Resource.PODS, "", BOUND).items()) {
      newest = Math.max(newest, Long.parseLong(pod.textOrEmpty("metadata", "resourceVersion")));
    }
    informers.getLast().awaitRevision(newest);
  }

  @Override
  public void close() {
    informers.forEach(Informer::close);
  }

  // Not every cluster has all kinds; of pod groups, the label of pods takes the place.
  private boolean isServed(Resource resource) {
    try {
      cluster.list(resource, "", Selection.labels("berth.io/none=none"));
      return true;
    } catch (ApiException e) {
      return e.code() != 404 && e.code() != 403;
    }
  }

  private void follow(ClusterKind kind, Selection selection) {
    var informer = new Informer(cluster, kind.resource(), selection);
    informer.on(new KindHandler(kind));
    informers.add(informer.keepingNames());
    informer.start();
  }

  /// Hands over the objects of one kind.
  private final class KindHandler implements Informer.Handler {

    private final ClusterKind kind;

    KindHandler(ClusterKind kind) {
      this.kind = kind;
    }

    @Override
    public void changed(@Nullable Tree previous, Tree object) {
      try {
        var value = kind.read(object);
        inbox.add(world -> {
          journal.put(value, object);
          world.put(value);
        });
      } catch (FieldException e) {
        var key = kind.referenceTo(object).key();
        log.warn("{} {} cannot be read and is ignored: {}", kind.name(), key, e.getMessage());
      }
    }

    @Override
    public void removed(Tree object) {
      inbox.add(world -> {
        var reference = kind.referenceTo(object);
        journal.removed(reference);
        world.remove(reference);
      });
    }
  }

  private void awaitSynced() throws InterruptedException {
    for (var informer : informers) {
      informer.awaitSynced();
    }
  }
}
