package io.berth.admission;

/// Refuses required anti-affinity over anything wider than a node, which could keep all others off
/// a whole zone.
///
/// Mirrors: plugin/pkg/admission/antiaffinity.Plugin
final class LimitPodHardAntiAffinityTopology implements AdmissionPlugin {

  private static final String HOSTNAME = "kubernetes.io/hostname";

  @Override
  public String name() {
    return "LimitPodHardAntiAffinityTopology";
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (!Pods.isWrittenBy(request)) {
      return;
    }
    var terms =
        request
            .object()
            .trees(
                "spec",
                "affinity",
                "podAntiAffinity",
                "requiredDuringSchedulingIgnoredDuringExecution");
    for (var term : terms) {
      var key = term.textOrEmpty("topologyKey");
      if (!key.equals(HOSTNAME)) {
        throw request.forbidden(
            "affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey %s but only key %s is allowed"
                .formatted(key, HOSTNAME));
      }
    }
  }
}
