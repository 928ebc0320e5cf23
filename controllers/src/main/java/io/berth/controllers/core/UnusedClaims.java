package io.berth.controllers.core;

import io.berth.api.ApiException;
import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;

/// Says of each bound claim, in the condition `Unused`, whether any pod refers to it, and since
/// when none does.
public final class UnusedClaims implements Controller {

  private final Environment environment;
  private final Cache claims;
  private final Cache pods;
  private final Loop loop;

  public UnusedClaims(Environment environment) {
    this.environment = environment;
    this.claims = environment.informers().of(Resource.PERSISTENT_VOLUME_CLAIMS);
    this.pods = environment.informers().of(Resource.PODS).indexed(Index.NAMESPACE);
    this.loop = new Loop("unused-claims", 1, environment.timers(), this::reconcile);
    claims.onAny(claim -> {
      if (Conditions.find(claim, "Unused") == null) {
        loop.add(Key.of(claim));
      }
    });
    pods.onAny(pod -> {
      for (var claim : PodClaims.of(pod)) {
        loop.add(new Key(Meta.namespace(pod), claim));
      }
    });
  }

  @Override
  public String name() {
    return "unused-claims";
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
    var claim = claims.find(key).orElse(null);
    if (claim == null
        || Meta.isDeleting(claim)
        || !claim.textOrEmpty("status", "phase").equals("Bound")) {
      return;
    }
    boolean used = isUsed(claim);
    var known = Conditions.find(claim, "Unused");
    if (known == null || known.textOrEmpty("status").equals("True") == used) {
      write(claim, used);
    }
  }

  private boolean isUsed(Tree claim) {
    for (var pod : pods.by(Index.NAMESPACE, Meta.namespace(claim))) {
      if (!PodPhase.isTerminal(pod) && PodClaims.uses(pod, claim)) {
        return true;
      }
    }
    return false;
  }

  private void write(Tree claim, boolean used) {
    var condition =
        used
            ? Conditions.of(
                "Unused", "False", "PodUsingPVC", "A pod is currently referencing this PVC")
            : Conditions.of(
                "Unused", "True", "NoPodsUsingPVC", "No pods are currently referencing this PVC");
    var status = claim.treeOrEmpty("status").copy();
    Conditions.set(status, condition, environment.timestamp());
    try {
      environment
          .cluster()
          .update(
              Resource.PERSISTENT_VOLUME_CLAIMS,
              "status",
              Tree.ofMap(claim.fields()).put("status", status));
    } catch (ApiException e) {
      if (!e.is("NotFound")) {
        throw e;
      }
    }
  }
}
