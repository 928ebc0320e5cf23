package io.berth.kinds.apps;

import static io.berth.kinds.apps.Counts.SPEC;
import static io.berth.kinds.apps.Counts.STATUS;

import io.berth.api.FieldErrors;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.ScaleRules;
import io.berth.kinds.core.PodSpecDefaults;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.IntOrPercent;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `apps/v1 deployments`
public final class DeploymentStrategy extends ControllerStrategy {

  private static final String QUARTER = "25%";
  private static final List<String> STRATEGIES = List.of("Recreate", "RollingUpdate");

  public DeploymentStrategy() {
    super(Resource.DEPLOYMENTS, Names.Rule.DNS_SUBDOMAIN);
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.child("spec");
    PodSpecDefaults.applyToTemplate(spec.child("template"));
    spec.putIfAbsent("replicas", 1);
    var strategy = spec.child("strategy");
    if (strategy.textOrEmpty("type").isEmpty()) {
      strategy.put("type", "RollingUpdate");
    }
    if (strategy.textOrEmpty("type").equals("RollingUpdate")) {
      var rolling = strategy.child("rollingUpdate");
      rolling.putIfAbsent("maxUnavailable", QUARTER);
      rolling.putIfAbsent("maxSurge", QUARTER);
    }
    spec.putIfAbsent("revisionHistoryLimit", 10);
    spec.putIfAbsent("progressDeadlineSeconds", 600);
  }

  /// As in Kubernetes, annotations count too: a rollback reads them.
  @Override
  boolean isNewGeneration(Tree object, Tree old) {
    return Fields.differs(object, old, "spec")
        || Fields.differs(object, old, "metadata", "annotations");
  }

  @Override
  void validateSpec(Tree spec, @Nullable Tree old, FieldErrors errors) {
    Counts.notNegative(spec, SPEC, List.of("replicas"), errors);
    PodTemplates.validateForReplicaSet(spec, old, errors);
    validateStrategy(spec.treeOrEmpty("strategy"), errors);
    Counts.notNegative(spec, SPEC, List.of("minReadySeconds", "revisionHistoryLimit"), errors);
    if (spec.get("progressDeadlineSeconds") instanceof Long deadline) {
      var path = SPEC.child("progressDeadlineSeconds");
      Checks.nonNegative(path, deadline, errors);
      if (deadline <= spec.number(0, "minReadySeconds")) {
        errors.invalid(path, deadline, "must be greater than minReadySeconds");
      }
    }
  }

  private static void validateStrategy(Tree strategy, FieldErrors errors) {
    var path = SPEC.child("strategy");
    switch (strategy.textOrEmpty("type")) {
      case "Recreate" -> {
        if (strategy.has("rollingUpdate")) {
          errors.forbidden(
              path.child("rollingUpdate"),
              "may not be specified when strategy `type` is 'Recreate'");
        }
      }
      case "RollingUpdate" -> validateRollingUpdate(strategy.treeOrEmpty("rollingUpdate"), errors);
      default -> errors.notSupported(path, PodTemplates.goStrategy(strategy), STRATEGIES);
    }
  }

  private static void validateRollingUpdate(Tree rolling, FieldErrors errors) {
    var path = SPEC.child("strategy", "rollingUpdate");
    var unavailable = rolling.get("maxUnavailable");
    var surge = rolling.get("maxSurge");
    IntOrPercent.validate(path.child("maxUnavailable"), unavailable, errors);
    IntOrPercent.validate(path.child("maxSurge"), surge, errors);
    if (IntOrPercent.number(unavailable) == 0 && IntOrPercent.number(surge) == 0) {
      errors.invalid(
          path.child("maxUnavailable"), unavailable, "may not be 0 when `maxSurge` is 0");
    }
    IntOrPercent.notMoreThanAll(path.child("maxUnavailable"), unavailable, errors);
  }

  @Override
  boolean statusKeepsLabels() {
    return true;
  }

  @Override
  void validateStatus(Tree object, Tree old, FieldErrors errors) {
    var status = object.treeOrEmpty("status");
    Counts.notNegative(
        status,
        STATUS,
        List.of(
            "observedGeneration",
            "replicas",
            "updatedReplicas",
            "readyReplicas",
            "availableReplicas",
            "unavailableReplicas",
            "terminatingReplicas",
            "collisionCount"),
        errors);
    Counts.withinReplicas(
        status, List.of("updatedReplicas", "readyReplicas", "availableReplicas"), errors);
    Counts.availableWithinReady(status, "readyReplicas", errors);
    Counts.collisionsNotDecremented(object, old, errors);
  }

  @Override
  public ScaleRules scale() {
    return new SpecScale();
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var status = object.treeOrEmpty("status");
    var containers = object.trees("spec", "template", "spec", "containers");
    return Cells.row(
        Cells.name(object),
        "%d/%d".formatted(status.number(0, "readyReplicas"), object.number(0, "spec", "replicas")),
        status.number(0, "updatedReplicas"),
        status.number(0, "availableReplicas"),
        Cells.age(object, now),
        TemplateCells.names(containers),
        TemplateCells.images(containers),
        LabelSelectors.format(object.tree("spec", "selector")));
  }
}
