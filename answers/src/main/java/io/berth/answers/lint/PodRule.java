package io.berth.answers.lint;

import io.berth.api.LabelSelector;
import io.berth.api.Pod;
import io.berth.api.PodAffinity;
import io.berth.api.PodAffinityTerm;
import java.util.ArrayList;
import java.util.List;

/// A term of pod affinity or anti-affinity, and the path it stands at.
record PodRule(PodAffinityTerm term, boolean required, boolean apart, String field) {

  private static final String REQUIRED = ".requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = ".preferredDuringSchedulingIgnoredDuringExecution";

  static List<PodRule> of(Pod pod) {
    var rules = new ArrayList<PodRule>();
    add(pod.spec().podAffinity(), false, "spec.affinity.podAffinity", rules);
    add(pod.spec().podAntiAffinity(), true, "spec.affinity.podAntiAffinity", rules);
    return rules;
  }

  private static void add(PodAffinity affinity, boolean apart, String field, List<PodRule> rules) {
    for (int i = 0; i < affinity.required().size(); i++) {
      var at = field + REQUIRED + "[" + i + "]";
      rules.add(new PodRule(affinity.required().get(i), true, apart, at));
    }
    for (int i = 0; i < affinity.preferred().size(); i++) {
      var at = field + PREFERRED + "[" + i + "].podAffinityTerm";
      rules.add(new PodRule(affinity.preferred().get(i).term(), false, apart, at));
    }
  }

  /// `required pod anti-affinity`, for messages.
  String title() {
    return (required ? "required" : "preferred") + " pod " + (apart ? "anti-" : "") + "affinity";
  }

  LabelSelector selector() {
    return term.labelSelector() == null ? LabelSelector.NOTHING : term.labelSelector();
  }

  boolean isAboutOwnNamespace() {
    return term.namespaces().isEmpty() && term.namespaceSelector() == null;
  }
}
