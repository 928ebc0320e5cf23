package io.berth.kinds.core;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.util.HashSet;
import org.jspecify.annotations.Nullable;

/// The rules of node affinity, pod affinity and pod anti-affinity.
///
/// Mirrors: core/validation.validateAffinity, ValidateNodeSelector
public final class AffinityValidation {

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private final PodOptions options;

  AffinityValidation(PodOptions options) {
    this.options = options;
  }

  void validate(Cursor affinity) {
    nodeAffinity(affinity.at("nodeAffinity"));
    podAffinity(affinity.at("podAffinity"));
    podAffinity(affinity.at("podAntiAffinity"));
  }

  private void nodeAffinity(Cursor affinity) {
    affinity
        .at(REQUIRED)
        .ifSet(selector -> validateNodeSelector(selector, options.badNodeAffinityValues()));
    for (var preferred : affinity.each(PREFERRED)) {
      weight(preferred.at("weight"));
      term(preferred.at("preference"), true);
    }
  }

  private static void weight(Cursor weight) {
    if (weight.number() <= 0 || weight.number() > 100) {
      weight.invalidNumber("must be in the range 1-100");
    }
  }

  /// A node selector, of a pod's affinity or of a persistent volume.
  public static void validateNodeSelector(Cursor selector, boolean allowBadValues) {
    var terms = selector.at("nodeSelectorTerms");
    terms.required("must have at least one node selector term");
    terms.each().forEach(term -> term(term, allowBadValues));
  }

  private static void term(Cursor term, boolean allowBadValues) {
    term.each("matchExpressions", requirement -> expression(requirement, allowBadValues));
    term.each("matchFields", AffinityValidation::field);
  }

  /// A clause of a label selector, or a comparison of integers.
  private static void expression(Cursor requirement, boolean allowBadValues) {
    switch (requirement.text("operator")) {
      case "Gt", "Lt" -> {
        var values = requirement.at("values");
        if (values.list().size() != 1) {
          values.missing("must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
        LabelSelectors.validateKeyAndValues(requirement, allowBadValues);
      }
      default -> LabelSelectors.validateRequirement(requirement, allowBadValues);
    }
  }

  private static void field(Cursor requirement) {
    var operator = requirement.at("operator");
    var values = requirement.at("values");
    if (!operator.is("In") && !operator.is("NotIn")) {
      operator.invalidText("not a valid selector operator");
    } else if (values.list().size() != 1) {
      values.missing(
          "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    }
    var key = requirement.at("key");
    if (key.is("metadata.name")) {
      values.each().forEach(value -> value.follows(Names::dnsSubdomain));
    } else {
      key.invalidText("not a valid field selector key");
    }
  }

  private void podAffinity(Cursor affinity) {
    affinity.each(REQUIRED, this::podTerm);
    for (var preferred : affinity.each(PREFERRED)) {
      weight(preferred.at("weight"));
      podTerm(preferred.at("podAffinityTerm"));
    }
  }

  private void podTerm(Cursor term) {
    LabelSelectors.validate(term.at("labelSelector"), options.badSelectorValues());
    LabelSelectors.validate(term.at("namespaceSelector"), options.badSelectorValues());
    for (var namespace : term.tree().list("namespaces")) {
      term.at("namespace").with(namespace).follows(Names::dnsLabel);
    }
    labelKeys(term);
    var topologyKey = term.at("topologyKey");
    topologyKey.required("can not be empty");
    topologyKey.follows(Names::qualifiedName);
  }

  /// `matchLabelKeys` and `mismatchLabelKeys` of a pod affinity term or a spread constraint.
  ///
  /// Creation has merged the keys into the selector: a key that stands there a second time is the
  /// user's own.
  static void labelKeys(Cursor term) {
    var selector = term.at("labelSelector").treeOrNull();
    var mismatch = term.tree().list("mismatchLabelKeys");
    keys(term.at("matchLabelKeys"), selector);
    keys(term.at("mismatchLabelKeys"), selector);
    if (selector != null) {
      clashes(term, selector);
    }
    for (var key : term.each("matchLabelKeys")) {
      if (mismatch.contains(key.value())) {
        key.invalid("exists in both matchLabelKeys and mismatchLabelKeys");
      }
    }
  }

  private static void keys(Cursor keys, @Nullable Tree selector) {
    if (selector == null) {
      keys.ifFilled().forbidden("must not be specified when labelSelector is not set");
    } else {
      keys.each().forEach(key -> key.follows(Names::qualifiedName));
    }
  }

  // As in Kubernetes, which names the elements as if they were those of the term.
  private static void clashes(Cursor term, Tree selector) {
    var match = term.tree().list("matchLabelKeys");
    var seen = new HashSet<>(selector.texts("matchLabels").keySet());
    for (var expression : selector.trees("matchExpressions")) {
      var key = expression.textOrEmpty("key");
      int position = match.lastIndexOf(key);
      if (position >= 0 && seen.contains(key)) {
        term.element(position).invalid(key, "exists in both matchLabelKeys and labelSelector");
      }
      seen.add(key);
    }
  }
}
