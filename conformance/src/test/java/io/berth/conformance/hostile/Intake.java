package io.berth.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.FieldException;
import io.berth.conformance.Case;
import io.berth.conformance.Comparison;
import io.berth.conformance.EngineRespondent;
import io.berth.conformance.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An engine that is fed damaged objects.
///
/// A reader may refuse an object, with the field that is wrong; what it lets through the engine
/// takes without an exception, and afterwards the engine decides like one that was never told
/// anything but what is still there.
final class Intake {

  private final EngineRespondent engine = new EngineRespondent();
  private final Map<String, Tree> nodes = new LinkedHashMap<>();
  private final Map<String, Tree> pods = new LinkedHashMap<>();
  private final List<Step.Event> puts = new ArrayList<>();
  private final Case start;
  private int refused;

  Intake(Case start) {
    this.start = start;
    start.objects("nodes").forEach(each -> nodes.put(each.textOrEmpty("metadata", "name"), each));
    start.objects("pods").forEach(each -> pods.put(Step.key(each), each));
    engine.begin(start);
  }

  void putNode(Tree node) {
    if (accepted(new Step.UpdateNode(node))) {
      var name = node.textOrEmpty("metadata", "name");
      // The order in which nodes came matters to images: a replaced node keeps its place.
      nodes.put(name, node);
    }
  }

  void putPod(Tree pod) {
    if (accepted(new Step.UpdatePod(pod))) {
      pods.put(Step.key(pod), pod);
    }
  }

  /// An object that volumes need; the last of a name is the one that counts.
  void put(Tree object) {
    var event = new Step.Put(object);
    if (accepted(event)) {
      puts.add(event);
    }
  }

  void removePod(String key) {
    engine.apply(new Step.RemovePod(key));
    pods.remove(key);
  }

  private boolean accepted(Step.Event event) {
    try {
      engine.apply(event);
      return true;
    } catch (FieldException e) {
      assertThat(e.path()).isNotEmpty();
      refused++;
      return false;
    }
  }

  int refused() {
    return refused;
  }

  /// A damaged pod is decided, or refused by the reader; nothing else can happen.
  void decide(Tree pod) {
    try {
      engine.decide(pod);
    } catch (FieldException e) {
      refused++;
    }
  }

  /// The engine that lived through it all and a fresh one answer the same about a sound pod.
  void checkAgainstFreshStart(Tree probe) {
    var now = start.tree().copy();
    now.put("nodes", new ArrayList<Object>(nodes.values()));
    now.put("pods", new ArrayList<Object>(pods.values()));
    var fresh = new EngineRespondent();
    fresh.begin(Case.of(now.put("steps", List.of())));
    puts.forEach(fresh::apply);
    assertThat(Comparison.differences(fresh.decide(probe), engine.decide(probe))).isEmpty();
  }
}
