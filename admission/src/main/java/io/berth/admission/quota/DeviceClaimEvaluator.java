package io.berth.admission.quota;

import io.berth.api.Quantity;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import java.util.Map;
import java.util.TreeMap;

/// Resource claims count by number, and their devices by class: at most as many as they may get.
final class DeviceClaimEvaluator implements Evaluator {

  private static final String CLAIMS = "count/resourceclaims.resource.k8s.io";
  private static final String DEVICES = ".deviceclass.resource.k8s.io/devices";
  private static final long MOST_DEVICES = 32;

  @Override
  public boolean counts(String name) {
    return name.equals(CLAIMS) || name.endsWith(DEVICES);
  }

  @Override
  public Map<String, Quantity> usage(Tree claim) {
    var usage = new TreeMap<String, Quantity>();
    usage.put(CLAIMS, Quantity.of(1));
    for (var request : claim.trees("spec", "devices", "requests")) {
      if (request.get("exactly") instanceof Tree exactly) {
        ResourceList.add(usage, devices(exactly));
        continue;
      }
      // One of the alternatives is taken: the largest of each class is the worst case.
      var worst = new TreeMap<String, Quantity>();
      for (var alternative : request.trees("firstAvailable")) {
        devices(alternative)
            .forEach(
                (name, count) -> worst.merge(name, count, (a, b) -> a.compareTo(b) >= 0 ? a : b));
      }
      ResourceList.add(usage, worst);
    }
    return usage;
  }

  private static Map<String, Quantity> devices(Tree request) {
    long count =
        switch (request.textOrEmpty("allocationMode")) {
          case "ExactCount" -> request.number(0, "count");
          case "All" -> MOST_DEVICES;
          default -> 0;
        };
    return Map.of(request.textOrEmpty("deviceClassName") + DEVICES, Quantity.of(count));
  }
}
