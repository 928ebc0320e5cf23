package io.berth.server.registry;

import io.berth.admission.Attributes;
import io.berth.admission.Operation;
import io.berth.api.ApiException;
import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.server.request.LabelSelector;
import io.berth.store.Entry;
import io.berth.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `POST …/pods/{name}/eviction`: a deletion that a disruption budget may refuse.
///
/// Budget and pod change in one transaction, so that two evictions never share one allowance.
final class EvictPod {

  private static final int MAX_DISRUPTED = 2000;

  private final Storage storage;
  private final Deletion deletion;

  EvictPod(Storage storage, Deletion deletion) {
    this.storage = storage;
    this.deletion = deletion;
  }

  void evict(String namespace, String name, Tree eviction, DeleteOptions options, Context context) {
    Metadata.checkPlace(namespace, eviction);
    var attributes =
        new Attributes(
            Operation.CREATE,
            Resource.PODS,
            "eviction",
            namespace,
            name,
            eviction,
            null,
            context.user(),
            context.dryRun(),
            Resource.PODS,
            context.options().tree("CreateOptions"));
    storage.mutate(attributes, context);
    if (!eviction.textOrEmpty("metadata", "name").equals(name)) {
      throw ApiException.badRequest("name in URL does not match name in Eviction object");
    }
    var pods = storage.catalog().of(Resource.PODS);
    var key = pods.key(namespace, name);
    storage.review(attributes, context);
    storage.transact(
        Resource.PODS,
        transaction -> {
          var current =
              transaction.find(key).orElseThrow(() -> ApiException.notFound(Resource.PODS, name));
          storage.admission().validate(attributes, storage.lookup(transaction));
          askBudget(current.object(), context, options, transaction);
          var pod = marked(current, options, context, transaction);
          return deletion.delete(pods, pod, options, context, transaction);
        });
    storage.written(Resource.PODS);
  }

  /// Takes from the pod's budget, or refuses.
  private void askBudget(
      Tree pod, Context context, DeleteOptions options, Transaction transaction) {
    if (goesAnyway(pod)) {
      return;
    }
    var budgets = budgets(pod, transaction);
    if (budgets.size() > 1) {
      throw new ApiException(
          500,
          "",
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
              + " support.");
    }
    if (budgets.isEmpty()) {
      return;
    }
    var budget = budgets.getFirst();
    if (isReady(pod) || !mayGoUnready(budget.object())) {
      take(pod, budget, context, options, transaction);
    }
  }

  /// Pods that are over, not begun, or going already are nobody's loss.
  private static boolean goesAnyway(Tree pod) {
    return PodPhase.isTerminal(pod)
        || PodPhase.of(pod).equals(PodPhase.PENDING)
        || pod.at("metadata", "deletionTimestamp") != null;
  }

  private List<Entry> budgets(Tree pod, Transaction transaction) {
    var labels = pod.texts("metadata", "labels");
    var namespace = pod.textOrEmpty("metadata", "namespace");
    var matching = new ArrayList<Entry>();
    for (var budget : transaction.list(storage.range(Resource.POD_DISRUPTION_BUDGETS, namespace))) {
      var selector = budget.object().tree("spec", "selector");
      if (selector != null && LabelSelector.ofObject(selector).matches(labels)) {
        matching.add(budget);
      }
    }
    return matching;
  }

