package io.berth.controllers.core;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.PatchType;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Catalog;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.schema.policy.TypeCheck;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Checks the expressions of validating admission policies against the types they are about, and
/// writes what it finds into their status.
public final class PolicyTypeChecks implements Controller {

  private static final Resource POLICIES =
      new Resource(
          "admissionregistration.k8s.io",
          "v1",
          "validatingadmissionpolicies",
          "ValidatingAdmissionPolicy",
          false);

  private final Environment environment;
  private final Cache policies;
  private final Served served;
  private final Loop loop;

  public PolicyTypeChecks(Environment environment) {
    this.environment = environment;
    this.policies = environment.informers().of(POLICIES);
    this.served = new Served(new Catalog(environment));
    this.loop = new Loop(name(), 1, environment.timers(), this::reconcile);
    policies.onAny(policy -> loop.add(Key.of(policy)));
  }

  @Override
  public String name() {
    return "validatingadmissionpolicy-status";
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
    policies.find(key).filter(PolicyTypeChecks::isUnchecked).ifPresent(this::check);
  }

  private static boolean isUnchecked(Tree policy) {
    return policy.number(0, "metadata", "generation")
        > policy.number(0, "status", "observedGeneration");
  }

  private void check(Tree policy) {
    var warnings = TypeCheck.warnings(policy.treeOrEmpty("spec"), served);
    // A merge patch: what was found before and is no longer is taken away by the null.
    var checking =
        new Tree()
            .put(
                "expressionWarnings",
                warnings.isEmpty() ? null : new ArrayList<@Nullable Object>(warnings));
    var status =
        Tree.of(
            "observedGeneration",
            policy.number(0, "metadata", "generation"),
            "typeChecking",
            checking);
    try {
      environment
          .cluster()
          .patch(
              POLICIES,
              "",
              Meta.name(policy),
              "status",
              PatchType.MERGE,
              Tree.of("status", status));
    } catch (ApiException e) {
      if (!e.is("NotFound")) {
        throw e;
      }
    }
  }

  /// The kinds of the cluster, built in and custom.
  private record Served(Catalog catalog) implements TypeCheck.Kinds {

    @Override
    public @Nullable String kind(String group, String version, String plural) {
      for (var resource : catalog.builtIn()) {
        if (resource.group().equals(group) && resource.plural().equals(plural)) {
          return resource.kind();
        }
      }
      for (var definition : catalog.definitions().all()) {
        if (definition.textOrEmpty("spec", "names", "plural").equals(plural)
            && version(definition, group, version) != null) {
          return definition.textOrEmpty("spec", "names", "kind");
        }
      }
      return null;
    }

    @Override
    public @Nullable Tree schema(String group, String version, String kind) {
      for (var definition : catalog.definitions().all()) {
        if (definition.textOrEmpty("spec", "names", "kind").equals(kind)) {
          var found = version(definition, group, version);
          if (found != null) {
            return Objects.requireNonNullElse(found.tree("schema", "openAPIV3Schema"), new Tree());
          }
        }
      }
      return null;
    }

    private static @Nullable Tree version(Tree definition, String group, String version) {
      if (!definition.textOrEmpty("spec", "group").equals(group)) {
        return null;
      }
      for (var each : definition.trees("spec", "versions")) {
        if (each.textOrEmpty("name").equals(version) && each.flag("served")) {
          return each;
        }
      }
      return null;
    }
  }
}
