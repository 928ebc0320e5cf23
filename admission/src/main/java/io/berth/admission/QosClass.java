package io.berth.admission;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Computes a pod's quality of service class from its resources.
final class QosClass {

  private static final List<String> COUNTED = List.of("cpu", "memory");

  private QosClass() {}

  static String of(Tree pod) {
    var whole = pod.tree("spec", "resources");
    var units = new ArrayList<Tree>();
    if (whole != null
        && !(whole.treeOrEmpty("requests").isEmpty() && whole.treeOrEmpty("limits").isEmpty())) {
      units.add(whole);
    } else {
      pod.trees("spec", "containers").forEach(each -> units.add(each.treeOrEmpty("resources")));
      pod.trees("spec", "initContainers").forEach(each -> units.add(each.treeOrEmpty("resources")));
    }
    return of(units);
  }

  private static String of(List<Tree> units) {
    Map<String, Quantity> requests = new HashMap<>();
    Map<String, Quantity> limits = new HashMap<>();
    boolean guaranteed = true;
    for (var resources : units) {
      addTo(requests, resources.treeOrEmpty("requests"));
      guaranteed &= addTo(limits, resources.treeOrEmpty("limits")) == COUNTED.size();
    }
    if (requests.isEmpty() && limits.isEmpty()) {
      return "BestEffort";
    }
    return guaranteed && equal(requests, limits) ? "Guaranteed" : "Burstable";
  }

  private static int addTo(Map<String, Quantity> sums, Tree resources) {
    int found = 0;
    for (var resource : COUNTED) {
      var text = resources.text(resource);
      var quantity = text == null ? Quantity.ZERO : Quantity.parse(text);
      if (!quantity.isZero()) {
        sums.merge(resource, quantity, Quantity::plus);
        found++;
      }
    }
    return found;
  }

  private static boolean equal(Map<String, Quantity> requests, Map<String, Quantity> limits) {
    if (requests.size() != limits.size()) {
      return false;
    }
    for (var entry : requests.entrySet()) {
      var limit = limits.get(entry.getKey());
      if (limit == null || limit.compareTo(entry.getValue()) != 0) {
        return false;
      }
    }
    return true;
  }
}
