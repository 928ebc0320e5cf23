package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.JsonDiff;
import io.berth.kinds.meta.ObjectMeta;
import java.util.HashMap;
import java.util.List;

/// What may change in a pod once it exists: images, deadlines, added tolerations, removed gates,
/// and where it may go while it is gated.
final class PodUpdates {

  private static final String UPDATABLE =
      "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
          + "`spec.tolerations` (only additions to existing tolerations),"
          + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously"
          + " negative)";

  private static final FieldPath SPEC = PodStrategy.SPEC;

  private PodUpdates() {}

  static void validate(Tree pod, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(pod, old, errors);
    PodStrategy.validateMetadataAndSpec(pod, PodOptions.forPod(old), errors);
    PodAnnotations.validateUpdate(pod, old, ObjectMeta.PATH.child("annotations"), errors);
    var spec = pod.treeOrEmpty("spec");
    var before = old.treeOrEmpty("spec");
    if (!containers(spec, before, "containers", errors)
        || !containers(spec, before, "initContainers", errors)
        || !deadline(spec, before, errors)) {
      return;
    }
    Tolerations.validateOnlyAdded(
        spec.trees("tolerations"), before.trees("tolerations"), SPEC.child("tolerations"), errors);
    gates(spec, before, errors);
    if (!Fields.isSame(spec, before)) {
      remainder(spec, before, errors);
    }
  }

  private static boolean containers(Tree spec, Tree before, String list, FieldErrors errors) {
    var containers = spec.trees(list);
    if (containers.size() != before.trees(list).size()) {
      errors.forbidden(SPEC.child(list), "pod updates may not add or remove containers");
      return false;
    }
    for (int i = 0; i < containers.size(); i++) {
      var at = SPEC.child(list).index(i);
      Checks.required(at.child("image"), containers.get(i).textOrEmpty("image"), errors);
      ContainerValidation.image(containers.get(i), at, errors);
    }
    return true;
  }

  private static boolean deadline(Tree spec, Tree before, FieldErrors errors) {
    var path = SPEC.child("activeDeadlineSeconds");
    var deadline = spec.get("activeDeadlineSeconds");
    var was = before.get("activeDeadlineSeconds");
    if (!(deadline instanceof Long seconds)) {
      if (was != null) {
        errors.invalid(path, null, "must not update from a positive integer to nil value");
      }
      return true;
    }
    if (seconds < 0 || seconds > Integer.MAX_VALUE) {
      Checks.inRange(path, seconds, 0, Integer.MAX_VALUE, errors);
      return false;
    }
    if (was instanceof Long earlier && earlier < seconds) {
      errors.invalid(path, seconds, "must be less than or equal to previous value");
      return false;
    }
    return true;
  }

  private static void gates(Tree spec, Tree before, FieldErrors errors) {
    var added = new HashMap<String, Integer>();
    var gates = spec.trees("schedulingGates");
    for (int i = 0; i < gates.size(); i++) {
      added.put(gates.get(i).textOrEmpty("name"), i);
    }
    before.trees("schedulingGates").forEach(gate -> added.remove(gate.textOrEmpty("name")));
    added.forEach((gate, position) ->
        errors.forbidden(
            SPEC.child("schedulingGates").index(position).child("name"),
            "only deletion is allowed, but found new scheduling gate '" + gate + "'"));
  }

  /// Puts back everything that may change; what is left over must not have changed.
  private static void remainder(Tree spec, Tree before, FieldErrors errors) {
    var rest = spec.copy();
    for (var list : List.of("containers", "initContainers")) {
      var containers = rest.trees(list);
      for (int i = 0; i < containers.size(); i++) {
        Fields.keep(containers.get(i), before.trees(list).get(i), "image");
      }
    }
    for (var field : List.of("activeDeadlineSeconds", "schedulingGates", "tolerations")) {
      Fields.keep(rest, before, field);
    }
    if (before.number(0, "terminationGracePeriodSeconds") < 0
        && rest.number(0, "terminationGracePeriodSeconds") == 1) {
      Fields.keep(rest, before, "terminationGracePeriodSeconds");
    }
    if (!before.list("schedulingGates").isEmpty()) {
      placement(rest, before, errors);
    }
    if (!Fields.isSame(rest, before)) {
      errors.forbidden(
          SPEC,
          "pod updates may not change fields other than "
              + UPDATABLE
              + "\n"
              + JsonDiff.between(before, rest));
    }
  }

  private static void placement(Tree rest, Tree before, FieldErrors errors) {
    var selector = rest.texts("nodeSelector");
    var kept = before.texts("nodeSelector");
    if (!selector.entrySet().containsAll(kept.entrySet())) {
      errors.invalid(
          SPEC.child("nodeSelector"),
          selector,
          "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
    }
    Fields.keep(rest, before, "nodeSelector");
    var affinity = rest.at("affinity", "nodeAffinity");
    if (!Fields.isSame(affinity, before.at("affinity", "nodeAffinity"))) {
      nodeAffinity(rest, before, errors);
      Fields.keepAt(rest, before, "affinity", "nodeAffinity");
      if (before.tree("affinity") == null && rest.treeOrEmpty("affinity").isEmpty()) {
        rest.remove("affinity");
      }
    }
  }

  private static void nodeAffinity(Tree rest, Tree before, FieldErrors errors) {
    var required = "requiredDuringSchedulingIgnoredDuringExecution";
    if (before.at("affinity", "nodeAffinity", required) == null) {
      return;
    }
    var path = SPEC.child("affinity", "nodeAffinity", required, "nodeSelectorTerms");
    var terms = rest.trees("affinity", "nodeAffinity", required, "nodeSelectorTerms");
    var kept = before.trees("affinity", "nodeAffinity", required, "nodeSelectorTerms");
    if (!kept.isEmpty() && terms.size() != kept.size()) {
      errors.invalid(
          path,
          GoStructs.NODE_SELECTOR_TERM.ofAll(terms),
          "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
      return;
    }
    for (int i = 0; i < kept.size(); i++) {
      if (!hasOnlyAdditions(terms.get(i), kept.get(i))) {
        errors.invalid(
            path.index(i),
            GoStructs.NODE_SELECTOR_TERM.of(terms.get(i)),
            "only additions are allowed (no mutations or deletions)");
      }
    }
  }

  // An empty term matches nothing; filling it would widen where the pod may go.
  private static boolean hasOnlyAdditions(Tree term, Tree kept) {
    boolean wasEmpty = true;
    for (var list : List.of("matchExpressions", "matchFields")) {
      var before = kept.list(list);
      var after = term.list(list);
      if (before.isEmpty()) {
        continue;
      }
      wasEmpty = false;
      if (after.size() < before.size() || !Fields.isSame(after.subList(0, before.size()), before)) {
        return false;
      }
    }
    boolean isEmpty = term.list("matchExpressions").isEmpty() && term.list("matchFields").isEmpty();
    return !wasEmpty || isEmpty;
  }
}