  private static boolean isReady(Tree pod) {
    for (var condition : pod.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("Ready")) {
        return condition.textOrEmpty("status").equals("True");
      }
    }
    return false;
  }

  /// An unready pod may go when the budget allows that always, or is met without it.
  private static boolean mayGoUnready(Tree budget) {
    if (budget.textOrEmpty("spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow")) {
      return true;
    }
    return budget.number(0, "status", "currentHealthy")
            >= budget.number(0, "status", "desiredHealthy")
        && budget.number(0, "status", "desiredHealthy") > 0;
  }

  private void take(
      Tree pod, Entry entry, Context context, DeleteOptions options, Transaction transaction) {
    var budget = entry.object();
    var name = entry.key().name();
    var status = budget.treeOrEmpty("status");
    if (status.number(0, "observedGeneration") < budget.number(0, "metadata", "generation")) {
      throw tooMany(
          10, "The disruption budget %s is still being processed by the server.".formatted(name));
    }
    long allowed = status.number(0, "disruptionsAllowed");
    if (allowed < 0) {
      throw forbidden(name, "pdb disruptions allowed is negative");
    }
    if (status.treeOrEmpty("disruptedPods").size() > MAX_DISRUPTED) {
      throw forbidden(
          name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
    }
    if (allowed == 0) {
      throw tooMany(0, "The disruption budget " + name + " " + whyNot(status));
    }
    if (options.dryRun() || context.dryRun()) {
      return;
    }
    var changed = budget.copy();
    var changedStatus = changed.child("status");
    changedStatus.put("disruptionsAllowed", allowed - 1);
    changedStatus
        .child("disruptedPods")
        .put(pod.textOrEmpty("metadata", "name"), Metadata.time(context.now()));
    if (allowed == 1) {
      setInsufficient(changed, context);
    }
    transaction.put(entry.key(), changed);
  }

  /// A budget whose controller failed is not to be trusted in what it counts.
  private static String whyNot(Tree status) {
    long desired = status.number(0, "desiredHealthy");
    long current = status.number(0, "currentHealthy");
    var condition =
        status.trees("conditions").stream()
            .filter(each -> each.textOrEmpty("type").equals("DisruptionAllowed"))
            .filter(each -> each.textOrEmpty("status").equals("False"))
            .filter(each -> !each.textOrEmpty("message").isEmpty())
            .findFirst()
            .orElse(new Tree());
    var message = condition.textOrEmpty("message");
    var reason = condition.textOrEmpty("reason");
    if (reason.equals("SyncFailed")) {
      return "does not allow evicting pods currently because it failed sync: " + message;
    }
    if (current <= desired) {
      return "needs %d healthy pods and has %d currently".formatted(desired, current);
    }
    return message.isEmpty()
        ? "does not allow evicting pods currently"
        : "does not allow evicting pods currently (%s): %s".formatted(reason, message);
  }

  private static void setInsufficient(Tree budget, Context context) {
    var condition =
        Tree.of(
            "type", "DisruptionAllowed",
            "status", "False",
            "observedGeneration", budget.number(0, "status", "observedGeneration"),
            "lastTransitionTime", Metadata.time(context.now()),
            "reason", "InsufficientPods",
            "message", "");
    var conditions = new ArrayList<@Nullable Object>();
    for (var each : budget.trees("status", "conditions")) {
      if (!each.textOrEmpty("type").equals("DisruptionAllowed")) {
        conditions.add(each);
      }
    }
    conditions.add(condition);
    budget.child("status").put("conditions", conditions);
  }

  private Entry marked(
      Entry current, DeleteOptions options, Context context, Transaction transaction) {
    if (options.dryRun() || context.dryRun()) {
      return current;
    }
    var pod = current.object().copy();
    var conditions = new ArrayList<@Nullable Object>();
    for (var each : pod.trees("status", "conditions")) {
      if (!each.textOrEmpty("type").equals("DisruptionTarget")) {
        conditions.add(each);
      }
    }
    var condition =
        Tree.of(
            "type", "DisruptionTarget",
            "status", "True",
            "lastProbeTime", null,
            "lastTransitionTime", Metadata.time(context.now()),
            "reason", "EvictionByEvictionAPI",
            "message", "Eviction API: evicting");
    conditions.add(condition);
    pod.child("status").put("conditions", conditions);
    return transaction.put(current.key(), pod);
  }

  private static ApiException tooMany(int retryAfter, String why) {
    var details = Tree.of("causes", List.of(Tree.of("reason", "DisruptionBudget", "message", why)));
    if (retryAfter > 0) {
      details.put("retryAfterSeconds", retryAfter);
    }
    return new ApiException(
        429,
        "TooManyRequests",
        "Cannot evict pod as it would violate the pod's disruption budget.",
        details);
  }

  private static ApiException forbidden(String budget, String why) {
    return ApiException.forbidden(Resource.POD_DISRUPTION_BUDGETS, budget, why);
  }
}
