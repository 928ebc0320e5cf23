package io.berth.answers.plan;

import io.berth.answers.source.Manifest;

/// How many pods an owner is to have at a time.
final class Replicas {

  private Replicas() {}

  static long of(Manifest owner) {
    var spec = owner.tree().treeOrEmpty("spec");
    return switch (owner.kind()) {
      case "Job" ->
          Math.min(spec.number(1, "parallelism"), spec.number(Long.MAX_VALUE, "completions"));
      default -> spec.number(1, "replicas");
    };
  }
}
