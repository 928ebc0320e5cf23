package io.berth.conformance;

import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.NodeReader;
import io.berth.codec.ObjectReader;
import io.berth.codec.PodReader;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.codec.VolumeReader;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Examination;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Berth's engine, told a case through the calls a scheduler makes.
public final class EngineRespondent implements Respondent {

  /// The engine reads the clock only for pods without a start time.
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-02T00:00:00Z"));

  private Engine engine = new Engine(SchedulerConfiguration.DEFAULT, CLOCK, 1);

  @Override
  public void begin(Case start) {
    var config = start.config();
    var configuration =
        config == null ? SchedulerConfiguration.DEFAULT : SchedulerConfigurationReader.read(config);
    engine = new Engine(configuration, CLOCK, 1);
    Case.OBJECTS.forEach(kind -> start.objects(kind).forEach(object -> put(kind, object)));
  }

  private void put(String kind, Tree object) {
    switch (kind) {
      case "namespaces" -> engine.putNamespace(ObjectReader.readNamespace(object));
      case "storageClasses" -> engine.putStorageClass(VolumeReader.readClass(object));
      case "persistentVolumes" -> engine.putVolume(VolumeReader.readVolume(object));
      case "persistentVolumeClaims" -> engine.putClaim(VolumeReader.readClaim(object));
      case "csiNodes" -> engine.putCsiNode(VolumeReader.readCsiNode(object));
      case "pdbs" -> engine.putBudget(ObjectReader.readBudget(object));
      case "services" -> engine.putOwner(ObjectReader.readMapOwner("Service", object));
      case "replicationControllers" ->
          engine.putOwner(ObjectReader.readMapOwner("ReplicationController", object));
      case "replicaSets" -> engine.putOwner(ObjectReader.readSelectorOwner("ReplicaSet", object));
      case "statefulSets" -> engine.putOwner(ObjectReader.readSelectorOwner("StatefulSet", object));
      case "nodes" -> engine.putNode(NodeReader.read(object));
      case "pods" -> engine.putPod(PodReader.read(object));
      default -> throw new IllegalStateException(kind);
    }
  }

  @Override
  public void apply(Step.Event event) {
    switch (event) {
      case Step.AddNode(var node) -> engine.putNode(NodeReader.read(node));
      case Step.UpdateNode(var node) -> engine.putNode(NodeReader.read(node));
      case Step.RemoveNode(var name) -> engine.removeNode(name);
      case Step.AddPod(var pod) -> engine.putPod(PodReader.read(pod));
      case Step.UpdatePod(var pod) -> engine.putPod(PodReader.read(pod));
      case Step.RemovePod(var pod) -> engine.removePod(namespace(pod), name(pod));
      case Step.UpdateNamespace(var namespace) ->
          engine.putNamespace(ObjectReader.readNamespace(namespace));
      case Step.Nominate(var pod, var node) -> engine.nominate(PodReader.read(pod), node);
      case Step.Unnominate(var pod) -> engine.unnominate(namespace(pod), name(pod));
    }
  }

  @Override
  public Tree decide(Tree tree) {
    var pod = PodReader.read(tree);
    engine.unnominate(pod.namespace(), pod.name());
    var examination = engine.examine(pod);
    var answer = new RecordedForm(examination).toTree();
    var contradiction = contradiction(examination, engine.decide(pod));
    return contradiction == null ? answer : answer.put("contradiction", contradiction);
  }

  /// How the quick decision is not the examined one, or `null`: the two share no code above the
  /// rules, so every replay checks one against the other.
  private static @Nullable String contradiction(Examination examined, Decision decision) {
    boolean same =
        switch (decision) {
          case Decision.Placed(var node, var feasible) ->
              examined.best().contains(node) && feasible == examined.feasible().size();
          case Decision.Unschedulable unschedulable -> unschedulable.equals(examined.decision());
          case Decision.Failed(var error) -> error.equals(examined.error());
        };
    return same ? null : "decided %s, examined %s".formatted(decision, examined.decision());
  }

  @Override
  public void place(Tree tree, String node, @Nullable String startTime) {
    engine.assume(PodReader.read(tree), node);
    engine.putPod(PodReader.read(Step.placed(tree, node, startTime)));
  }

  @Override
  public void discard(Tree pod) {}

  private static String namespace(String key) {
    return key.substring(0, key.indexOf('/'));
  }

  private static String name(String key) {
    return key.substring(key.indexOf('/') + 1);
  }
}
