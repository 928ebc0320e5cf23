package io.berth.admission.quota;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Everything else counts by number: `count/deployments.apps`, some under an older name too.
record CountEvaluator(Set<String> names) implements Evaluator {

  CountEvaluator {
    names = Set.copyOf(names);
  }

  @Override
  public boolean counts(String name) {
    return names.contains(name);
  }

  @Override
  public Map<String, Quantity> usage(Tree object) {
    var usage = new TreeMap<String, Quantity>();
    new TreeSet<>(names).forEach(name -> usage.put(name, Quantity.of(1)));
    return usage;
  }
}
