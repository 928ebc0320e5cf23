package io.berth.engine.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Pods no selector can tell apart: same namespace, same labels, terminating or not.
///
/// Knows how many of its pods run on each node, and which terms count them, so that whether a
/// selector matches is asked once for the cohort and not for each pod.
public final class Cohort {

  final String namespace;
  final Map<String, String> labels;
  final boolean terminating;
  final IntCounts perNode = new IntCounts();
  final List<Term> terms = new ArrayList<>();
  int shapes;

  Cohort(String namespace, Map<String, String> labels, boolean terminating) {
    this.namespace = namespace;
    this.labels = labels;
    this.terminating = terminating;
  }

  void add(int node, int delta) {
    perNode.add(node, delta);
    for (int i = 0; i < terms.size(); i++) {
      terms.get(i).add(node, delta);
    }
  }
}
