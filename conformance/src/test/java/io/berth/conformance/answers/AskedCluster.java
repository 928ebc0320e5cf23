package io.berth.conformance.answers;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Origin;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.ObjectReference;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.conformance.Case;
import io.berth.conformance.Step;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The cluster of a case, followed step by step, as objects that a survey takes.
final class AskedCluster {

  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("namespaces", "Namespace"),
          Map.entry("storageClasses", "StorageClass"),
          Map.entry("persistentVolumes", "PersistentVolume"),
          Map.entry("persistentVolumeClaims", "PersistentVolumeClaim"),
          Map.entry("csiNodes", "CSINode"),
          Map.entry("csiDrivers", "CSIDriver"),
          Map.entry("csiStorageCapacities", "CSIStorageCapacity"),
          Map.entry("volumeAttachments", "VolumeAttachment"),
          Map.entry("pdbs", "PodDisruptionBudget"),
          Map.entry("services", "Service"),
          Map.entry("replicationControllers", "ReplicationController"),
          Map.entry("replicaSets", "ReplicaSet"),
          Map.entry("statefulSets", "StatefulSet"),
          Map.entry("nodes", "Node"),
          Map.entry("pods", "Pod"));

  private final Map<ObjectReference, Manifest> objects = new LinkedHashMap<>();
  private final SchedulerConfiguration configuration;

  AskedCluster(Case asked) {
    var config = asked.config();
    this.configuration =
        config == null ? SchedulerConfiguration.DEFAULT : SchedulerConfigurationReader.read(config);
    for (var list : Case.OBJECTS) {
      asked.objects(list).forEach(object -> put(Objects.requireNonNull(KINDS.get(list)), object));
    }
  }

  private void put(String kind, Tree object) {
    var manifest = manifest(kind, object);
    objects.put(manifest.reference(), manifest);
  }

  static Manifest manifest(String kind, Tree object) {
    var tree = object.copy().put("kind", kind);
    tree.putIfAbsent("apiVersion", "v1");
    return new Manifest(tree, new Origin("case", 1));
  }

  void apply(Step.Event event) {
    switch (event) {
      case Step.AddNode(var node) -> put("Node", node);
      case Step.UpdateNode(var node) -> put("Node", node);
      case Step.RemoveNode(var name) -> objects.remove(ObjectReference.node(name));
      case Step.AddPod(var pod) -> put("Pod", pod);
      case Step.UpdatePod(var pod) -> put("Pod", pod);
      case Step.RemovePod(var pod) -> objects.remove(pod(pod));
      case Step.UpdateNamespace(var namespace) -> put("Namespace", namespace);
      case Step.Nominate(var pod, var node) -> {
        var waiting = pod.copy();
        waiting.child("status").put("nominatedNodeName", node);
        put("Pod", waiting);
      }
      case Step.Unnominate(var pod) -> objects.remove(pod(pod));
      case Step.Put(var object) -> put(object.textOrEmpty("kind"), object);
      case Step.Remove(var object) -> {
        var parts = object.split("/", 3);
        objects.remove(
            parts.length == 2
                ? new ObjectReference(parts[0], "", parts[1])
                : new ObjectReference(parts[0], parts[1], parts[2]));
      }
    }
  }

  private static ObjectReference pod(String key) {
    int slash = key.indexOf('/');
    return ObjectReference.pod(key.substring(0, slash), key.substring(slash + 1));
  }

  /// What is asked about, with the pod that waits in it.
  Survey survey(Tree pod) {
    var settings = Survey.Settings.DEFAULT.withConfiguration(configuration);
    return Survey.of(objects.values(), settings, List.of()).with(List.of(manifest("Pod", pod)));
  }

  static SurveyedPod subject(Survey survey, Tree pod) {
    return survey
        .findPod(pod.textOrEmpty("metadata", "namespace"), pod.textOrEmpty("metadata", "name"))
        .orElseThrow();
  }

  /// The pod runs, or was never there.
  void settle(Step.Decide decide) {
    objects.remove(pod(key(decide.pod())));
    var node = decide.assume();
    if (node != null) {
      var placed = decide.pod().copy();
      placed.child("spec").put("nodeName", node);
      placed.child("status").remove("nominatedNodeName");
      if (decide.startTime() != null) {
        placed.child("status").put("startTime", decide.startTime());
      }
      put("Pod", placed);
    }
  }

  private static String key(Tree pod) {
    return pod.textOrEmpty("metadata", "namespace") + "/" + pod.textOrEmpty("metadata", "name");
  }
}
