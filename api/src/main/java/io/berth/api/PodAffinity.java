package io.berth.api;

import java.util.List;

/// Affinity or anti-affinity towards other pods.
public record PodAffinity(List<PodAffinityTerm> required, List<Preferred> preferred) {

  public static final PodAffinity NONE = new PodAffinity(List.of(), List.of());

  public PodAffinity {
    required = List.copyOf(required);
    preferred = List.copyOf(preferred);
  }

  public boolean isEmpty() {
    return required.isEmpty() && preferred.isEmpty();
  }

  public record Preferred(int weight, PodAffinityTerm term) {}
}
