package io.berth.controllers;

import io.berth.cluster.Cluster;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Informers;
import io.berth.controllers.runtime.Timers;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Starts and stops controllers that share caches, timers and events.
///
/// ```java
/// var manager = ControllerManager.on(cluster, InstantSource.system())
///     .with(ReplicaSets::new)
///     .with(Deployments::new)
///     .start();
/// ```
public final class ControllerManager implements AutoCloseable {

  private final Environment environment;
  private final List<Controller> controllers = new ArrayList<>();

  public ControllerManager(Environment environment) {
    this.environment = environment;
  }

  public static ControllerManager on(Cluster cluster, InstantSource clock) {
    return new ControllerManager(
        new Environment(
            cluster,
            new Informers(cluster),
            new Timers(System::nanoTime).start(),
            clock,
            new Events(cluster, clock)));
  }

  public ControllerManager with(Function<Environment, ? extends Controller> controller) {
    controllers.add(controller.apply(environment));
    return this;
  }

  /// Fills the caches, then starts every controller.
  public ControllerManager start() throws InterruptedException {
    environment.events().start();
    environment.informers().start();
    controllers.forEach(Controller::start);
    return this;
  }

  /// Stops everything at once; what was under way is picked up by the next start.
  @Override
  public void close() {
    controllers.forEach(Controller::close);
    environment.informers().close();
    environment.events().close();
    environment.timers().close();
  }
}
