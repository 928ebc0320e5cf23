package io.berth.kinds.apps;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.ScaleRules;
import io.berth.kinds.core.Counts;
import io.berth.kinds.core.PodSpecDefaults;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IntOrPercent;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `apps/v1 deployments`
///
/// Mirrors: registry/apps/deployment.deploymentStrategy, apps/validation.ValidateDeploymentSpec
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
  void validateSpec(Cursor spec, @Nullable Tree old) {
    spec.noneNegative("replicas");
    PodTemplates.validateForReplicaSet(spec, old);
    validateStrategy(spec.at("strategy"));
    spec.noneNegative("minReadySeconds", "revisionHistoryLimit");
    var deadline = spec.at("progressDeadlineSeconds").ifSet().nonNegative();
    if (deadline.number() <= spec.number("minReadySeconds")) {
      deadline.invalid("must be greater than minReadySeconds");
    }
  }

  private static void validateStrategy(Cursor strategy) {
    switch (strategy.text("type")) {
      case "Recreate" ->
          strategy.forbidden(
              "may not be specified when strategy `type` is 'Recreate'", "rollingUpdate");
      case "RollingUpdate" -> validateRollingUpdate(strategy.at("rollingUpdate"));
      default -> strategy.notSupported(PodTemplates.goStrategy(strategy.tree()), STRATEGIES);
    }
  }

  private static void validateRollingUpdate(Cursor rolling) {
    var unavailable = rolling.at("maxUnavailable");
    var surge = rolling.at("maxSurge");
    IntOrPercent.validate(unavailable);
    IntOrPercent.validate(surge);
    if (IntOrPercent.number(unavailable.value()) == 0 && IntOrPercent.number(surge.value()) == 0) {
      unavailable.invalid("may not be 0 when `maxSurge` is 0");
    }
    IntOrPercent.notMoreThanAll(unavailable);
  }

  @Override
  boolean statusKeepsLabels() {
    return true;
  }

  @Override
  void validateStatus(Cursor status, Tree old) {
    status.noneNegative(
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "terminatingReplicas",
        "collisionCount");
    Counts.withinReplicas(status, "updatedReplicas", "readyReplicas", "availableReplicas");
    Counts.availableWithinReady(status, "readyReplicas");
    Counts.collisionsNotDecremented(status, old);
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
