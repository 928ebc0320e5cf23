package io.berth.controllers.core;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Informer;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.IntOrPercent;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.Selector;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Keeps the status of PodDisruptionBudgets: how many pods there are, how many must stay, and how
/// many may go now.
public final class Disruptions implements Controller {

  private static final int WORKERS = 4;
  private static final Duration DISRUPTED_FOR = Duration.ofMinutes(2);
  private static final Map<String, Resource> SCALES =
      Map.of(
          "Deployment", Resource.DEPLOYMENTS,
          "ReplicaSet", Resource.REPLICA_SETS,
          "StatefulSet", Resource.STATEFUL_SETS,
          "ReplicationController", Resource.REPLICATION_CONTROLLERS);

  private final Environment environment;
  private final Cache budgets;
  private final Cache pods;
  private final Events.Source events;
  private final Loop loop;

  public Disruptions(Environment environment) {
    this.environment = environment;
    this.budgets =
        environment.informers().of(Resource.POD_DISRUPTION_BUDGETS).indexed(Index.NAMESPACE);
    this.pods = environment.informers().of(Resource.PODS).indexed(Index.NAMESPACE);
    this.events = environment.events().from("controllermanager");
    SCALES.values().forEach(resource -> environment.informers().of(resource).onAny(this::wakeAll));
    this.loop = new Loop("disruption", WORKERS, environment.timers(), this::reconcile);
    budgets.onAny(budget -> loop.add(Key.of(budget)));
    pods.on(new PodHandler());
  }

