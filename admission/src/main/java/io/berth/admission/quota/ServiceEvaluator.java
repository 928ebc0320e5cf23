package io.berth.admission.quota;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Services count by number, node ports and load balancers.
final class ServiceEvaluator implements Evaluator {

  private static final Set<String> NAMES =
      Set.of("count/services", "services", "services.nodeports", "services.loadbalancers");

  @Override
  public boolean counts(String name) {
    return NAMES.contains(name);
  }

  @Override
  public Map<String, Quantity> usage(Tree service) {
    var type = service.textOrEmpty("spec", "type");
    var usage = new TreeMap<String, Quantity>();
    usage.put("count/services", Quantity.of(1));
    usage.put("services", Quantity.of(1));
    usage.put("services.loadbalancers", Quantity.of(type.equals("LoadBalancer") ? 1 : 0));
    usage.put("services.nodeports", Quantity.of(nodePorts(service, type)));
    return usage;
  }

  private static long nodePorts(Tree service, String type) {
    var ports = service.trees("spec", "ports");
    if (type.equals("NodePort")) {
      return ports.size();
    }
    if (!type.equals("LoadBalancer")) {
      return 0;
    }
    boolean allocates =
        !(service.at("spec", "allocateLoadBalancerNodePorts") instanceof Boolean asked) || asked;
    return allocates
        ? ports.size()
        : ports.stream().filter(port -> port.number(0, "nodePort") != 0).count();
  }

  @Override
  public boolean handlesUpdate(String subresource, Tree object, Tree old) {
    return true;
  }
}
