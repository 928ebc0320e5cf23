package io.berth.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The cases recorded from the real kube-scheduler, by theme.
final class Vectors {

  static final List<String> THEMES =
      List.of(
          "added-affinity",
          "default-spread",
          "fleet",
          "host-ports",
          "images",
          "mixed",
          "node-affinity",
          "node-affinity-preferred",
          "node-selector",
          "nominated",
          "pod-affinity",
          "pod-affinity-namespaces",
          "pod-affinity-preferred",
          "preemption",
          "preemption-pdb",
          "resize",
          "resources",
          "scoring",
          "taints",
          "topology-spread",
          "topology-spread-soft",
          "uniform");

  /// Those with persistent volumes, which the oracle does not know.
  static final String VOLUMES = "volumes";

  /// What is rarely configured or written, some of which the oracle does not know.
  static final String RARE = "rare";

  private Vectors() {}

  static List<Case> of(String theme) throws Exception {
    var name = theme + ".jsonl.gz";
    var cases = new ArrayList<Case>();
    try (var in = Objects.requireNonNull(Vectors.class.getResourceAsStream(name), name)) {
      CaseFile.read(name, in, cases::add);
    }
    return cases;
  }
}
