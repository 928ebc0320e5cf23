package io.berth.junit;

import io.berth.answers.plan.PlanStepReader;
import io.berth.answers.source.ManifestReader;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.codec.Yaml;
import io.berth.controllers.kubelet.NodeFleet;
import io.berth.placement.check.CheckOutlines;
import io.berth.placement.check.Situation;
import io.berth.placement.run.Situations;
import io.berth.placement.run.StepTaker;
import io.berth.placement.run.TestFailure;
import io.berth.placement.virtual.VirtualCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// A cluster in virtual time, at rest whenever a method has returned. Used by one thread at a time.
public final class TestCluster implements AutoCloseable {

  private final VirtualCluster cluster = VirtualCluster.start(VirtualCluster.Options.DEFAULT);
  private final Situations situations = new Situations(cluster, VirtualCluster.Options.DEFAULT);
  private final Situation begin = situations.situation(null);

  TestCluster() {}

  /// Applies manifests in YAML or JSON, as `kubectl apply` does.
  public TestCluster apply(String manifests) {
    ManifestReader.read("manifest", manifests).forEach(manifest -> cluster.apply(manifest.tree()));
    cluster.rest();
    return this;
  }

  /// Applies a file, or the files of a folder.
  public TestCluster apply(Path file) {
    ManifestReader.read(file).forEach(manifest -> cluster.apply(manifest.tree()));
    cluster.rest();
    return this;
  }

  /// Takes a step of placement tests, such as `lose: {zone: b}`; paths begin in the working folder.
  public TestCluster step(String step) {
    var reader = new PlanStepReader(Path.of(""), "default", fleet -> NodeFleet.of(fleet).nodes());
    new StepTaker(cluster).take(reader.read(Yaml.read(step)));
    return this;
  }

  /// Lets time pass.
  public TestCluster passes(Duration time) {
    cluster.pass(time);
    cluster.rest();
    return this;
  }

  /// What time it is in the cluster.
  public Instant now() {
    return cluster.now();
  }

  /// Fails with an `AssertionError` unless a check of placement tests holds, such as `skew: {pods:
  /// {app: web}, by: topology.kubernetes.io/zone, atMost: 1}`.
  public TestCluster check(String check) {
    judge(Yaml.readPlaced(check).getFirst().tree());
    return this;
  }

  /// The pods with these labels, to assert where they are.
  public PodSet pods(Map<String, String> labels) {
    return new PodSet(this, labels);
  }

  /// The API, as an administrator sees it. What is written is reacted to by the next step, or when
  /// time passes.
  public Cluster api() {
    return cluster.api();
  }

  void judge(Tree check) {
    var mistake = CheckOutlines.CHECK.mistake(check);
    if (mistake != null) {
      throw new IllegalArgumentException(mistake.toString());
    }
    var finding = CheckOutlines.read(check).judge(situations.situation(begin));
    if (finding.isFailure()) {
      var what = check.names().iterator().next();
      throw new AssertionError(
          String.join("\n", new TestFailure(1, what, finding.message(), finding.why()).lines()));
    }
  }

  /// The names of pods and their nodes, `""` for one that waits; by name.
  List<Map.Entry<String, String>> places(Map<String, String> labels) {
    return situations.situation(begin).places(labels);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
