package io.berth.kinds.core;

import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.JsonDiff;
import io.berth.kinds.meta.ObjectMeta;
import java.util.HashMap;
import java.util.List;

/// What may change in a pod once it exists: images, deadlines, added tolerations, removed gates,
/// and where it may go while it is gated.
///
/// Mirrors: core/validation.ValidatePodUpdate
final class PodUpdates {

  private static final String UPDATABLE =
      "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
          + "`spec.tolerations` (only additions to existing tolerations),"
          + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously"
          + " negative)";

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

  private PodUpdates() {}

  static void validate(Cursor pod, Tree old) {
    ObjectMeta.validateUpdate(pod, old);
    PodStrategy.validateMetadataAndSpec(pod, PodOptions.forPod(old));
    PodAnnotations.validateUpdate(pod, old);
    var spec = pod.at("spec");
    var before = old.treeOrEmpty("spec");
    if (!containers(spec.at("containers"), before)
        || !containers(spec.at("initContainers"), before)
        || !deadline(spec.at("activeDeadlineSeconds"), before)) {
      return;
    }
    Tolerations.validateOnlyAdded(spec.at("tolerations"), before.trees("tolerations"));
    gates(spec.each("schedulingGates"), before);
    if (!Fields.isSame(spec.tree(), before)) {
      remainder(spec, before);
    }
  }

  private static boolean containers(Cursor containers, Tree before) {
    if (containers.list().size() != before.list(containers.name()).size()) {
      containers.forbidden("pod updates may not add or remove containers");
      return false;
    }
    for (var container : containers.each()) {
      container.at("image").required();
      ContainerValidation.image(container);
    }
    return true;
  }

  private static boolean deadline(Cursor deadline, Tree before) {
    var was = before.get("activeDeadlineSeconds");
    if (!deadline.isSet()) {
      if (was != null) {
        deadline.invalid("must not update from a positive integer to nil value");
      }
      return true;
    }
    long seconds = deadline.number();
    if (seconds < 0 || seconds > Integer.MAX_VALUE) {
      deadline.inRange(0, Integer.MAX_VALUE);
      return false;
    }
    if (was instanceof Long earlier && earlier < seconds) {
      deadline.invalid("must be less than or equal to previous value");
      return false;
    }
    return true;
  }

  private static void gates(List<Cursor> gates, Tree before) {
    var added = new HashMap<String, Cursor>();
    gates.forEach(gate -> added.put(gate.text("name"), gate.at("name")));
    before.trees("schedulingGates").forEach(gate -> added.remove(gate.textOrEmpty("name")));
    added.forEach((gate, name) ->
        name.forbidden("only deletion is allowed, but found new scheduling gate '" + gate + "'"));
  }

  /// Puts back everything that may change; what is left over must not have changed.
  private static void remainder(Cursor spec, Tree before) {
    var rest = spec.tree().copy();
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
      placement(spec.with(rest), rest, before);
    }
    if (!Fields.isSame(rest, before)) {
      spec.forbidden(
          "pod updates may not change fields other than "
              + UPDATABLE
              + "\n"
              + JsonDiff.between(before, rest));
    }
  }

  private static void placement(Cursor spec, Tree rest, Tree before) {
    var selector = rest.texts("nodeSelector");
    if (!selector.entrySet().containsAll(before.texts("nodeSelector").entrySet())) {
      spec.at("nodeSelector")
          .invalid(
              selector,
              "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
    }
    Fields.keep(rest, before, "nodeSelector");
    var affinity = rest.at("affinity", "nodeAffinity");
    if (!Fields.isSame(affinity, before.at("affinity", "nodeAffinity"))) {
      nodeAffinity(spec.at("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms"), before);
      Fields.keepAt(rest, before, "affinity", "nodeAffinity");
      if (before.tree("affinity") == null && rest.treeOrEmpty("affinity").isEmpty()) {
        rest.remove("affinity");
      }
    }
  }

  private static void nodeAffinity(Cursor terms, Tree before) {
    if (before.at("affinity", "nodeAffinity", REQUIRED) == null) {
      return;
    }
    var kept = before.trees("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms");
    var all = terms.each();
    if (!kept.isEmpty() && all.size() != kept.size()) {
      terms.invalid(
          GoStructs.NODE_SELECTOR_TERM.ofAll(all.stream().map(Cursor::tree).toList()),
          "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
      return;
    }
    for (int i = 0; i < kept.size(); i++) {
      var term = all.get(i);
      if (!hasOnlyAdditions(term.tree(), kept.get(i))) {
        term.invalid(
            GoStructs.NODE_SELECTOR_TERM.of(term.tree()),
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
