package io.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.LabelSelector;
import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.DomainCounts;
import io.berth.engine.model.Scope;
import io.berth.engine.model.Shape;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.FilterForm;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.GroupTest;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Normalization;
import io.berth.engine.rule.Premise;
import io.berth.engine.rule.Rule;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/// Rules that are not Kubernetes' own decide the same the short way and the long way, and are asked
/// only as often as what they watch makes necessary.
class OutsideRulesTest {

  private static final int CLUSTERS = Integer.getInteger("berth.clusters", 60);

  @Test
  void agreeWithTheLongWay() {
    for (long seed = 1; seed <= CLUSTERS; seed++) {
      var rules =
          List.of(
              new FewPerNode(),
              new PerZone(),
              new ByLabel(),
              new ByPods(),
              new ByRoom(),
              new Late());
      var situation = new Situation(seed);
      var engine = engine(rules);
      situation.fill(engine);
      for (int i = 0; i < 40; i++) {
        var pod = situation.random.pod("q" + situation.random.below(6));
        assertThat(engine.decide(pod))
            .as("seed %d step %d", seed, i)
            .isEqualTo(engine.examine(pod).decision());
        if (engine.decide(pod) instanceof Decision.Placed(var node, _)) {
          engine.assume(pod, node);
        }
      }
    }
  }

  @Test
  void readAShapeOnceWhileTheyWatchNodesOrDomains() {
    for (var rule : List.of(new FewPerNode(), new PerZone(), new ByLabel(), new ByPods())) {
      var engine = engine(List.of(rule));
      engine.put(new RandomCluster(3).node("n1"));
      engine.put(new RandomCluster(4).node("n2"));
      var pod = plain();
      engine.decide(pod);
      int read = ((Counting) rule).read();
      engine.put(new RandomCluster(5).node("n2"));
      for (int i = 0; i < 10; i++) {
        engine.decide(pod);
      }
      assertThat(((Counting) rule).read()).as(rule.name()).isEqualTo(read);
    }
  }

  /// A rule that watches the cluster may have nothing to say today, and object tomorrow.
  @Test
  void mayBeginToObject() {
    var engine = engine(List.of(new Late()));
    engine.put(new RandomCluster(2).node("n1"));
    var pod = plain();
    assertThat(engine.decide(pod)).isInstanceOf(Decision.Placed.class);
    for (int i = 0; i < Late.LATE; i++) {
      engine.put(plain().withName("x" + i).withNodeName("elsewhere"));
    }
    assertThat(engine.decide(pod)).isInstanceOf(Decision.Unschedulable.class);
  }

  /// Nodes that look alike to Kubernetes' rules share a trial of preemption, unless another rule
  /// reads their pods.
  @Test
  void areAskedAboutEveryNodeWhenPodsMayBeEvicted() {
    var engine = engine(List.of(new FewPerNode()));
    for (var node : List.of("n1", "n2")) {
      engine.put(World.node(node, "{'cpu':'1','pods':'9'}"));
      var app = node.equals("n1") ? "a" : "b";
      engine.put(demanding("x-" + node, app, 10, "100m").withNodeName(node));
      engine.put(demanding("y-" + node, app, 10, "100m").withNodeName(node));
      engine.put(demanding("z-" + node, "low", 0, "800m").withNodeName(node));
    }
    var pod = demanding("asked", "a", 5, "500m");

    var decision = engine.decide(pod);

    assertThat(decision).isEqualTo(engine.examine(pod).decision());
    assertThat(decision)
        .asInstanceOf(InstanceOfAssertFactories.type(Decision.Unschedulable.class))
        .extracting(Decision.Unschedulable::preemption)
        .extracting(Preemption::node, found -> found.candidates().keySet())
        .containsExactly("n2", Set.of("n2"));
  }

  private static Pod demanding(String name, String app, int priority, String cpu) {
    var requests = "{'resources':{'requests':{'cpu':'%s'}},'name':'c'}".formatted(cpu);
    return World.pod(
        name,
        "{'app':'%s'}".formatted(app),
        "{'priority':%d,'containers':[%s]}".formatted(priority, requests));
  }

  private static Pod plain() {
    return World.pod("plain", "{'app':'a'}", "{'tolerations':[{'operator':'Exists'}]}");
  }

  private static Engine engine(List<? extends Rule> rules) {
    var enabled = rules.stream().map(rule -> Tree.of("name", rule.name())).toList();
    var profile = Tree.of("plugins", Tree.of("multiPoint", Tree.of("enabled", enabled)));
    SchedulerConfiguration configuration =
        SchedulerConfigurationReader.read(Tree.of("profiles", List.of(profile)));
    return new Engine(configuration, 1, List.copyOf(rules));
  }

  /// How often a rule was asked to read a shape.
  abstract static class Counting {

    private int read;

    final void count() {
      read++;
    }

    final int read() {
      return read;
    }

