package io.berth.scheduler;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.Informer;
import io.berth.codec.FieldException;
import io.berth.codec.NodeReader;
import io.berth.codec.ObjectReader;
import io.berth.codec.PodReader;
import io.berth.codec.VolumeReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
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
    follow(Resource.NAMESPACES, ObjectReader::readNamespace, World::putNamespace);
    onRemoval((world, tree) -> world.removeNamespace(name(tree)));
    follow(Resource.NODES, NodeReader::read, World::putNode);
    onRemoval((world, tree) -> world.removeNode(name(tree)));
    follow(
        Resource.STORAGE_CLASSES,
        VolumeReader::readClass,
        (world, it) -> world.volumes().putStorageClass(it));
    onRemoval((world, tree) -> world.volumes().removeStorageClass(name(tree)));
    follow(
        Resource.CSI_NODES,
        VolumeReader::readCsiNode,
        (world, it) -> world.volumes().putCsiNode(it));
    onRemoval((world, tree) -> world.volumes().removeCsiNode(name(tree)));
    follow(
        Resource.PERSISTENT_VOLUMES,
        VolumeReader::readVolume,
        (world, it) -> world.volumes().putVolume(it));
    onRemoval((world, tree) -> world.volumes().removeVolume(name(tree)));
    follow(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        VolumeReader::readClaim,
        (world, it) -> world.volumes().putClaim(it));
    onRemoval((world, tree) -> world.volumes().removeClaim(namespace(tree), name(tree)));
    follow(Resource.POD_DISRUPTION_BUDGETS, ObjectReader::readBudget, World::putBudget);
    onRemoval((world, tree) -> world.removeBudget(namespace(tree), name(tree)));
    if (isServed(Resource.CSI_DRIVERS)) {
      follow(
          Resource.CSI_DRIVERS,
          VolumeReader::readCsiDriver,
          (world, it) -> world.volumes().putCsiDriver(it));
      onRemoval((world, tree) -> world.volumes().removeCsiDriver(name(tree)));
    }
    if (isServed(Resource.CSI_STORAGE_CAPACITIES)) {
      follow(
          Resource.CSI_STORAGE_CAPACITIES,
          VolumeReader::readCapacity,
          (world, it) -> world.volumes().putStorageCapacity(it));
      onRemoval(
          (world, tree) -> world.volumes().removeStorageCapacity(namespace(tree), name(tree)));
    }
    if (isServed(Resource.VOLUME_ATTACHMENTS)) {
      follow(
          Resource.VOLUME_ATTACHMENTS,
          VolumeReader::readAttachment,
          (world, it) -> world.volumes().putAttachment(it));
      onRemoval((world, tree) -> world.volumes().removeAttachment(name(tree)));
    }
    if (isServed(Resource.POD_GROUPS)) {
      follow(Resource.POD_GROUPS, ObjectReader::readPodGroup, World::putPodGroup);
      onRemoval((world, tree) -> world.removePodGroup(namespace(tree), name(tree)));
    }
    owners(Resource.SERVICES, true);
    owners(Resource.REPLICATION_CONTROLLERS, true);
    owners(Resource.REPLICA_SETS, false);
    owners(Resource.STATEFUL_SETS, false);
    // Nodes, namespaces and claims first: a pod is better decided about with all of them known.
    awaitSynced();
    add(new Informer(cluster, Resource.PODS, UNFINISHED), PodReader::read, World::putPod);
    onRemoval((world, tree) -> world.removePod(namespace(tree), name(tree)));
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

  private void owners(Resource resource, boolean selectsByMap) {
    Function<Tree, io.berth.api.SelectorOwner> read =
        selectsByMap
            ? tree -> ObjectReader.readMapOwner(resource.kind(), tree)
            : tree -> ObjectReader.readSelectorOwner(resource.kind(), tree);
    follow(resource, read, World::putOwner);
    onRemoval((world, tree) -> world.removeOwner(resource.kind(), namespace(tree), name(tree)));
  }

  private <T> void follow(Resource resource, Function<Tree, T> read, BiConsumer<World, T> put) {
    add(new Informer(cluster, resource), read, put);
  }

  private <T> void add(Informer informer, Function<Tree, T> read, BiConsumer<World, T> put) {
    informer.on(
        new Informer.Handler() {
          @Override
          public void changed(@Nullable Tree previous, Tree object) {
            try {
              var value = read.apply(object);
              inbox.add(world -> {
                journal.put(object);
                put.accept(world, value);
              });
            } catch (FieldException e) {
              log.warn(
                  "{} {}/{} cannot be read and is ignored: {}",
                  object.textOrEmpty("kind"),
                  namespace(object),
                  name(object),
                  e.getMessage());
            }
          }

          @Override
          public void removed(Tree object) {}
        });
    informers.add(informer.keepingNames());
  }

  private void onRemoval(BiConsumer<World, Tree> remove) {
    var informer = informers.getLast();
    var resource = informer.resource();
    informer
        .on(
            new Informer.Handler() {
              @Override
              public void changed(@Nullable Tree previous, Tree object) {}

              @Override
              public void removed(Tree object) {
                inbox.add(world -> {
                  journal.removed(typed(resource, object));
                  remove.accept(world, object);
                });
              }
            })
        .start();
  }

  // What an informer remembers of an object that went while nobody watched is its name.
  private static Tree typed(Resource resource, Tree object) {
    return object.has("kind") ? object : object.copy().put("kind", resource.kind());
  }

  private void awaitSynced() throws InterruptedException {
    for (var informer : informers) {
      informer.awaitSynced();
    }
  }

  private static String name(Tree object) {
    return object.textOrEmpty("metadata", "name");
  }

  private static String namespace(Tree object) {
    return object.textOrEmpty("metadata", "namespace");
  }
}
