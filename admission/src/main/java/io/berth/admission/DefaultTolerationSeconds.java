package io.berth.admission;

import io.berth.api.Tree;
import java.util.List;

/// Lets pods that do not say otherwise stay five minutes on a node that fails.
///
/// Mirrors: plugin/pkg/admission/defaulttolerationseconds.Plugin
final class DefaultTolerationSeconds implements AdmissionPlugin {

  private static final long SECONDS = 300;
  private static final String NO_EXECUTE = "NoExecute";
  private static final List<String> TAINTS =
      List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

  @Override
  public String name() {
    return "DefaultTolerationSeconds";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!Pods.isWrittenBy(request)) {
      return;
    }
    var spec = request.object().child("spec");
    for (var taint : TAINTS) {
      if (spec.trees("tolerations").stream().noneMatch(each -> covers(each, taint))) {
        spec.childList("tolerations")
            .add(Pods.tolerationOf(taint, NO_EXECUTE).put("tolerationSeconds", SECONDS));
      }
    }
  }

  private static boolean covers(Tree toleration, String taint) {
    var key = toleration.textOrEmpty("key");
    var effect = toleration.textOrEmpty("effect");
    return (key.isEmpty() || key.equals(taint)) && (effect.isEmpty() || effect.equals(NO_EXECUTE));
  }
}
