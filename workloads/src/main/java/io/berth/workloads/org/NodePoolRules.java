package io.berth.workloads.org;

import io.berth.api.Tree;
import io.berth.workloads.door.Given;
import io.berth.workloads.door.Rules;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.org.NodePools.Pool;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.types.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a node pool must be: a name and a label of its own; it goes when no project uses it.
public final class NodePoolRules implements Rules {

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern LABEL_NAME =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern LABEL_PREFIX =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*+");

  private final State state;
  private final NodePools pools;

  public NodePoolRules(State state, NodePools pools) {
    this.state = state;
    this.pools = pools;
  }

  @Override
  public void check(Tree object, @Nullable Tree old) {
    Given.checkId(object, old);
    var request = Given.asked(object);
    var name = Projects.name(object);
    Types.REQUESTS.check(
        "NodepoolCreateFields", request.put("name", name).put("clusterId", state.clusterId()));
    if (old == null) {
      checkNew(request);
    } else {
      checkChange(Pool.of(old), request);
    }
  }

  /// A pool as it is asked for.
  void checkNew(Tree request) {
    var name = request.textOrEmpty("name");
    if (!NAME.matcher(name).matches()) {
      throw Refusal.badRequest(
          "Bad request - name: \"%s\" must be 1 to 63 lower-case letters, digits and hyphens, and begin and end with a letter or digit"
              .formatted(name));
    }
    checkLabel(name, request.textOrEmpty("labelKey"), request.textOrEmpty("labelValue"));
    checkRest(request);
  }

  /// What is to be different about a pool.
  void checkChange(Pool pool, Tree request) {
    var key = request.has("labelKey") ? request.textOrEmpty("labelKey") : pool.label();
    var value = request.has("labelValue") ? request.textOrEmpty("labelValue") : pool.value();
    if (!key.equals(pool.label()) || !value.equals(pool.value())) {
      if (pool.isDefault()) {
        throw Refusal.badRequest("Bad request - the label of the default node pool cannot change");
      }
      checkLabel(pool.name(), key, value);
    }
    checkRest(request);
  }

  private void checkRest(Tree request) {
    checkTopology(request);
    checkScheduling(request.treeOrEmpty("schedulingConfiguration"));
    var acceleration = request.textOrEmpty("gpuNetworkAccelerationLabelKey");
    if (!acceleration.isEmpty()) {
      checkKey("gpuNetworkAccelerationLabelKey", acceleration);
    }
  }

  private static void checkKey(String field, String key) {
    var slash = key.indexOf('/');
    var prefix = slash < 0 ? "" : key.substring(0, slash);
    boolean valid =
        LABEL_NAME.matcher(key.substring(slash + 1)).matches()
            && (slash < 0 || (prefix.length() <= 253 && LABEL_PREFIX.matcher(prefix).matches()));
    if (!valid) {
      throw Refusal.badRequest(
          "Bad request - %s: \"%s\" is no Kubernetes label key".formatted(field, key));
    }
  }

  private void checkLabel(String name, String key, String value) {
    checkKey("labelKey", key);
    if (!LABEL_NAME.matcher(value).matches()) {
      throw Refusal.badRequest(
          "Bad request - labelValue: \"%s\" is no Kubernetes label value".formatted(value));
    }
    for (var other : pools.all()) {
      if (!other.name().equals(name) && other.label().equals(key) && other.value().equals(value)) {
        throw Refusal.badRequest(
            "Bad request - label %s=%s already belongs to node pool \"%s\""
                .formatted(key, value, other.name()));
      }
    }
  }

  private void checkTopology(Tree body) {
    var id = body.textOrEmpty("networkTopologyId");
    if (!id.isEmpty() && state.table(BerthKinds.NETWORK_TOPOLOGIES).findByUid(id).isEmpty()) {
      throw Refusal.badRequest(
          "Bad request - networkTopologyId: there is no network topology \"%s\"".formatted(id));
    }
  }

  private static void checkScheduling(Tree scheduling) {
    checkDuration(scheduling, "minGuaranteedRuntime", "schedulingConfiguration");
    var history = scheduling.treeOrEmpty("timeBasedFairShare");
    for (var field : List.of("decayHalfLife", "windowDuration")) {
      checkDuration(history, field, "schedulingConfiguration.timeBasedFairShare");
    }
  }

  private static void checkDuration(Tree tree, String field, String path) {
    var text = tree.text(field);
    if (text == null) {
      return;
    }
    var duration = Durations.find(text);
    if (duration.isEmpty()) {
      throw Refusal.badRequest(
          "Bad request - %s.%s: \"%s\" is no length of time; write it like 5d8h40m"
              .formatted(path, field, text));
    }
    if (!Durations.isSensible(duration.get())) {
      throw Refusal.badRequest(
          "Bad request - %s.%s: \"%s\" is too short or too long; it may be 0s, or from 1s to 36500d"
              .formatted(path, field, text));
    }
  }

  @Override
  public void checkDeletion(Tree object) {
    var pool = Pool.of(object);
    if (pool.isDefault()) {
      throw Refusal.badRequest("Bad request - the default node pool cannot be deleted");
    }
    var users = new ArrayList<String>();
    for (var project : state.units(BerthKinds.PROJECTS)) {
      if (uses(project, pool)) {
        users.add(Projects.name(project));
      }
    }
    if (!users.isEmpty()) {
      throw Refusal.badRequest(
          "Bad request - node pool \"%s\" has quota in, or is a default of, project %s; remove it there first"
              .formatted(pool.name(), String.join(", ", users)));
    }
    checkDepartments(pool);
  }

  private void checkDepartments(Pool pool) {
    for (var department : state.units(BerthKinds.DEPARTMENTS)) {
      if (department.list("spec", "defaultNodePools").contains(pool.name())) {
        throw Refusal.badRequest(
            "Bad request - node pool \"%s\" is a default of department %s; remove it there first"
                .formatted(pool.name(), Projects.name(department)));
      }
    }
  }

  private static boolean uses(Tree project, Pool pool) {
    if (project.list("spec", "defaultNodePools").contains(pool.name())) {
      return true;
    }
    return project.trees("spec", "resources").stream()
        .anyMatch(each ->
            NodePools.referred(List.of(pool), each).isPresent()
                && Units.amount(each.at("gpu", "deserved")) > 0);
  }

  @Override
  public Tree takenIn(Tree object) {
    return Units.numbered(object, state);
  }
}
