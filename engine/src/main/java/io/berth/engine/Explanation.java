package io.berth.engine;

import java.util.List;
import java.util.Map;

/// An examination, and for each node that is out what exactly stands in the way.
///
/// `causes` has the nodes of [Examination#infeasible()], each with one cause or more for every
/// rejection in [Examination.NodeRejection#all()], in the order of the rules.
public record Explanation(Examination examination, Map<String, List<Cause>> causes) {

  /// What is behind an objection: the plugin, the fact, and the running pods that make it so.
  ///
  /// `detail` names the term, label, taint or amounts; `pods` are `namespace/name`, by name, and
  /// empty where no pod is to blame.
  public record Cause(String plugin, String detail, List<String> pods) {

    public Cause {
      pods = List.copyOf(pods);
    }
  }
}
