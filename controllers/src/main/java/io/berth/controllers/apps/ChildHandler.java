package io.berth.controllers.apps;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Informer;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Expectations;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Selector;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Wakes the owners of pods and other children that change.
///
/// A child that nobody controls wakes every owner that might adopt it; one that changed hands wakes
/// both. Own creations and deletions are reported to the expectations on the way.
public final class ChildHandler implements Informer.Handler {

  private final Resource resource;
  private final Cache owners;
  private final Expectations expectations;
  private final Loop loop;
  private final Function<Tree, Selector> selector;

  /// `owners` must be indexed by namespace.
  public ChildHandler(
      Resource resource,
      Cache owners,
      Expectations expectations,
      Loop loop,
      Function<Tree, Selector> selector) {
    this.resource = resource;
    this.owners = owners;
    this.expectations = expectations;
    this.loop = loop;
    this.selector = selector;
  }

  @Override
  public void changed(@Nullable Tree previous, Tree child) {
    var controller = Meta.controllerOf(child);
    if (previous != null) {
      var before = Meta.controllerOf(previous);
      if (before != null && !before.equals(controller)) {
        wake(child, before);
      }
    }
    if (controller == null) {
      if (!Meta.isDeleting(child) && (previous == null || wakesAdopters(previous, child))) {
        wakeAdopters(child);
      }
      return;
    }
    if (previous == null && isOurs(controller)) {
      expectations.created(controller.textOrEmpty("uid"));
    }
    if (Meta.isDeleting(child)) {
      expectations.deleted(controller.textOrEmpty("uid"), Meta.uid(child));
    }
    wake(child, controller);
  }

  @Override
  public void removed(Tree child) {
    var controller = Meta.controllerOf(child);
    if (controller != null) {
      expectations.deleted(controller.textOrEmpty("uid"), Meta.uid(child));
      wake(child, controller);
    }
  }

  private static boolean wakesAdopters(Tree previous, Tree child) {
    return Meta.controllerOf(previous) != null || !Meta.labels(previous).equals(Meta.labels(child));
  }

  private void wakeAdopters(Tree child) {
    for (var owner : owners.by(Index.NAMESPACE, Meta.namespace(child))) {
      if (selector.apply(owner).matches(child)) {
        loop.add(Key.of(owner));
      }
    }
  }

  private void wake(Tree child, Tree controller) {
    if (isOurs(controller)) {
      loop.add(new Key(Meta.namespace(child), controller.textOrEmpty("name")));
    }
  }

  private boolean isOurs(Tree controller) {
    return controller.textOrEmpty("kind").equals(resource.kind())
        && controller.textOrEmpty("apiVersion").equals(resource.apiVersion());
  }
}
