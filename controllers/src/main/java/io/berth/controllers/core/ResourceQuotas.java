package io.berth.controllers.core;

import io.berth.admission.quota.Amounts;
import io.berth.admission.quota.Evaluator;
import io.berth.admission.quota.Evaluators;
import io.berth.admission.quota.Scope;
import io.berth.api.Quantity;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Catalog;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
  private final List<Resource> resources;
  private final Loop loop;

  public ResourceQuotas(Environment environment) {
    this.environment = environment;
    this.quotas = environment.informers().of(Resource.RESOURCE_QUOTAS).indexed(Index.NAMESPACE);
    this.evaluators =
        new Evaluators(environment.clock(), pod -> pod.textOrEmpty("status", "qosClass"));
    this.resources =
        new Catalog(environment.informers())
            .builtIn().stream().filter(Resource::namespaced).toList();
    this.loop = new Loop("resourcequota-controller", WORKERS, environment.timers(), this::count);
    for (var resource : resources) {
      environment.informers().of(resource).indexed(Index.NAMESPACE).onAny(this::wake);
    }
    quotas.onAny(quota -> loop.add(Key.of(quota)));
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
    var hard = quota.treeOrEmpty("spec", "hard");
    var scopes = Scope.of(quota);
    var used = new TreeMap<String, Quantity>();
    hard.names().forEach(name -> used.put(name, Quantity.ZERO));
    for (var resource : resources) {
      var evaluator = evaluators.find(resource).orElse(null);
      if (evaluator != null && hard.names().stream().anyMatch(evaluator::counts)) {
        add(used, resource, evaluator, key.namespace(), scopes);
      }
    }
    var status =
        Tree.of("hard", hard.copy(), "used", Amounts.toTree(Amounts.only(used, hard.names())));
    if (!Trees.equivalent(status, quota.get("status"))) {
      environment
          .cluster()
          .update(
              Resource.RESOURCE_QUOTAS, "status", Tree.ofMap(quota.fields()).put("status", status));
    }
  }

  private void add(
      Map<String, Quantity> used,
      Resource resource,
      Evaluator evaluator,
      String namespace,
      List<Scope> scopes) {
    for (var object : environment.informers().of(resource).by(Index.NAMESPACE, namespace)) {
      if (scopes.stream().allMatch(scope -> evaluator.isIn(scope, object))) {
        Amounts.add(used, evaluator.usage(object));
      }
    }
  }
}
