package io.berth.engine.rule.resources;

import io.berth.api.Pod;
import io.berth.engine.Cause;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.Code;
import io.berth.engine.Summand;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.NodeTable;
import io.berth.engine.model.PodRequests;
import io.berth.engine.model.Requests;
import io.berth.engine.model.ResourceNames;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Causes;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Normalization;
import io.berth.engine.rule.RunningSum;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Summands;
import io.berth.engine.rule.UtilizationShape;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Keeps pods to nodes with enough left of every resource, and prefers them by how much is left.
public final class NodeResourcesFit implements FilterRule, ScoreRule {

  private static final String NAME = "NodeResourcesFit";

  private final NodeResourcesFitArgs args;

  public NodeResourcesFit(NodeResourcesFitArgs args) {
    this.args = args;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Causes causesFor(Shape shape, ClusterModel cluster) {
    return new FitTest(shape.requests(), cluster);
  }

  @Override
  public Set<Kind> wakes() {
    return EnumSet.of(
        Kind.ASSIGNED_POD_DELETE,
        Kind.ASSIGNED_POD_SCALE_DOWN,
        Kind.TARGET_POD_SCALE_DOWN,
        Kind.NODE_ADD,
        Kind.NODE_UPDATE_ALLOCATABLE);
  }

  @Override
  public boolean helps(Pod pod, ClusterEvent event, ClusterModel cluster) {
    return ResourceHints.help(pod, event);
  }

  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.NODE, Watch.PODS_ON_NODE);
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    return new FitTest(shape.requests(), cluster);
  }

  /// Whether the profile leaves this resource to somebody else.
  private boolean isIgnored(String name) {
    return ResourceNames.isExtended(name)
        && (args.ignoredResources().contains(name)
            || args.ignoredResourceGroups().contains(name.substring(0, name.indexOf('/'))));
  }

  /// Compares columns; the objection is put together only for a node that does not fit.
  private final class FitTest implements NodeTest, Causes {

    private static final int PODS = 1;
    private static final int CPU = 2;
    private static final int MEMORY = 4;
    private static final int EPHEMERAL = 8;
    private static final int FIRST_SCALAR = 16;
    private static final int OFFERS = 8;

    private final Requests requests;
    private final NodeTable nodes;
    private final ResourceNames names;
    private final int[] scalars;
    private final long[] amounts;
    // Objections by what is short and whether some shortage is for good.
    private final Map<Long, Verdict> objections = new HashMap<>();

    FitTest(Requests requests, ClusterModel cluster) {
      this.requests = requests;
      this.nodes = cluster.nodes();
      this.names = cluster.resources();
      int count = 0;
      var kept = new int[requests.scalars().length];
      var keptAmounts = new long[kept.length];
      for (int i = 0; i < kept.length; i++) {
        if (requests.scalarAmounts()[i] > 0 && !isIgnored(names.name(requests.scalars()[i]))) {
          kept[count] = requests.scalars()[i];
          keptAmounts[count++] = requests.scalarAmounts()[i];
        }
      }
      this.scalars = java.util.Arrays.copyOf(kept, count);
      this.amounts = keptAmounts;
    }

    @Override
    public Verdict verdict(int node) {
      long lacking = nodes.pods(node).size() + 1 > nodes.podsAllocatable(node) ? PODS : 0;
      boolean forGood = false;
      long cpu = requests.cpuMillis();
      if (cpu > 0 && cpu > nodes.cpuAllocatable(node) - nodes.cpuRequested(node)) {
        lacking |= CPU;
        forGood = cpu > nodes.cpuAllocatable(node);
      }
      long memory = requests.memoryBytes();
      if (memory > 0 && memory > nodes.memoryAllocatable(node) - nodes.memoryRequested(node)) {
        lacking |= MEMORY;
        forGood |= memory > nodes.memoryAllocatable(node);
      }
      long disk = requests.ephemeralBytes();
      if (disk > 0 && disk > nodes.ephemeralAllocatable(node) - nodes.ephemeralRequested(node)) {
        lacking |= EPHEMERAL;
        forGood |= disk > nodes.ephemeralAllocatable(node);
      }
      for (int i = 0; i < scalars.length; i++) {
        long offered = nodes.scalarAllocatable(scalars[i], node);
        if (amounts[i] > offered - nodes.scalarRequested(scalars[i], node)) {
          lacking |= (long) FIRST_SCALAR << Math.min(i, 57);
          forGood |= amounts[i] > offered;
        }
      }
      return lacking == 0 ? Verdict.FITS : objection(lacking, forGood, node);
    }

    @Override
    public int facts() {
      return OFFERS + 2 * scalars.length;
    }

    @Override
    public boolean readFacts(int node, long[] facts, int at) {
      facts[at] = nodes.cpuAllocatable(node);
      facts[at + 1] = nodes.cpuRequested(node);
      facts[at + 2] = nodes.memoryAllocatable(node);
      facts[at + 3] = nodes.memoryRequested(node);
      facts[at + 4] = nodes.ephemeralAllocatable(node);
      facts[at + 5] = nodes.ephemeralRequested(node);
      facts[at + 6] = nodes.podsAllocatable(node);
      facts[at + 7] = nodes.pods(node).size();
      for (int i = 0; i < scalars.length; i++) {
        facts[at + OFFERS + 2 * i] = nodes.scalarAllocatable(scalars[i], node);
        facts[at + OFFERS + 2 * i + 1] = nodes.scalarRequested(scalars[i], node);
      }
      return true;
    }

    @Override
    public double burden(Shape pod, int node) {
      var taken = pod.running();
      double shares =
          share(1, 1, nodes.podsAllocatable(node) - nodes.pods(node).size())
              + share(requests.cpuMillis(), taken.cpuMillis(), free(CPU, node))
              + share(requests.memoryBytes(), taken.memoryBytes(), free(MEMORY, node))
              + share(requests.ephemeralBytes(), taken.ephemeralBytes(), free(EPHEMERAL, node));
      for (int i = 0; i < scalars.length; i++) {
        shares += share(amounts[i], taken.scalar(scalars[i]), freeScalar(i, node));
      }
      return shares / (4 + scalars.length);
    }

    /// What part of a shortage, if there is one, somebody's share would make up for.
    private static double share(long asked, long taken, long free) {
      return asked > free && asked > 0 ? Math.min(1, (double) taken / (asked - free)) : 1;
    }

    private long free(int resource, int node) {
      return switch (resource) {
        case CPU -> nodes.cpuAllocatable(node) - nodes.cpuRequested(node);
        case MEMORY -> nodes.memoryAllocatable(node) - nodes.memoryRequested(node);
        default -> nodes.ephemeralAllocatable(node) - nodes.ephemeralRequested(node);
      };
    }

    private long freeScalar(int i, int node) {
      return nodes.scalarAllocatable(scalars[i], node) - nodes.scalarRequested(scalars[i], node);
    }

    @Override
    public Why of(int node) {
      var causes = new ArrayList<Cause>();
      long pods = nodes.pods(node).size();
      if (pods + 1 > nodes.podsAllocatable(node)) {
        causes.add(
            Cause.ofPod(
                NAME, "", "1 pods", pods + " of " + nodes.podsAllocatable(node) + " in use"));
      }
      add(causes, "cpu", "m", requests.cpuMillis(), free(CPU, node), nodes.cpuAllocatable(node));
      add(
          causes,
          "memory",
          "",
          requests.memoryBytes(),
          free(MEMORY, node),
          nodes.memoryAllocatable(node));
      add(
          causes,
          "ephemeral-storage",
          "",
          requests.ephemeralBytes(),
          free(EPHEMERAL, node),
          nodes.ephemeralAllocatable(node));
      for (int i = 0; i < scalars.length; i++) {
        long offered = nodes.scalarAllocatable(scalars[i], node);
        add(causes, names.name(scalars[i]), "", amounts[i], freeScalar(i, node), offered);
      }
      return new Why(causes, null);
    }

    private static void add(
        List<Cause> causes, String resource, String unit, long asked, long free, long offered) {
      if (asked > 0 && asked > free) {
        causes.add(
            Cause.ofPod(
                    NAME,
                    "spec.containers[*].resources.requests[" + resource + "]",
                    asked + unit + " " + resource,
                    free + unit + " of " + offered + unit + " free")
                .with(new Cause.Shortage(resource, asked, free, offered)));
      }
    }

    private Verdict objection(long lacking, boolean forGood, int node) {
      if (scalars.length > 57) {
        return describe(lacking, forGood, node);
      }
      return objections.computeIfAbsent(
          forGood ? ~lacking : lacking, _ -> describe(lacking, forGood, node));
    }

    private Verdict describe(long lacking, boolean forGood, int node) {
      var reasons = new ArrayList<String>();
      if ((lacking & PODS) != 0) {
        reasons.add("Too many pods");
      }
      if ((lacking & CPU) != 0) {
        reasons.add("Insufficient cpu");
      }
      if ((lacking & MEMORY) != 0) {
        reasons.add("Insufficient memory");
      }
      if ((lacking & EPHEMERAL) != 0) {
        reasons.add("Insufficient ephemeral-storage");
      }
      for (int i = 0; i < scalars.length; i++) {
        long free =
            nodes.scalarAllocatable(scalars[i], node) - nodes.scalarRequested(scalars[i], node);
        if (amounts[i] > free) {
          reasons.add("Insufficient " + names.name(scalars[i]));
        }
      }
      return new Verdict.Unfit(forGood ? Code.UNRESOLVABLE : Code.UNSCHEDULABLE, reasons);
    }
  }

  @Override
  public NodeScore scoreFor(Shape shape, ClusterModel cluster) {
    var resources =
        ScoredResource.of(args.resources(), PodRequests.forFitScore(shape.spec()), false, cluster);
    return switch (args.strategy()) {
      case LEAST_ALLOCATED -> node -> average(resources, node, NodeResourcesFit::least);
      case MOST_ALLOCATED -> node -> average(resources, node, NodeResourcesFit::most);
      case REQUESTED_TO_CAPACITY_RATIO -> node -> byRatio(resources, node);
    };
  }

  @Override
  public Summands summandsFor(Shape shape, ClusterModel cluster, int[] feasible) {
    var resources =
        ScoredResource.of(args.resources(), PodRequests.forFitScore(shape.spec()), false, cluster);
    return node -> parts(resources, node);
  }

  /// What each resource gives, by its share of the weights.
  private List<Summand> parts(ScoredResource[] resources, int node) {
    long weights = 0;
    for (var resource : resources) {
      weights += counts(resource, node) ? resource.weight : 0;
    }
    var parts = new RunningSum();
    long sum = 0;
    for (var resource : resources) {
      if (counts(resource, node)) {
        sum += score(resource, node) * resource.weight;
        parts.reach(resource.name, divided(sum, weights));
      }
    }
    return parts.parts();
  }

  private long divided(long sum, long weights) {
    return switch (args.strategy()) {
      case LEAST_ALLOCATED, MOST_ALLOCATED -> sum / weights;
      case REQUESTED_TO_CAPACITY_RATIO -> Math.round((double) sum / weights);
    };
  }

  private boolean counts(ScoredResource resource, int node) {
    return resource.allocatable(node) != 0
        && (args.strategy() != NodeResourcesFitArgs.Strategy.REQUESTED_TO_CAPACITY_RATIO
            || score(resource, node) > 0);
  }

  private long score(ScoredResource resource, int node) {
    long allocatable = resource.allocatable(node);
    long requested = resource.taken(node) + resource.asked;
    return switch (args.strategy()) {
      case LEAST_ALLOCATED -> least(requested, allocatable);
      case MOST_ALLOCATED -> most(requested, allocatable);
      case REQUESTED_TO_CAPACITY_RATIO -> ratio(requested, allocatable);
    };
  }

  @FunctionalInterface
  private interface Scorer {
    long score(long requested, long allocatable);
  }

  private static long average(ScoredResource[] resources, int node, Scorer scorer) {
    long sum = 0;
    long weights = 0;
    for (var resource : resources) {
      long allocatable = resource.allocatable(node);
      if (allocatable != 0) {
        long requested = resource.taken(node) + resource.asked;
        sum += scorer.score(requested, allocatable) * resource.weight;
        weights += resource.weight;
      }
    }
    return weights == 0 ? 0 : sum / weights;
  }

  private static long least(long requested, long allocatable) {
    return requested > allocatable
        ? 0
        : (allocatable - requested) * Normalization.MAX_SCORE / allocatable;
  }

  private static long most(long requested, long allocatable) {
    return Math.min(requested, allocatable) * Normalization.MAX_SCORE / allocatable;
  }

  private long ratio(long requested, long allocatable) {
    long utilization = requested > allocatable ? 100 : requested * 100 / allocatable;
    return UtilizationShape.at(args.shape(), utilization);
  }

  // As in Kubernetes, a resource that scores 0 does not count at all here.
  private long byRatio(ScoredResource[] resources, int node) {
    long sum = 0;
    long weights = 0;
    for (var resource : resources) {
      long allocatable = resource.allocatable(node);
      if (allocatable != 0) {
        long requested = resource.taken(node) + resource.asked;
        long score = ratio(requested, allocatable);
        if (score > 0) {
          sum += score * resource.weight;
          weights += resource.weight;
        }
      }
    }
    return weights == 0 ? 0 : divided(sum, weights);
  }
}
