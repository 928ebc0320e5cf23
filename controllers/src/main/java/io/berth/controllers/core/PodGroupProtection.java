package io.berth.controllers.core;

import io.berth.api.ApiException;
import io.berth.api.PodPhase;
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
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Lets go of pod groups that are deleted, once the last of their pods has ended.
public final class PodGroupProtection implements Controller {

  private static final String FINALIZER = "scheduling.k8s.io/podgroup-protection";

  private final Environment environment;
  private final Cache groups;
  private final Cache pods;
  private final Loop loop;

  public PodGroupProtection(Environment environment) {
    this.environment = environment;
    this.groups = environment.informers().of(Resource.POD_GROUPS);
    this.pods = environment.informers().of(Resource.PODS).indexed(Index.NAMESPACE);
    this.loop = new Loop("podgroup-protection", 2, environment.timers(), this::reconcile);
    groups.onAny(this::wake);
    pods.onAny(pod -> {
      var group = group(pod);
      if (!group.isEmpty()) {
        groups.find(new Key(Meta.namespace(pod), group)).ifPresent(this::wake);
      }
    });
  }

  @Override
  public String name() {
    return "podgroup-protection";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void wake(Tree group) {
    if (Meta.isDeleting(group) && Meta.hasFinalizer(group, FINALIZER)) {
      loop.add(Key.of(group));
    }
  }

  private void reconcile(Key key) {
    groups.find(key).filter(group -> !hasActivePods(group)).ifPresent(this::release);
  }

  private boolean hasActivePods(Tree group) {
    for (var pod : pods.by(Index.NAMESPACE, Meta.namespace(group))) {
      if (!PodPhase.isTerminal(pod) && group(pod).equals(Meta.name(group))) {
        return true;
      }
    }
    return false;
  }

  private static String group(Tree pod) {
    return pod.textOrEmpty("spec", "schedulingGroup", "podGroupName");
  }

  private void release(Tree group) {
    if (!Meta.isDeleting(group) || !Meta.hasFinalizer(group, FINALIZER)) {
      return;
    }
    var rest = new ArrayList<@Nullable Object>(group.list("metadata", "finalizers"));
    rest.remove(FINALIZER);
    var metadata =
        Tree.of("uid", Meta.uid(group), "resourceVersion", Meta.revision(group))
            .put("finalizers", rest.isEmpty() ? null : rest);
    try {
      environment
          .cluster()
          .patch(
              Resource.POD_GROUPS,
              Meta.namespace(group),
              Meta.name(group),
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
