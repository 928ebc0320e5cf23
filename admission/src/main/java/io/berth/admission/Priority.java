package io.berth.admission;

import static io.berth.api.Resource.PODS;
import static io.berth.api.Resource.POD_GROUPS;
import static io.berth.api.Resource.PRIORITY_CLASSES;

import io.berth.api.Tree;
import org.jspecify.annotations.Nullable;

/// Gives pods and groups of pods the priority of their class, and sees to it that one class at most
/// is the default.
///
/// Mirrors: plugin/pkg/admission/priority.Plugin
final class Priority implements AdmissionPlugin {

  private static final String PREEMPT = "PreemptLowerPriority";

  @Override
  public String name() {
    return "Priority";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (request.isFor(PODS) && request.is(Operation.CREATE)) {
      resolve(request, lookup);
    } else if (request.isFor(PODS) && request.is(Operation.UPDATE)) {
      keep(request.object().child("spec"), request.oldObject().treeOrEmpty("spec"));
    } else if (request.isFor(POD_GROUPS) && request.is(Operation.CREATE)) {
      resolveGroup(request, lookup);
    }
  }

  private static void resolve(Attributes request, Lookup lookup) {
    var spec = request.object().child("spec");
    var chosen = chosenClass(request, spec, lookup);
    var policy = chosen == null ? PREEMPT : chosen.text("preemptionPolicy");
    set(request, spec, chosen == null ? 0 : chosen.number(0, "value"), policy);
  }

  private static void resolveGroup(Attributes request, Lookup lookup) {
    var spec = request.object().child("spec");
    var chosen = chosenClass(request, spec, lookup);
    long priority = chosen == null ? 0 : chosen.number(0, "value");
    if (spec.get("priority") instanceof Long given && given != priority) {
      throw request.forbidden(
          "priority set in the pod group (%d) must match the priority computed (%d) based on the priority class set in the spec"
              .formatted(given, priority));
    }
    spec.put("priority", priority);
  }

  /// The class the spec names, or the default one, whose name is then written down.
  private static @Nullable Tree chosenClass(Attributes request, Tree spec, Lookup lookup) {
    var name = spec.textOrEmpty("priorityClassName");
    var chosen = name.isEmpty() ? defaultClass(lookup) : lookup.find(PRIORITY_CLASSES, "", name);
    if (chosen == null && !name.isEmpty()) {
      throw request.forbidden("no PriorityClass with name %s was found".formatted(name));
    }
    if (chosen != null) {
      spec.put("priorityClassName", chosen.textOrEmpty("metadata", "name"));
    }
    return chosen;
  }

  private static void set(Attributes request, Tree spec, long priority, @Nullable String policy) {
    if (spec.get("priority") instanceof Long given && given != priority) {
      throw request.forbidden(
          "the integer value of priority (%d) must not be provided in pod spec; priority admission controller computed %d from the given PriorityClass name"
              .formatted(given, priority));
    }
    spec.put("priority", priority);
    if (policy == null) {
      return;
    }
    var given = spec.text("preemptionPolicy");
    if (given != null && !given.equals(policy)) {
      throw request.forbidden(
          "the string value of PreemptionPolicy (%s) must not be provided in pod spec; priority admission controller computed %s from the given PriorityClass name"
              .formatted(given, policy));
    }
    spec.put("preemptionPolicy", policy);
  }

  /// Clients that replace a pod without knowing these fields mean to leave them alone.
  private static void keep(Tree spec, Tree old) {
    if (old.has("priority")) {
      spec.putIfAbsent("priority", old.get("priority"));
    }
    if (old.has("preemptionPolicy")) {
      spec.putIfAbsent("preemptionPolicy", old.get("preemptionPolicy"));
    }
  }

  /// When a race left several defaults, the one with the lowest value counts.
  private static @Nullable Tree defaultClass(Lookup lookup) {
    Tree lowest = null;
    for (var each : lookup.list(PRIORITY_CLASSES, "")) {
      if (each.flag("globalDefault")
          && (lowest == null || each.number(0, "value") < lowest.number(0, "value"))) {
        lowest = each;
      }
    }
    return lowest;
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (!request.isFor(PRIORITY_CLASSES)
        || !(request.is(Operation.CREATE) || request.is(Operation.UPDATE))
        || !request.object().flag("globalDefault")) {
      return;
    }
    var existing = defaultClass(lookup);
    if (existing == null) {
      return;
    }
    var name = existing.textOrEmpty("metadata", "name");
    if (request.is(Operation.CREATE) || !name.equals(request.object().text("metadata", "name"))) {
      throw request.forbidden(
          "PriorityClass %s is already marked as default. Only one default can exist"
              .formatted(name));
    }
  }
}
