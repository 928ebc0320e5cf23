package io.berth.bench;

import io.berth.api.Namespace;
import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.ClusterKind;
import io.berth.codec.Json;
import io.berth.codec.NodeReader;
import io.berth.codec.PodReader;
import io.berth.engine.Engine;
import java.util.List;
import java.util.Map;

/// What it costs to explain why a pod does not go where it does not, with the pods to blame.
///
/// Every node runs [#PER_NODE] pods. Expected: at most 50 ms of processor time on 5,000 nodes
/// whatever the rule, because causes are looked up by term and domain, not by pod and node.
final class ExplainBenchmark {

  private static final int PER_NODE = 21;

  private final ExplainQuestion question;
  private final int nodes;
  private final Engine engine = new Engine(SchedulerConfiguration.DEFAULT, 1);

  ExplainBenchmark(int nodes, ExplainQuestion question) {
    this.nodes = nodes;
    this.question = question;
    engine.put(new Namespace("default", Map.of()));
    put(question.objects());
    for (int i = 0; i < nodes; i++) {
      var node = BenchCluster.node(i, "zone" + i % 3);
      engine.put(NodeReader.read(node.put("spec", json(question.nodeSpec()))));
      put(question.objectsOf(i));
      // Nodes differ in how many pods they run, so that some are fuller than others.
      for (int p = 0; p < PER_NODE + i % 3 - 1; p++) {
        put(question.objectsOf(i, p));
        var pod = PodReader.read(json(question.runningPod(i, p)));
        engine.put(pod.withNodeName(BenchCluster.nodeName(i)));
      }
    }
  }

  private void put(List<String> objects) {
    for (var object : objects) {
      var tree = json(object);
      engine.put(ClusterKind.find(tree.textOrEmpty("kind")).orElseThrow().read(tree));
    }
  }

  private static Tree json(String text) {
    return Json.read(text.replace('\'', '"'));
  }

  Tree run(double seconds) {
    var asked = PodReader.read(json(question.askedPod()));
    ask(asked, new Samples(), seconds / 2);
    var samples = new Samples();
    ask(asked, samples, seconds);
    return samples.toTree(question.shape(), nodes, nodes * PER_NODE);
  }

  private void ask(Pod asked, Samples samples, double seconds) {
    samples.begin();
    do {
      samples.measure(() -> ask(asked));
    } while (samples.seconds() < seconds);
    samples.end();
  }

  private void ask(Pod asked) {
    if (engine.explain(asked).obstacles().isEmpty()) {
      throw new IllegalStateException("the benchmark must measure an explanation");
    }
  }
}
