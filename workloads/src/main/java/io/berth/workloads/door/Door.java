package io.berth.workloads.door;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.state.State;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where objects that were written with kubectl come in.
///
/// An API server in this process asks before it stores one. A cluster elsewhere has stored it
/// already: there the object gets a condition, and no effect until it is taken in.
public final class Door {

  /// The condition that says whether an object was taken in as it is.
  public static final String ACCEPTED = "Accepted";

  private final State state;
  private final Map<Resource, Rules> rules;

  public Door(State state, Map<Resource, Rules> rules) {
    this.state = state;
    this.rules = Map.copyOf(rules);
  }

  public Set<Resource> resources() {
    return rules.keySet();
  }

  /// Those that belong to no project: the layer takes them in one by one.
  public List<Resource> units() {
    return rules.keySet().stream().filter(resource -> !resource.namespaced()).toList();
  }

  public Rules rules(Resource resource) {
    return Objects.requireNonNull(rules.get(resource), resource::qualified);
  }

  /// Refuses an object that is about to be stored, or completes it; `old` is what it replaces.
  ///
  /// Nothing is given to an object that is only tried out.
  public void admit(Resource resource, Tree object, @Nullable Tree old, boolean dryRun) {
    if (old != null) {
      Given.keep(object, old);
      if (Objects.equals(object.get("spec"), old.get("spec"))) {
        return;
      }
    }
    try {
      check(resource, object, old);
      if (!dryRun) {
        rules(resource).takenIn(object);
      }
    } catch (Refusal e) {
      throw ApiException.badRequest(e.inWords());
    }
  }

  /// Refuses to delete what is still needed.
  public void release(Resource resource, Tree object) {
    try {
      rules(resource).checkDeletion(object);
    } catch (Refusal e) {
      throw ApiException.badRequest(e.inWords());
    }
  }

  // The layer hears of writes a moment after they are made: before it refuses, it looks again.
  private void check(Resource resource, Tree object, @Nullable Tree old) {
    try {
      rules(resource).check(object, old);
    } catch (Refusal e) {
      rules.keySet().forEach(each -> state.table(each).refresh());
      rules(resource).check(object, old);
    }
  }
}
