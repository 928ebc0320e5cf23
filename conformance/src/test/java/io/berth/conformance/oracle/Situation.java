package io.berth.conformance.oracle;

import java.util.ArrayList;
import java.util.List;

/// A node and the pods taken to be on it while a filter is asked.
record Situation(OracleNode node, List<OraclePod> pods) {

  Situation with(OraclePod pod) {
    var more = new ArrayList<>(pods);
    more.add(pod);
    return new Situation(node, more);
  }

  Situation without(OraclePod pod) {
    var fewer = new ArrayList<>(pods);
    fewer.remove(pod);
    return new Situation(node, fewer);
  }

  long requested(String resource) {
    long sum = 0;
    for (var pod : pods) {
      sum += pod.onNode.getOrDefault(resource, 0L);
    }
    return sum;
  }

  long nonZeroRequested(String resource) {
    if (!resource.equals("cpu") && !resource.equals("memory")) {
      return requested(resource);
    }
    long sum = 0;
    for (var pod : pods) {
      sum += pod.onNodeNonZero.getOrDefault(resource, 0L);
    }
    return sum;
  }
}
