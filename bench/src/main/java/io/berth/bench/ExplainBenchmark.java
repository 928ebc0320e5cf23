package io.berth.bench;

import io.berth.api.Namespace;
import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.NodeReader;
import io.berth.codec.PodReader;
import io.berth.engine.Engine;
import java.util.Map;

/// What it costs to explain why a pod does not go where it does not, with the pods to blame.
///
/// Every node runs [#PER_NODE] pods. Expected: at most 50 ms on 5,000 nodes whatever the rule,
/// because causes are looked up by term and domain, not by pod and node.
final class ExplainBenchmark {

  private static final int PER_NODE = 21;

  /// A pod and what refuses it; `running` is the spec of the pods that are there, `asked` its own.
  enum Question {
    RESOURCES("{%s}", "{%s}", "3970m"),
    PORTS("{%s}", "{%s}", "1m"),
    SELECTOR("{%s}", "{%s,'nodeSelector':{'disk':'ssd'}}", "1m"),
    AFFINITY("{%s}", "{%s,'affinity':{'podAffinity':" + term("absent", "zone") + "}}", "1m"),
    ANTI_AFFINITY_ZONE(
        "{%s}", "{%s,'affinity':{'podAntiAffinity':" + term("old", "zone") + "}}", "1m"),
    ANTI_AFFINITY_HOSTNAME(
        "{%s}", "{%s,'affinity':{'podAntiAffinity':" + term("old", "host") + "}}", "1m"),
    EXISTING_ZONE("{%s,'affinity':{'podAntiAffinity':" + term("new", "zone") + "}}", "{%s}", "1m"),
    EXISTING_HOSTNAME(
        "{%s,'affinity':{'podAntiAffinity':" + term("new", "host") + "}}", "{%s}", "1m"),
    SPREAD_ZONE("{%s}", "{%s,'topologySpreadConstraints':[" + spread("zone") + "]}", "1m"),
    SPREAD_HOSTNAME("{%s}", "{%s,'topologySpreadConstraints':[" + spread("host") + "]}", "1m"),
    SPREAD_BOTH(
        "{%s}",
        "{%s,'topologySpreadConstraints':[" + spread("zone") + "," + spread("host") + "]}", "1m");

    private final String running;
    private final String asked;
    private final String cpu;

    Question(String running, String asked, String cpu) {
      this.running = running;
      this.asked = asked;
      this.cpu = cpu;
    }

    String shape() {
      return "explain-" + name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    private static String key(String key) {
      return key.equals("zone") ? Templates.ZONE : Templates.HOSTNAME;
    }

    private static String term(String app, String key) {
      return ("{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'%s',"
              + "'labelSelector':{'matchLabels':{'app':'%s'}}}]}")
          .formatted(key(key), app);
    }

    private static String spread(String key) {
      return ("{'maxSkew':1,'topologyKey':'%s','whenUnsatisfiable':'DoNotSchedule',"
              + "'labelSelector':{'matchLabels':{'app':'old'}}}")
          .formatted(key(key));
    }
  }

  private final Question question;
  private final int nodes;
  private final Engine engine = new Engine(SchedulerConfiguration.DEFAULT, 1);

  ExplainBenchmark(int nodes, Question question) {
    this.nodes = nodes;
    this.question = question;
    engine.put(new Namespace("default", Map.of()));
    for (int i = 0; i < nodes; i++) {
      engine.put(NodeReader.read(BenchCluster.node(i, "zone" + i % 3)));
      // Nodes differ in how many pods they run, so that some are fuller than others.
      for (int p = 0; p < PER_NODE + i % 3 - 1; p++) {
        var pod = pod("old-" + i + "-" + p, "old", question.running, "100m");
        engine.put(pod.withNodeName(BenchCluster.nodeName(i)));
      }
    }
  }

  private Pod pod(String name, String app, String spec, String cpu) {
    var port = question == Question.PORTS ? ",'ports':[{'hostPort':80,'containerPort':80}]" : "";
    var container =
        "'containers':[{'name':'c','image':'i'%s,'resources':{'requests':{'cpu':'%s'}}}]"
            .formatted(name.endsWith("-0") || app.equals("new") ? port : "", cpu);
    var text =
        "{'metadata':{'namespace':'default','name':'%s','labels':{'app':'%s'}},'spec':%s}"
            .formatted(name, app, spec.formatted(container));
    return PodReader.read(Json.read(text.replace('\'', '"')));
  }

  Tree run(double seconds) {
    var asked = pod("asked", "new", question.asked, question.cpu);
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