  @Override
  public String name() {
    return "disruption";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void wakeAll(Tree owner) {
    budgets.by(Index.NAMESPACE, Meta.namespace(owner)).forEach(b -> loop.add(Key.of(b)));
  }

  private void reconcile(Key key) {
    var budget = budgets.find(key).orElse(null);
    if (budget == null) {
      return;
    }
    var selector = Selector.of(budget.tree("spec", "selector"));
    var mine = new ArrayList<>(pods.by(Index.NAMESPACE, key.namespace()));
    mine.removeIf(pod -> !selector.matches(pod));
    if (mine.isEmpty()) {
      events.normal(Resource.POD_DISRUPTION_BUDGETS, budget, "NoPods", "No matching pods found");
    }
    Expected expected;
    try {
      expected = expected(budget, mine);
    } catch (Unsupported e) {
      events.warning(
          Resource.POD_DISRUPTION_BUDGETS,
          budget,
          "CalculateExpectedPodCountFailed",
          "Failed to calculate the number of expected pods: " + e.getMessage());
      writeFailure(budget, e);
      return;
    }
    if (expected.unmanaged) {
      var selected = text(budget.treeOrEmpty("spec", "selector"));
      events.warning(
          Resource.POD_DISRUPTION_BUDGETS,
          budget,
          "UnmanagedPods",
          ("Pods selected by this PodDisruptionBudget (selector: %s) were found to be unmanaged. As"
                  + " a result, the status of the PDB cannot be calculated correctly, which may"
                  + " result in undefined behavior. To account for these pods please set"
                  + " \".spec.minAvailable\" field of the PDB to an integer value.")
              .formatted(selected));
    }
    writeStatus(key, budget, mine, expected);
  }

  /// As Kubernetes prints a selector.
  private static String text(Tree selector) {
    var labels = new StringBuilder();
    new TreeMap<>(selector.texts("matchLabels"))
        .forEach((key, value) -> labels.append("%s: %s,".formatted(key, value)));
    var expressions = new StringBuilder();
    for (var each : selector.trees("matchExpressions")) {
      var values = new ArrayList<String>();
      each.list("values").forEach(value -> values.add(String.valueOf(value)));
      expressions.append(
          "LabelSelectorRequirement{Key:%s,Operator:%s,Values:[%s],},"
              .formatted(
                  each.textOrEmpty("key"), each.textOrEmpty("operator"), String.join(" ", values)));
    }
    return "&LabelSelector{MatchLabels:map[string]string{%s},".formatted(labels)
        + "MatchExpressions:[]LabelSelectorRequirement{%s},}".formatted(expressions);
  }

  /// How many pods there should be, and how many of them must be healthy. As in Kubernetes.
  private Expected expected(Tree budget, List<Tree> mine) {
    var min = budget.at("spec", "minAvailable");
    var max = budget.at("spec", "maxUnavailable");
    if (max != null) {
      var count = scaleOf(mine);
      var unavailable = IntOrPercent.of(max, 0, count, true);
      return new Expected(count, Math.max(0, count - unavailable), hasUnmanaged(mine));
    }
    if (min instanceof String) {
      var count = scaleOf(mine);
      return new Expected(count, IntOrPercent.of(min, 0, count, true), hasUnmanaged(mine));
    }
    return new Expected(mine.size(), IntOrPercent.of(min, 0, mine.size(), true), false);
  }

  private static boolean hasUnmanaged(List<Tree> mine) {
    return mine.stream().anyMatch(pod -> Meta.controllerOf(pod) == null);
  }

  private long scaleOf(List<Tree> mine) {
    var counted = new HashSet<String>();
    long scale = 0;
    for (var pod : mine) {
      var controller = Meta.controllerOf(pod);
      if (controller == null) {
        continue;
      }
      var owner = top(pod, controller);
      if (counted.add(Meta.uid(owner))) {
        scale += owner.number(1, "spec", "replicas");
      }
    }
    return scale;
  }

  /// The object whose `replicas` stand behind a pod.
  private Tree top(Tree pod, Tree controller) {
    var kind = controller.textOrEmpty("kind");
    var resource = SCALES.get(kind);
    var owner = resource == null ? null : find(resource, pod, controller);
    if (owner == null) {
      throw new Unsupported(
          "%s does not implement the scale subresource"
              .formatted(controller.textOrEmpty("apiVersion") + "." + kind));
    }
    var above = Meta.controllerOf(owner);
    if (kind.equals("ReplicaSet") && above != null) {
      var deployment = find(Resource.DEPLOYMENTS, pod, above);
      return deployment == null ? owner : deployment;
    }
    return owner;
  }

  private @Nullable Tree find(Resource resource, Tree pod, Tree reference) {
    return environment
        .informers()
        .of(resource)
        .find(new Key(Meta.namespace(pod), reference.textOrEmpty("name")))
        .filter(object -> Meta.uid(object).equals(reference.text("uid")))
        .orElse(null);
  }

  private void writeStatus(Key key, Tree budget, List<Tree> mine, Expected expected) {
    var now = environment.now();
    var disrupted = stillDisrupted(key, budget, mine, now);
    long healthy = 0;
    for (var pod : mine) {
      var counts = Pods.isReady(pod) && !Meta.isDeleting(pod);
      healthy += counts && !disrupted.has(Meta.name(pod)) ? 1 : 0;
    }
    var allowed = expected.count > 0 ? Math.max(0, healthy - expected.healthy) : 0;
    var status = budget.treeOrEmpty("status").copy();
    status
        .put("currentHealthy", healthy)
        .put("desiredHealthy", expected.healthy)
        .put("disruptionsAllowed", allowed)
        .put("expectedPods", expected.count)
        .put("observedGeneration", Meta.generation(budget));
    if (disrupted.isEmpty()) {
      status.remove("disruptedPods");
    } else {
      status.put("disruptedPods", disrupted);
    }
    condition(
        status,
        budget,
        allowed > 0 ? "True" : "False",
        allowed > 0 ? "SufficientPods" : "InsufficientPods",
        "");
    write(budget, status);
  }

  /// Evictions that were allowed and have not been seen yet count as done, for two minutes.
  private Tree stillDisrupted(Key key, Tree budget, List<Tree> mine, Instant now) {
    var still = new Tree();
    var known = budget.treeOrEmpty("status", "disruptedPods");
    for (var pod : mine) {
      var name = Meta.name(pod);
      if (!known.has(name) || Meta.isDeleting(pod)) {
        continue;
      }
      var until = Meta.instant(known, now, name).plus(DISRUPTED_FOR);
      if (until.isAfter(now)) {
        still.put(name, known.get(name));
        loop.addAfter(key, Duration.between(now, until));
      }
    }
    return still;
  }

  private void writeFailure(Tree budget, Unsupported why) {
    var status = budget.treeOrEmpty("status").copy();
    status
        .put("disruptionsAllowed", 0)
        .putIfAbsent("currentHealthy", 0)
        .putIfAbsent("desiredHealthy", 0)
        .putIfAbsent("expectedPods", 0)
        .put("observedGeneration", Meta.generation(budget));
    condition(status, budget, "False", "SyncFailed", String.valueOf(why.getMessage()));
    write(budget, status);
  }

  private void condition(Tree status, Tree budget, String value, String reason, String message) {
    var condition = Tree.of("type", "DisruptionAllowed", "status", value);
    condition
        .put("reason", reason)
        .put("message", message)
        .put("observedGeneration", Meta.generation(budget));
    Conditions.set(status, condition, environment.timestamp());
  }

  private void write(Tree budget, Tree status) {
    if (Trees.equivalent(status, budget.get("status"))) {
      return;
    }
    try {
      environment
          .cluster()
          .update(
              Resource.POD_DISRUPTION_BUDGETS,
              "status",
              Tree.ofMap(budget.fields()).put("status", status));
    } catch (ApiException e) {
      if (!e.is("NotFound")) {
        throw e;
      }
    }
  }

  /// `unmanaged` says that there are pods that nobody controls and that do not count.
  private record Expected(long count, long healthy, boolean unmanaged) {}

  /// Pods that nothing with a scale stands behind.
  private static final class Unsupported extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unsupported(String message) {
      super(message);
    }
  }

  private final class PodHandler implements Informer.Handler {

    @Override
    public void changed(@Nullable Tree previous, Tree pod) {
      wake(pod, previous == null ? Set.of() : matching(previous));
    }

    @Override
    public void removed(Tree pod) {
      wake(pod, Set.of());
    }

    private void wake(Tree pod, Set<Key> before) {
      before.forEach(loop::add);
      matching(pod).forEach(loop::add);
    }

    private Set<Key> matching(Tree pod) {
      var found = new HashSet<Key>();
      for (var budget : budgets.by(Index.NAMESPACE, Meta.namespace(pod))) {
        if (Selector.of(budget.tree("spec", "selector")).matches(pod)) {
          found.add(Key.of(budget));
        }
      }
      return found;
    }
  }
}
