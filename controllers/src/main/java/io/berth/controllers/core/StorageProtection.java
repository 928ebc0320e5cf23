package io.berth.controllers.core;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.PatchType;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Lets go of claims and volumes that are deleted, once nobody uses them any more.
public final class StorageProtection implements Controller {

  private static final String CLAIM = "kubernetes.io/pvc-protection";
  private static final String VOLUME = "kubernetes.io/pv-protection";

  private final Environment environment;
  private final Cache claims;
  private final Cache volumes;
  private final Cache pods;
  private final Loop loop;

  public StorageProtection(Environment environment) {
    this.environment = environment;
    this.claims =
        environment.informers().of(Resource.PERSISTENT_VOLUME_CLAIMS).indexed(Index.NAMESPACE);
    this.volumes = environment.informers().of(Resource.PERSISTENT_VOLUMES);
    this.pods = environment.informers().of(Resource.PODS).indexed(Index.NAMESPACE);
    this.loop = new Loop("storage-protection", 2, environment.timers(), this::reconcile);
    claims.onAny(this::wake);
    volumes.onAny(this::wake);
    pods.onAny(pod -> {
      if (Meta.isDeleting(pod) || !isThere(pod)) {
        claims.by(Index.NAMESPACE, Meta.namespace(pod)).forEach(this::wake);
      }
    });
  }

  @Override
  public String name() {
    return "storage-protection";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private boolean isThere(Tree pod) {
    return pods.find(Key.of(pod)).isPresent();
  }

  private void wake(Tree object) {
    if (Meta.isDeleting(object)) {
      loop.add(Key.of(object));
    }
  }

  private void reconcile(Key key) {
    if (key.namespace().isEmpty()) {
      volumes
          .find(key)
          .filter(volume -> !volume.textOrEmpty("status", "phase").equals("Bound"))
          .ifPresent(volume -> release(Resource.PERSISTENT_VOLUMES, volume, VOLUME));
      return;
    }
    claims
        .find(key)
        .filter(claim -> !isUsed(claim))
        .ifPresent(claim -> release(Resource.PERSISTENT_VOLUME_CLAIMS, claim, CLAIM));
  }

  private boolean isUsed(Tree claim) {
    for (var pod : pods.by(Index.NAMESPACE, Meta.namespace(claim))) {
      // Also a pod that is over keeps its claims, until it is deleted.
      if (!Pods.node(pod).isEmpty() && PodClaims.uses(pod, claim)) {
        return true;
      }
    }
    return false;
  }

  private void release(Resource resource, Tree object, String finalizer) {
    if (!Meta.isDeleting(object) || !Meta.hasFinalizer(object, finalizer)) {
      return;
    }
    var rest = new ArrayList<@Nullable Object>(object.list("metadata", "finalizers"));
    rest.remove(finalizer);
    var metadata =
        Tree.of("uid", Meta.uid(object), "resourceVersion", Meta.revision(object))
            .put("finalizers", rest.isEmpty() ? null : rest);
    try {
      environment
          .cluster()
          .patch(
              resource,
              Meta.namespace(object),
              Meta.name(object),
              null,
              PatchType.MERGE,
              Tree.of("metadata", metadata));
    } catch (ApiException e) {
      if (!e.is("NotFound")) {
        throw e;
      }
    }
  }
}