    public String name() {
      return getClass().getSimpleName();
    }
  }

  /// At most two pods with the same app on a node.
  private static final class FewPerNode extends Counting implements FilterRule {

    static final Verdict CROWDED = Verdict.unschedulable("node(s) had two of the kind");

    @Override
    public Set<Watch> watches() {
      return Set.of(Watch.NODE, Watch.PODS_ON_NODE);
    }

    @Override
    public NodeTest testFor(Shape shape, ClusterModel cluster) {
      count();
      var app = shape.labels().get("app");
      if (app == null) {
        return NodeTest.ALL;
      }
      return node -> {
        var pods = cluster.nodes().pods(node);
        int alike = 0;
        for (int i = 0; i < pods.size(); i++) {
          alike += app.equals(pods.get(i).shape().labels().get("app")) ? 1 : 0;
        }
        return alike < 2 ? Verdict.FITS : CROWDED;
      };
    }
  }

  /// At most four pods of an app in a zone: counted by domain, asked about groups.
  private static final class PerZone extends Counting implements FilterRule {

    static final Verdict FULL =
        Verdict.unschedulable("node(s) were in a zone with four of the kind");

    @Override
    public NodeTest testFor(Shape shape, ClusterModel cluster) {
      count();
      var counts = counts(shape, cluster);
      return node -> counts.at(node) < 4 ? Verdict.FITS : FULL;
    }

    private static DomainCounts counts(Shape shape, ClusterModel cluster) {
      var selector = LabelSelector.of(Map.of("app", shape.labels().getOrDefault("app", "none")));
      var scope = new Scope(Set.of(shape.namespace()), null, selector);
      return cluster
          .terms()
          .counting(List.of(scope), false)
          .by(cluster.topology(RandomCluster.ZONE));
    }

    @Override
    public FilterForm filterForm(Shape shape, ClusterModel cluster) {
      count();
      long generation = cluster.terms().generation();
      Premise premise = () -> generation == cluster.terms().generation();
      return new FilterForm.ByDomain(new InZone(counts(shape, cluster)), premise);
    }

    private static final class InZone implements GroupTest {

      private final DomainCounts counts;
      private int domainAt;
      private int ownAt;

      InZone(DomainCounts counts) {
        this.counts = counts;
      }

      @Override
      public List<Topology> topologies() {
        return List.of(counts.topology());
      }

      @Override
      public int podComponents() {
        return 1;
      }

      @Override
      public void place(Places places) {
        domainAt = places.domains()[0];
        ownAt = places.pods();
      }

      @Override
      public void readPods(int node, int[] key) {
        key[ownAt] = domainAt == Places.OWN ? counts.at(node) : 0;
      }

      @Override
      public Verdict verdict(int[] key) {
        int pods = key[ownAt];
        if (domainAt != Places.OWN) {
          pods = key[domainAt] == Topology.NONE ? 0 : counts.inDomain(key[domainAt]);
        }
        return pods < 4 ? Verdict.FITS : FULL;
      }
    }
  }

  /// Prefers nodes by a number that follows from a label, far beyond what an int holds.
  private static final class ByLabel extends Counting implements ScoreRule {

    @Override
    public Set<Watch> watches() {
      return Set.of(Watch.NODE);
    }

    @Override
    public NodeScore scoreFor(Shape shape, ClusterModel cluster) {
      count();
      return NodeScore.normalised(
          node ->
              cluster.nodes().node(node).labels().getOrDefault("disk", "").length()
                  * 10_000_000_000L,
          Normalization.BY_MAX);
    }
  }

  /// Prefers nodes with few pods, in proportion.
  private static final class ByPods extends Counting implements ScoreRule {

    @Override
    public Set<Watch> watches() {
      return Set.of(Watch.PODS_ON_NODE);
    }

    @Override
    public NodeScore scoreFor(Shape shape, ClusterModel cluster) {
      count();
      return NodeScore.normalised(
          node -> -cluster.nodes().pods(node).size(), Normalization.BY_RANGE);
    }
  }

  /// A score that is a node's own business.
  private static final class ByRoom extends Counting implements ScoreRule {

    @Override
    public Set<Watch> watches() {
      return Set.of(Watch.NODE, Watch.PODS_ON_NODE);
    }

    @Override
    public NodeScore scoreFor(Shape shape, ClusterModel cluster) {
      count();
      return node -> Math.max(0, 100 - 7L * cluster.nodes().pods(node).size());
    }
  }

  /// Has nothing to say until there are many pods, and then refuses them all.
  private static final class Late extends Counting implements FilterRule {

    static final int LATE = 30;
    static final Verdict TOO_LATE = Verdict.unresolvable("node(s) were late");

    @Override
    public NodeTest testFor(Shape shape, ClusterModel cluster) {
      count();
      return cluster.pods().size() < LATE ? NodeTest.ALL : _ -> TOO_LATE;
    }
  }
}
