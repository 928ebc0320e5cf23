package io.berth.controllers.cloud;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import java.util.List;

/// Gives the Ingresses of our class the one address that a controller of Ingresses would listen on;
/// nothing answers there.
final class IngressAddresses implements Controller {

  static final String CONTROLLER = "berth.io/ingress";

  private static final Resource INGRESSES =
      new Resource("networking.k8s.io", "v1", "ingresses", "Ingress", true);

  private static final String ADDRESS = Addresses.SHARED;

  private final Environment environment;
  private final Cache ingresses;
  private final Cache classes;
  private final Loop loop;

  IngressAddresses(Environment environment) {
    this.environment = environment;
    this.ingresses = environment.informers().of(INGRESSES);
    this.classes = environment.informers().of(Cloud.INGRESS_CLASSES);
    this.loop = new Loop("ingresses", 1, environment.timers(), this::reconcile);
    ingresses.onAny(ingress -> loop.add(Key.of(ingress)));
    classes.onAny(_ -> ingresses.all().forEach(ingress -> loop.add(Key.of(ingress))));
  }

  @Override
  public String name() {
    return "ingresses";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void reconcile(Key key) {
    var ingress = ingresses.find(key).orElse(null);
    if (ingress == null) {
      return;
    }
    var points = ingress.trees("status", "loadBalancer", "ingress");
    boolean has = points.size() == 1 && points.getFirst().textOrEmpty("ip").equals(ADDRESS);
    if (isOurs(ingress) && points.isEmpty()) {
      write(ingress, List.of(Tree.of("ip", ADDRESS)));
    } else if (!isOurs(ingress) && has) {
      write(ingress, List.of());
    }
  }

  private boolean isOurs(Tree ingress) {
    return classes
        .find(new Key("", ingress.textOrEmpty("spec", "ingressClassName")))
        .filter(found -> found.textOrEmpty("spec", "controller").equals(CONTROLLER))
        .isPresent();
  }

  private void write(Tree ingress, List<Tree> points) {
    var status = ingress.treeOrEmpty("status").copy();
    status.put("loadBalancer", points.isEmpty() ? new Tree() : Tree.of("ingress", points));
    environment
        .cluster()
        .update(INGRESSES, "status", Tree.ofMap(ingress.fields()).put("status", status));
  }
}
