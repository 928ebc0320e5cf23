package io.berth.controllers.core;

import io.berth.api.Tree;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Catalog;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Trees;

/// Says on every HorizontalPodAutoscaler that it is stored and does nothing: simulated pods use
/// nothing that could be measured.
public final class Autoscalers implements Controller {

  private final Environment environment;
  private final Cache autoscalers;
  private final Loop loop;

  public Autoscalers(Environment environment) {
    this.environment = environment;
    this.autoscalers = environment.informers().of(Catalog.HORIZONTAL_POD_AUTOSCALERS);
    this.loop = new Loop("horizontalpodautoscalers", 1, environment.timers(), this::reconcile);
    autoscalers.onAny(autoscaler -> loop.add(Key.of(autoscaler)));
  }

  @Override
  public String name() {
    return "horizontalpodautoscalers";
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
    var autoscaler = autoscalers.find(key).orElse(null);
    if (autoscaler == null || Conditions.find(autoscaler, "ScalingActive") != null) {
      return;
    }
    var status = autoscaler.treeOrEmpty("status").copy();
    Conditions.set(
        status,
        Conditions.of(
            "ScalingActive",
            "False",
            "NotSimulated",
            "Berth stores this object and does not scale by it: simulated pods have no metrics"),
        environment.timestamp());
    status.putIfAbsent("currentReplicas", 0).putIfAbsent("desiredReplicas", 0);
    status.put("observedGeneration", Meta.generation(autoscaler));
    if (!Trees.equivalent(status, autoscaler.get("status"))) {
      environment
          .cluster()
          .update(
              Catalog.HORIZONTAL_POD_AUTOSCALERS,
              "status",
              Tree.ofMap(autoscaler.fields()).put("status", status));
    }
  }
}
