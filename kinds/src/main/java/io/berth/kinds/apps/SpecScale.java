package io.berth.kinds.apps;

import io.berth.api.Tree;
import io.berth.kinds.ScaleRules;
import io.berth.kinds.meta.LabelSelectors;

/// The scale of kinds with `spec.replicas`, `status.replicas` and a label selector.
public final class SpecScale implements ScaleRules {

  @Override
  public long specReplicas(Tree object) {
    return object.number(0, "spec", "replicas");
  }

  @Override
  public void setSpecReplicas(Tree object, long replicas) {
    object.child("spec").put("replicas", replicas);
  }

  @Override
  public long statusReplicas(Tree object) {
    return object.number(0, "status", "replicas");
  }

  @Override
  public String selector(Tree object) {
    var selector = object.tree("spec", "selector");
    return LabelSelectors.isEmpty(selector) ? "" : LabelSelectors.format(selector);
  }
}
