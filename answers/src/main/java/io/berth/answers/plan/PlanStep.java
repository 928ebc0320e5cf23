package io.berth.answers.plan;

import io.berth.answers.source.Manifest;
import io.berth.api.ObjectReference;
import io.berth.api.Tree;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Something that happens to a cluster; the one vocabulary of `berth plan` and placement tests.
public sealed interface PlanStep {

  /// `apply: [FILE]`: what the files say is there.
  record Apply(List<Manifest> manifests) implements PlanStep {

    public Apply {
      manifests = List.copyOf(manifests);
    }
  }

  /// `delete: {kind, namespace, name}`.
  record Delete(ObjectReference object) implements PlanStep {}

  /// `scale: {kind, namespace, name, replicas}`.
  record Scale(ObjectReference object, long replicas) implements PlanStep {}

  /// `lose: {zone}|{node}|{labels}`: what `berth zone|node fail` does.
  record Lose(NodeChoice nodes) implements PlanStep {}

  /// `drain: …`: what `kubectl drain` does, within budgets.
  record Drain(NodeChoice nodes) implements PlanStep {}

  /// `cordon: …` and `uncordon: …`.
  record Cordon(NodeChoice nodes, boolean closed) implements PlanStep {}

  /// `label: {node, set: {KEY: VALUE}, remove: [KEY]}`.
  record Relabel(String node, Map<String, String> set, List<String> remove) implements PlanStep {

    public Relabel {
      set = Map.copyOf(set);
      remove = List.copyOf(remove);
    }
  }

  /// `taint: {node, set: [{key, value, effect}], remove: [KEY | KEY:EFFECT]}`.
  record Retaint(String node, List<Tree> set, List<String> remove) implements PlanStep {

    public Retaint {
      set = List.copyOf(set);
      remove = List.copyOf(remove);
    }
  }

  /// `addNodes: [FILE]` and `fleet: {…}`.
  record AddNodes(List<Manifest> nodes) implements PlanStep {

    public AddNodes {
      nodes = List.copyOf(nodes);
    }
  }

  /// `pod: {name, namespace, labels, cpu, memory, gpu, spec}`.
  record AddPod(Manifest pod) implements PlanStep {}

  /// `passes: 10m`: nothing but time. On the engine alone, nothing follows from it.
  record Passes(Duration time) implements PlanStep {}
}
