package io.berth.conformance;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.NodeReader;
import io.berth.codec.ObjectReader;
import io.berth.codec.PodReader;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Examination;
import io.berth.engine.rule.RuleCatalog;
import org.jspecify.annotations.Nullable;

/// Berth's engine, told a case through the calls a scheduler makes.
public final class EngineRespondent implements Respondent {

  private final RuleCatalog rules;
  private Engine engine;

  public EngineRespondent() {
    this(RuleCatalog.NONE);
  }

  /// With rules beside Kubernetes' own, for cases whose configuration enables them.
  public EngineRespondent(RuleCatalog rules) {
    this.rules = rules;
    this.engine = new Engine(SchedulerConfiguration.DEFAULT, 1, rules);
  }

  @Override
  public void begin(Case start) {
    var config = start.config();
    var configuration =
        config == null ? SchedulerConfiguration.DEFAULT : SchedulerConfigurationReader.read(config);
    engine = new Engine(configuration, 1, rules);
    for (var list : Case.OBJECTS) {
      start.objects(list).forEach(object -> engine.put(read(list, object)));
    }
  }

  private static ClusterObject read(String list, Tree object) {
    return switch (list) {
      case "nodes" -> NodeReader.read(object);
      case "pods" -> pod(object);
      default -> ClusterObjects.read(list, object);
    };
  }

  /// Recorded pods have no uid; one that follows from the name stands in for it.
  private static Pod pod(Tree tree) {
    if (tree.at("metadata", "uid") != null) {
      return PodReader.read(tree);
    }
    var identified = tree.copy();
    identified.child("metadata").put("uid", Step.key(tree));
    return PodReader.read(identified);
  }

  @Override
  public void apply(Step.Event event) {
    switch (event) {
      case Step.AddNode(var node) -> engine.put(NodeReader.read(node));
      case Step.UpdateNode(var node) -> engine.put(NodeReader.read(node));
      case Step.RemoveNode(var name) -> engine.remove(ObjectReference.node(name));
      case Step.AddPod(var pod) -> engine.put(pod(pod));
      case Step.UpdatePod(var pod) -> engine.put(pod(pod));
      case Step.RemovePod(var pod) -> engine.remove(ObjectReference.pod(namespace(pod), name(pod)));
      case Step.UpdateNamespace(var namespace) -> engine.put(ObjectReader.readNamespace(namespace));
      case Step.Nominate(var pod, var node) -> engine.nominate(pod(pod), node);
      case Step.Unnominate(var pod) -> engine.unnominate(namespace(pod), name(pod));
      case Step.Put(var object) -> engine.put(ClusterObjects.read(object));
      case Step.Remove(var object) -> engine.remove(ClusterObjects.reference(object));
    }
  }

  @Override
  public Tree decide(Tree tree) {
    var pod = pod(tree);
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
    engine.assume(pod(tree), node);
    engine.put(pod(Step.placed(tree, node, startTime)));
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
