package io.berth.engine.rule;

import io.berth.engine.Code;
import java.util.List;

/// What a filter says about one pod on one node.
///
/// Only the outcomes a filter can have exist here. A rule that breaks throws, and the decider turns
/// the exception into a failed decision.
public sealed interface Verdict {

  /// The node can host the pod. One instance, so that the common case allocates nothing.
  Verdict FITS = new Fits();

  record Fits() implements Verdict {}

  /// The node cannot host the pod; `reasons` are shown to users, in the words Kubernetes uses.
  record Unfit(Code code, List<String> reasons) implements Verdict {

    public Unfit {
      reasons = List.copyOf(reasons);
    }
  }

  /// An objection that evicting pods may resolve.
  static Unfit unschedulable(String reason) {
    return new Unfit(Code.UNSCHEDULABLE, List.of(reason));
  }

  /// An objection that no eviction resolves.
  static Unfit unresolvable(String reason) {
    return new Unfit(Code.UNRESOLVABLE, List.of(reason));
  }
}
