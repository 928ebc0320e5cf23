package io.berth.placement.check;

import io.berth.answers.source.SurveyedPod;
import io.berth.api.Tree;
import java.util.List;
import java.util.Map;

/// Which pods a check is about: those with these labels, or the one of this name.
record PodSelection(Map<String, String> labels, String name, String namespace) {

  static PodSelection of(Tree check) {
    var name = check.textOrEmpty("pod");
    var namespace = check.textOrEmpty("namespace");
    return new PodSelection(
        check.texts("pods"), name, namespace.isEmpty() && !name.isEmpty() ? "default" : namespace);
  }

  static PodSelection labelled(Tree check, String field) {
    return new PodSelection(check.texts(field), "", check.textOrEmpty("namespace"));
  }

  List<SurveyedPod> in(Situation situation) {
    return situation.pods().stream().filter(this::means).toList();
  }

  private boolean means(SurveyedPod each) {
    var pod = each.pod();
    return (name.isEmpty() || pod.name().equals(name))
        && (namespace.isEmpty() || pod.namespace().equals(namespace))
        && pod.labels().entrySet().containsAll(labels.entrySet());
  }

  /// As users write it: `app=web`, `pod shop/web-1`.
  @Override
  public String toString() {
    if (!name.isEmpty()) {
      return "pod " + namespace + "/" + name;
    }
    var where = namespace.isEmpty() ? "" : " in namespace " + namespace;
    return labels.isEmpty() ? "any pod" + where : Labels.text(labels) + where;
  }
}
