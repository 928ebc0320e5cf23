package io.berth.placement.check;

/// Pods on nodes that lack the label a check goes by: nobody can say where they are.
final class Unlabelled {

  private Unlabelled() {}

  static CheckFinding finding(Domains domains) {
    return CheckFinding.of(
        "the nodes of some pods have no label %s: %s"
            .formatted(domains.key(), Domains.names(domains.homeless())));
  }
}
