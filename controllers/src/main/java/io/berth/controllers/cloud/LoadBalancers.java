package io.berth.controllers.cloud;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import java.util.List;

/// Gives every Service of type LoadBalancer an address; nothing answers there.
///
/// Services that name a `loadBalancerClass` are left to whoever serves that class.
final class LoadBalancers implements Controller {

  private final Environment environment;
  private final Cache services;
  private final Events.Source events;
  private final Loop loop;

  /// Touched by the one worker alone, and before it starts.
  private final Addresses addresses = new Addresses();

  LoadBalancers(Environment environment) {
    this.environment = environment;
    this.services = environment.informers().of(Resource.SERVICES);
    this.events = environment.events().from("service-controller");
    this.loop = new Loop("loadbalancers", 1, environment.timers(), this::reconcile);
    services.onAny(service -> loop.add(Key.of(service)));
  }

  @Override
  public String name() {
    return "loadbalancers";
  }

  @Override
  public void start() {
    for (var service : services.all()) {
      if (isOurs(service)) {
        addresses.hold(address(service), Key.of(service));
      }
    }
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void reconcile(Key key) {
    var service = services.find(key).orElse(null);
    if (service == null || !isOurs(service)) {
      if (addresses.release(key)) {
        wakeThoseWithout();
      }
    } else if (!addresses.hold(address(service), key)) {
      assign(service, key);
    }
  }

  private void assign(Tree service, Key key) {
    var wanted = service.textOrEmpty("spec", "loadBalancerIP");
    var address = wanted.isEmpty() ? addresses.take(key) : wanted;
    if (address.isEmpty() || !addresses.hold(address, key)) {
      events.warning(
          Resource.SERVICES,
          service,
          "SyncLoadBalancerFailed",
          "Error syncing load balancer: failed to ensure load balancer: "
              + (address.isEmpty()
                  ? "all addresses of " + Addresses.RANGE + " are taken"
                  : "address " + address + " is taken by another service"));
      return;
    }
    events.normal(Resource.SERVICES, service, "EnsuringLoadBalancer", "Ensuring load balancer");
    var status = service.treeOrEmpty("status").copy();
    status.child("loadBalancer").put("ingress", List.of(Tree.of("ip", address)));
    environment
        .cluster()
        .update(Resource.SERVICES, "status", Tree.ofMap(service.fields()).put("status", status));
    events.normal(Resource.SERVICES, service, "EnsuredLoadBalancer", "Ensured load balancer");
  }

  private void wakeThoseWithout() {
    for (var service : services.all()) {
      if (isOurs(service) && address(service).isEmpty()) {
        loop.add(Key.of(service));
      }
    }
  }

  private static boolean isOurs(Tree service) {
    return service.textOrEmpty("spec", "type").equals("LoadBalancer")
        && service.textOrEmpty("spec", "loadBalancerClass").isEmpty();
  }

  static String address(Tree service) {
    var ingress = service.trees("status", "loadBalancer", "ingress");
    return ingress.isEmpty() ? "" : ingress.getFirst().textOrEmpty("ip");
  }
}
