package io.berth.scheduler;

import io.berth.api.CsiDriver;
import io.berth.api.CsiNode;
import io.berth.api.CsiStorageCapacity;
import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.PodGroup;
import io.berth.api.SelectorOwner;
import io.berth.api.StorageClass;
import io.berth.api.VolumeAttachment;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/// Hands calls from any thread to the loop's thread, in order.
final class Inbox implements Intake {

  /// Steps that may wait before a feed has to: a list of a large cluster comes faster than it is
  /// taken in.
  private static final int LIMIT = 1 << 16;

  private final LinkedBlockingQueue<Consumer<World>> steps = new LinkedBlockingQueue<>(LIMIT);

  LinkedBlockingQueue<Consumer<World>> steps() {
    return steps;
  }

  void add(Consumer<World> step) {
    try {
      steps.put(step);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void putPod(Pod pod) {
    add(world -> world.putPod(pod));
  }

  @Override
  public void removePod(String namespace, String name) {
    add(world -> world.removePod(namespace, name));
  }

  @Override
  public void putPodGroup(PodGroup group) {
    add(world -> world.putPodGroup(group));
  }

  @Override
  public void removePodGroup(String namespace, String name) {
    add(world -> world.removePodGroup(namespace, name));
  }

  @Override
  public void putNode(Node node) {
    add(world -> world.putNode(node));
  }

  @Override
  public void removeNode(String name) {
    add(world -> world.removeNode(name));
  }

  @Override
  public void putNamespace(Namespace namespace) {
    add(world -> world.putNamespace(namespace));
  }

  @Override
  public void removeNamespace(String name) {
    add(world -> world.removeNamespace(name));
  }

  @Override
  public void putBudget(PodDisruptionBudget budget) {
    add(world -> world.putBudget(budget));
  }

  @Override
  public void removeBudget(String namespace, String name) {
    add(world -> world.removeBudget(namespace, name));
  }

  @Override
  public void putOwner(SelectorOwner owner) {
    add(world -> world.putOwner(owner));
  }

  @Override
  public void removeOwner(String kind, String namespace, String name) {
    add(world -> world.removeOwner(kind, namespace, name));
  }

  @Override
  public void putClaim(PersistentVolumeClaim claim) {
    add(world -> world.putClaim(claim));
  }

  @Override
  public void removeClaim(String namespace, String name) {
    add(world -> world.removeClaim(namespace, name));
  }

  @Override
  public void putVolume(PersistentVolume volume) {
    add(world -> world.putVolume(volume));
  }

  @Override
  public void removeVolume(String name) {
    add(world -> world.removeVolume(name));
  }

  @Override
  public void putStorageClass(StorageClass storageClass) {
    add(world -> world.putStorageClass(storageClass));
  }

  @Override
  public void removeStorageClass(String name) {
    add(world -> world.removeStorageClass(name));
  }

  @Override
  public void putCsiDriver(CsiDriver driver) {
    add(world -> world.putCsiDriver(driver));
  }

  @Override
  public void removeCsiDriver(String name) {
    add(world -> world.removeCsiDriver(name));
  }

  @Override
  public void putStorageCapacity(CsiStorageCapacity capacity) {
    add(world -> world.putStorageCapacity(capacity));
  }

  @Override
  public void removeStorageCapacity(String namespace, String name) {
    add(world -> world.removeStorageCapacity(namespace, name));
  }

  @Override
  public void putAttachment(VolumeAttachment attachment) {
    add(world -> world.putAttachment(attachment));
  }

  @Override
  public void removeAttachment(String name) {
    add(world -> world.removeAttachment(name));
  }

  @Override
  public void putCsiNode(CsiNode node) {
    add(world -> world.putCsiNode(node));
  }

  @Override
  public void removeCsiNode(String name) {
    add(world -> world.removeCsiNode(name));
  }
}
