package io.berth.answers.remedy;

import java.util.List;
import java.util.function.Function;

/// Everything that is tried for a pod that no node takes: one line for each kind of step.
final class Remedies {

  static final List<Function<Question, List<Family>>> ALL =
      List.of(
          Requests::find,
          Tolerations::find,
          NodeDemands::find,
          PodTerms::find,
          SpreadConstraints::find,
          HostPortsOfPod::find,
          Claims::find,
          Priorities::find,
          NodeChanges::find,
          MoreNodes::find,
          Evictions::find);

  private Remedies() {}
}
