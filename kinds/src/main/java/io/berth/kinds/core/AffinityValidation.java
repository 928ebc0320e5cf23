package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.ObjectMeta;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of node affinity, pod affinity and pod anti-affinity.
public final class AffinityValidation {

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private final PodOptions options;
  private final FieldErrors errors;

  AffinityValidation(PodOptions options, FieldErrors errors) {
    this.options = options;
    this.errors = errors;
  }

  void validate(@Nullable Tree affinity, FieldPath path) {
    if (affinity == null) {
      return;
    }
    if (affinity.get("nodeAffinity") instanceof Tree nodes) {
      nodeAffinity(nodes, path.child("nodeAffinity"));
    }
    for (var kind : List.of("podAffinity", "podAntiAffinity")) {
      if (affinity.get(kind) instanceof Tree pods) {
        podAffinity(pods, path.child(kind));
      }
    }
  }

  private void nodeAffinity(Tree affinity, FieldPath path) {
    if (affinity.get(REQUIRED) instanceof Tree required) {
      validateNodeSelector(required, options.badNodeAffinityValues(), path.child(REQUIRED), errors);
    }
    var preferred = affinity.trees(PREFERRED);
    for (int i = 0; i < preferred.size(); i++) {
      var at = path.child(PREFERRED).index(i);
      weight(preferred.get(i), at);
      term(preferred.get(i).treeOrEmpty("preference"), true, at.child("preference"), errors);
    }
  }

  private void weight(Tree term, FieldPath path) {
    long weight = term.number(0, "weight");
    if (weight <= 0 || weight > 100) {
      errors.invalid(path.child("weight"), weight, "must be in the range 1-100");
    }
  }

  /// A node selector, of a pod's affinity or of a persistent volume.
  public static void validateNodeSelector(
      Tree selector, boolean allowBadValues, FieldPath path, FieldErrors errors) {
    var terms = selector.trees("nodeSelectorTerms");
    var at = path.child("nodeSelectorTerms");
    if (terms.isEmpty()) {
      errors.required(at, "must have at least one node selector term");
    }
    for (int i = 0; i < terms.size(); i++) {
      term(terms.get(i), allowBadValues, at.index(i), errors);
    }
  }

  private static void term(Tree term, boolean allowBadValues, FieldPath path, FieldErrors errors) {
    var expressions = term.trees("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      expression(
          expressions.get(i), allowBadValues, path.child("matchExpressions").index(i), errors);
    }
    var fields = term.trees("matchFields");
    for (int i = 0; i < fields.size(); i++) {
      field(fields.get(i), path.child("matchFields").index(i), errors);
    }
  }

  /// A clause of a label selector, or a comparison of integers.
  private static void expression(
      Tree requirement, boolean allowBadValues, FieldPath path, FieldErrors errors) {
    switch (requirement.textOrEmpty("operator")) {
      case "Gt", "Lt" -> {
        if (requirement.list("values").size() != 1) {
          errors.required(
              path.child("values"),
              "must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
        LabelSelectors.validateKeyAndValues(requirement, allowBadValues, path, errors);
      }
      default -> LabelSelectors.validateRequirement(requirement, allowBadValues, path, errors);
    }
  }

  private static void field(Tree requirement, FieldPath path, FieldErrors errors) {
    var operator = requirement.textOrEmpty("operator");
    var values = requirement.list("values");
    if (!operator.equals("In") && !operator.equals("NotIn")) {
      errors.invalid(path.child("operator"), operator, "not a valid selector operator");
    } else if (values.size() != 1) {
      errors.required(
          path.child("values"),
          "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    }
    var key = requirement.textOrEmpty("key");
    if (!key.equals("metadata.name")) {
      errors.invalid(path.child("key"), key, "not a valid field selector key");
      return;
    }
    for (int i = 0; i < values.size(); i++) {
      Checks.dnsSubdomain(path.child("values").index(i), String.valueOf(values.get(i)), errors);
    }
  }

  private void podAffinity(Tree affinity, FieldPath path) {
    var required = affinity.trees(REQUIRED);
    for (int i = 0; i < required.size(); i++) {
      podTerm(required.get(i), path.child(REQUIRED).index(i));
    }
    var preferred = affinity.trees(PREFERRED);
    for (int i = 0; i < preferred.size(); i++) {
      var at = path.child(PREFERRED).index(i);
      weight(preferred.get(i), at);
      podTerm(preferred.get(i).treeOrEmpty("podAffinityTerm"), at.child("podAffinityTerm"));
    }
  }

  private void podTerm(Tree term, FieldPath path) {
    for (var selector : List.of("labelSelector", "namespaceSelector")) {
      LabelSelectors.validate(
          term.tree(selector), options.badSelectorValues(), path.child(selector), errors);
    }
    for (var namespace : term.list("namespaces")) {
      Checks.dnsLabel(path.child("namespace"), String.valueOf(namespace), errors);
    }
    labelKeys(
        term.list("matchLabelKeys"),
        term.list("mismatchLabelKeys"),
        term.tree("labelSelector"),
        path,
        errors);
    var topologyKey = term.textOrEmpty("topologyKey");
    if (topologyKey.isEmpty()) {
      errors.required(path.child("topologyKey"), "can not be empty");
    }
    ObjectMeta.validateLabelName(topologyKey, path.child("topologyKey"), errors);
  }

  /// `matchLabelKeys` and `mismatchLabelKeys` of a pod affinity term or a spread constraint.
  ///
  /// Creation has merged the keys into the selector: a key that stands there a second time is the
  /// user's own.
  static void labelKeys(
      List<@Nullable Object> match,
      List<@Nullable Object> mismatch,
      @Nullable Tree selector,
      FieldPath path,
      FieldErrors errors) {
    keys(match, selector, path.child("matchLabelKeys"), errors);
    keys(mismatch, selector, path.child("mismatchLabelKeys"), errors);
    if (selector != null) {
      clashes(match, selector, path, errors);
    }
    for (int i = 0; i < match.size(); i++) {
      if (mismatch.contains(match.get(i))) {
        errors.invalid(
            path.child("matchLabelKeys").index(i),
            match.get(i),
            "exists in both matchLabelKeys and mismatchLabelKeys");
      }
    }
  }

  private static void keys(
      List<@Nullable Object> keys, @Nullable Tree selector, FieldPath path, FieldErrors errors) {
    if (keys.isEmpty()) {
      return;
    }
    if (selector == null) {
      errors.forbidden(path, "must not be specified when labelSelector is not set");
      return;
    }
    for (int i = 0; i < keys.size(); i++) {
      ObjectMeta.validateLabelName(String.valueOf(keys.get(i)), path.index(i), errors);
    }
  }

  private static void clashes(
      List<@Nullable Object> match, Tree selector, FieldPath path, FieldErrors errors) {
    var positions = new HashMap<String, Integer>();
    for (int i = 0; i < match.size(); i++) {
      positions.put(String.valueOf(match.get(i)), i);
    }
    var seen = new HashSet<>(selector.texts("matchLabels").keySet());
    for (var expression : selector.trees("matchExpressions")) {
      var key = expression.textOrEmpty("key");
      var position = positions.get(key);
      if (position != null && seen.contains(key)) {
        errors.invalid(
            path.index(position), key, "exists in both matchLabelKeys and labelSelector");
      }
      seen.add(key);
    }
  }
}
