package io.berth.codec;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A kind of object that scheduling follows, and how it is read.
///
/// @param everywhere whether every cluster serves it to a scheduler
public record ClusterKind(
    Resource resource, boolean everywhere, Function<Tree, ? extends ClusterObject> reader) {

  public static final ClusterKind POD = everywhere(Resource.PODS, PodReader::read);

  /// All kinds. Pods are the last: they are better decided about with everything else known.
  public static final List<ClusterKind> ALL =
      List.of(
          everywhere(Resource.NAMESPACES, ObjectReader::readNamespace),
          everywhere(Resource.NODES, NodeReader::read),
          everywhere(Resource.STORAGE_CLASSES, VolumeReader::readClass),
          everywhere(Resource.CSI_NODES, VolumeReader::readCsiNode),
          everywhere(Resource.PERSISTENT_VOLUMES, VolumeReader::readVolume),
          everywhere(Resource.PERSISTENT_VOLUME_CLAIMS, VolumeReader::readClaim),
          everywhere(Resource.POD_DISRUPTION_BUDGETS, ObjectReader::readBudget),
          somewhere(Resource.CSI_DRIVERS, VolumeReader::readCsiDriver),
          somewhere(Resource.CSI_STORAGE_CAPACITIES, VolumeReader::readCapacity),
          somewhere(Resource.VOLUME_ATTACHMENTS, VolumeReader::readAttachment),
          somewhere(Resource.POD_GROUPS, ObjectReader::readPodGroup),
          selectingByMap(Resource.SERVICES),
          selectingByMap(Resource.REPLICATION_CONTROLLERS),
          selecting(Resource.REPLICA_SETS),
          selecting(Resource.STATEFUL_SETS),
          POD);

  /// The kind of this name, if scheduling follows it.
  public static Optional<ClusterKind> find(String kind) {
    return ALL.stream().filter(each -> each.name().equals(kind)).findFirst();
  }

  /// As objects name it in their field `kind`.
  public String name() {
    return resource.kind();
  }

  public ClusterObject read(Tree object) {
    return reader.apply(object);
  }

  /// Names the object that was read, or would have been.
  public ObjectReference referenceTo(Tree object) {
    return new ObjectReference(
        name(),
        resource.namespaced() ? namespaceOf(object) : "",
        object.textOrEmpty("metadata", "name"));
  }

  // As readers do: an object of a namespace that names none is in this one.
  private static String namespaceOf(Tree object) {
    var namespace = object.textOrEmpty("metadata", "namespace");
    return namespace.isEmpty() ? "default" : namespace;
  }

  private static ClusterKind everywhere(
      Resource resource, Function<Tree, ? extends ClusterObject> reader) {
    return new ClusterKind(resource, true, reader);
  }

  private static ClusterKind somewhere(
      Resource resource, Function<Tree, ? extends ClusterObject> reader) {
    return new ClusterKind(resource, false, reader);
  }

  private static ClusterKind selectingByMap(Resource resource) {
    return everywhere(resource, tree -> ObjectReader.readMapOwner(resource.kind(), tree));
  }

  private static ClusterKind selecting(Resource resource) {
    return everywhere(resource, tree -> ObjectReader.readSelectorOwner(resource.kind(), tree));
  }
}
