package io.berth.workloads.org;

import io.berth.api.PodPhase;
import io.berth.api.Quantity;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.state.State;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;

/// What pods of workloads ask for and hold, by project and node pool.
public final class Usage {

  public static final String PROJECT_LABEL = "berth.io/project";
  public static final String PREEMPTIBLE_LABEL = "berth.io/preemptible";
  public static final String POOL_LABEL = "berth.io/node-pool";

  /// GPUs of a pod that shares devices, as a decimal number.
  public static final String GPUS_ANNOTATION = "berth.io/gpus";

  /// GPUs, CPU in millicores, memory in bytes.
  public record Amount(double gpu, double cpu, double memory) {

    public static final Amount ZERO = new Amount(0, 0, 0);

    public Amount plus(Amount other) {
      return new Amount(exact(gpu + other.gpu), cpu + other.cpu, memory + other.memory);
    }

    /// Thirds of devices add up to what users expect: GPUs are counted in thousandths.
    private static double exact(double gpus) {
      return Math.round(gpus * 1000) / 1000.0;
    }

    Tree tree() {
      return Tree.of("gpu", gpu, "cpu", cpu, "memory", memory);
    }
  }

  /// What one project has in one pool; `requested` counts what waits as well.
  public record Use(Amount allocated, Amount allocatedNonPreemptible, Amount requested) {

    static final Use NONE = new Use(Amount.ZERO, Amount.ZERO, Amount.ZERO);

    public Use plus(Use other) {
      return new Use(
          allocated.plus(other.allocated),
          allocatedNonPreemptible.plus(other.allocatedNonPreemptible),
          requested.plus(other.requested));
    }

    Tree tree() {
      return Tree.of(
          "allocated", allocated.tree(),
          "allocatedNonPreemptible", allocatedNonPreemptible.tree(),
          "requested", requested.tree());
    }
  }

  private final Map<String, Map<String, Use>> byProject = new HashMap<>();

  private Usage() {}

  public static Usage of(State state, NodePools pools) {
    var usage = new Usage();
    var byNode = pools.poolsByNode();
    for (var pod : state.table(Resource.PODS).all()) {
      var project = pod.at("metadata", "labels", PROJECT_LABEL);
      if (project instanceof String name && isLive(pod)) {
        usage.add(name, poolOf(pod, byNode), use(pod));
      }
    }
    return usage;
  }

  private static String poolOf(Tree pod, Map<String, String> byNode) {
    var node = pod.textOrEmpty("spec", "nodeName");
    if (byNode.containsKey(node)) {
      return byNode.getOrDefault(node, NodePools.DEFAULT);
    }
    return pod.at("metadata", "annotations", POOL_LABEL) instanceof String pool
        ? pool
        : NodePools.DEFAULT;
  }

  private static boolean isLive(Tree pod) {
    return !PodPhase.isTerminal(pod);
  }

  private static Use use(Tree pod) {
    var amount = amountOf(pod);
    boolean bound = !pod.textOrEmpty("spec", "nodeName").isEmpty();
    boolean firm = "false".equals(pod.at("metadata", "labels", PREEMPTIBLE_LABEL));
    return new Use(bound ? amount : Amount.ZERO, bound && firm ? amount : Amount.ZERO, amount);
  }

  /// What a pod asks for.
  public static Amount amountOf(Tree pod) {
    double gpu = 0;
    double cpu = 0;
    double memory = 0;
    for (var container : pod.trees("spec", "containers")) {
      var requests = container.treeOrEmpty("resources", "requests");
      gpu += number(requests.textOrEmpty("nvidia.com/gpu"));
      cpu += number(requests.textOrEmpty("cpu")) * 1000;
      memory += number(requests.textOrEmpty("memory"));
    }
    var shared = pod.at("metadata", "annotations", GPUS_ANNOTATION);
    return new Amount(shared instanceof String text ? gpus(text, gpu) : gpu, cpu, memory);
  }

  // With kubectl anybody may write anything there.
  private static double gpus(String annotation, double otherwise) {
    try {
      return Math.max(0, new BigDecimal(annotation).doubleValue());
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  private static double number(String quantity) {
    return quantity.isEmpty() ? 0 : Quantity.parse(quantity).amount().doubleValue();
  }

  private void add(String project, String pool, Use use) {
    byProject.computeIfAbsent(project, _ -> new HashMap<>()).merge(pool, use, Use::plus);
  }

  public Use in(String project, String pool) {
    return byProject.getOrDefault(project, Map.of()).getOrDefault(pool, Use.NONE);
  }

  Use total(String project) {
    var total = Use.NONE;
    for (var use : byProject.getOrDefault(project, Map.of()).values()) {
      total = total.plus(use);
    }
    return total;
  }
}
