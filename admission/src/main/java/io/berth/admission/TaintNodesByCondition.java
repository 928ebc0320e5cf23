package io.berth.admission;

import static io.berth.api.Resource.NODES;

import io.berth.api.Tree;

/// Taints new nodes as not ready, so that no pod lands there before the first heartbeat.
///
/// Mirrors: plugin/pkg/admission/nodetaint.Plugin
final class TaintNodesByCondition implements AdmissionPlugin {

  private static final String NOT_READY = "node.kubernetes.io/not-ready";
  private static final String EFFECT = "NoSchedule";

  @Override
  public String name() {
    return "TaintNodesByCondition";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!request.isFor(NODES) || !request.is(Operation.CREATE)) {
      return;
    }
    var spec = request.object().child("spec");
    if (spec.trees("taints").stream().noneMatch(TaintNodesByCondition::isNotReady)) {
      spec.childList("taints").add(Tree.of("effect", EFFECT, "key", NOT_READY));
    }
  }

  private static boolean isNotReady(Tree taint) {
    return taint.textOrEmpty("key").equals(NOT_READY) && taint.textOrEmpty("effect").equals(EFFECT);
  }
}
