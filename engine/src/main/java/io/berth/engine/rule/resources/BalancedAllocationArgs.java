package io.berth.engine.rule.resources;

import io.berth.engine.rule.Args;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// The arguments of NodeResourcesBalancedAllocation: the resources that are to be used evenly.
///
/// Mirrors: apis/config/validation.ValidateNodeResourcesBalancedAllocationArgs
public record BalancedAllocationArgs(List<ResourceWeight> resources) {

  private static final List<ResourceWeight> CPU_AND_MEMORY =
      List.of(new ResourceWeight("cpu", 1), new ResourceWeight("memory", 1));

  public BalancedAllocationArgs {
    resources = List.copyOf(resources);
  }

  public static BalancedAllocationArgs read(Args args) {
    var names = new HashSet<String>();
    var resources = new ArrayList<ResourceWeight>();
    for (var resource : args.objects("resources")) {
      var name = resource.text("name");
      long weight = resource.number("weight", 0);
      weight = weight == 0 ? 1 : weight;
      if (!names.add(name)) {
        resource.wrong("name", "Duplicate value: \"" + name + "\"");
      }
      resource.check(weight == 1, "weight", weight, "must be 1");
      resources.add(new ResourceWeight(name, weight));
    }
    return new BalancedAllocationArgs(resources.isEmpty() ? CPU_AND_MEMORY : resources);
  }
}
