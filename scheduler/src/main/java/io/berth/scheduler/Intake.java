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

/// What the loop is told of the cluster, on its own thread.
interface Intake {

  void putPod(Pod pod);

  void removePod(String namespace, String name);

  void putPodGroup(PodGroup group);

  void removePodGroup(String namespace, String name);

  void putNode(Node node);

  void removeNode(String name);

  void putNamespace(Namespace namespace);

  void removeNamespace(String name);

  void putBudget(PodDisruptionBudget budget);

  void removeBudget(String namespace, String name);

  void putOwner(SelectorOwner owner);

  void removeOwner(String kind, String namespace, String name);

  void putClaim(PersistentVolumeClaim claim);

  void removeClaim(String namespace, String name);

  void putVolume(PersistentVolume volume);

  void removeVolume(String name);

  void putStorageClass(StorageClass storageClass);

  void removeStorageClass(String name);

  void putCsiDriver(CsiDriver driver);

  void removeCsiDriver(String name);

  void putStorageCapacity(CsiStorageCapacity capacity);

  void removeStorageCapacity(String namespace, String name);

  void putAttachment(VolumeAttachment attachment);

  void removeAttachment(String name);

  void putCsiNode(CsiNode node);

  void removeCsiNode(String name);
}
