package io.berth.controllers.core;

import io.berth.admission.quota.Amounts;
import io.berth.admission.quota.Evaluator;
import io.berth.admission.quota.Evaluators;
import io.berth.admission.quota.Scope;
import io.berth.api.Quantity;
import io.berth.api.Resource;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.Informer;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Catalog;
import io.berth.controllers.runtime.CustomResources;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Keeps the status of ResourceQuotas: what is allowed and what is used.
///
/// Admission adds to `used` when it lets an object in; this controller counts again when objects
/// change or go, with the same evaluators.
public final class ResourceQuotas implements Controller {

  private static final int WORKERS = 4;
  // Many changes in a row are one reason to count.
  private static final Duration SOON = Duration.ofMillis(50);

  private final Environment environment;
  private final Cache quotas;
  private final Evaluators evaluators;
  private final List<Resource> builtIn;
  private final CustomResources custom;
  private final Loop loop;

  public ResourceQuotas(Environment environment) {
    this.environment = environment;
    this.quotas = environment.informers().of(Resource.RESOURCE_QUOTAS).indexed(Index.NAMESPACE);
    this.evaluators =
        new Evaluators(environment.clock(), pod -> pod.textOrEmpty("status", "qosClass"));
    var catalog = new Catalog(environment);
    this.builtIn = catalog.builtIn().stream().filter(Resource::namespaced).toList();
    this.custom = new CustomResources(environment, catalog, _ -> new Waker());
    this.loop = new Loop("resourcequota-controller", WORKERS, environment.timers(), this::count);
    for (var resource : builtIn) {
      environment.informers().of(resource).indexed(Index.NAMESPACE).onAny(this::wake);
    }
    quotas.onAny(quota -> loop.add(Key.of(quota)));
    catalog.definitions().onAny(_ -> quotas.all().forEach(quota -> loop.add(Key.of(quota))));
  }

  @Override
  public String name() {
    return "resourcequotas";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
    custom.close();
  }

  private void wake(Tree object) {
    for (var quota : quotas.by(Index.NAMESPACE, Meta.namespace(object))) {
      loop.addAfter(Key.of(quota), SOON);
    }
  }

  private void count(Key key) {
    var quota = quotas.find(key).orElse(null);
    if (quota == null || Meta.isDeleting(quota)) {
      return;
    }
    if (!isTrue(quota, status(quota, this::remembered))) {
      countAgain(key);
    }
  }

  /// What the caches remember may be older than what admission has charged: before a count is
  /// written it is made from what is there, after the quota was read. A charge in between changes
  /// the quota, and the write is refused.
  private void countAgain(Key key) {
    var quota = environment.cluster().fetch(Resource.RESOURCE_QUOTAS, key.namespace(), key.name());
    var status = status(quota, this::present);
    if (!isTrue(quota, status)) {
      environment
          .cluster()
          .update(
              Resource.RESOURCE_QUOTAS, "status", Tree.ofMap(quota.fields()).put("status", status));
    }
  }

  private static boolean isTrue(Tree quota, Tree status) {
    return Trees.equivalent(status, quota.get("status"));
  }

  private Tree status(Tree quota, BiFunction<Resource, String, Collection<Tree>> objects) {
    var hard = quota.treeOrEmpty("spec", "hard");
    var scopes = Scope.of(quota);
    var used = new TreeMap<String, Quantity>();
    for (var resource : countable()) {
      var evaluator = evaluators.find(resource).orElse(null);
      if (evaluator != null && hard.names().stream().anyMatch(evaluator::counts)) {
        // What nobody counts has no usage, rather than none.
        hard.names().stream()
            .filter(evaluator::counts)
            .forEach(name -> used.putIfAbsent(name, Quantity.ZERO));
        add(used, evaluator, scopes, objects.apply(resource, Meta.namespace(quota)));
      }
    }
    return Tree.of("hard", hard.copy(), "used", Amounts.toTree(Amounts.only(used, hard.names())));
  }

  private List<Resource> countable() {
    var countable = new ArrayList<>(builtIn);
    custom.all().stream().filter(Resource::namespaced).forEach(countable::add);
    return countable;
  }

  private Collection<Tree> remembered(Resource resource, String namespace) {
    if (custom.all().contains(resource)) {
      return custom.in(resource, namespace);
    }
    return environment.informers().of(resource).by(Index.NAMESPACE, namespace);
  }

  private Collection<Tree> present(Resource resource, String namespace) {
    return environment.cluster().list(resource, namespace, Selection.ALL).items();
  }

  private static void add(
      Map<String, Quantity> used,
      Evaluator evaluator,
      List<Scope> scopes,
      Collection<Tree> objects) {
    for (var object : objects) {
      if (scopes.stream().allMatch(scope -> evaluator.isIn(scope, object))) {
        ResourceList.add(used, evaluator.usage(object));
      }
    }
  }

  private final class Waker implements Informer.Handler {

    @Override
    public void changed(@Nullable Tree previous, Tree object) {
      wake(object);
    }

    @Override
    public void removed(Tree object) {
      wake(object);
    }
  }
}
