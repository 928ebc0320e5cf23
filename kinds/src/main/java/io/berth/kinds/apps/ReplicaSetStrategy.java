package io.berth.kinds.apps;

import static io.berth.kinds.apps.Counts.SPEC;
import static io.berth.kinds.apps.Counts.STATUS;

import io.berth.api.FieldErrors;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.ScaleRules;
import io.berth.kinds.core.PodSpecDefaults;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `apps/v1 replicasets`
public final class ReplicaSetStrategy extends ControllerStrategy {

  public ReplicaSetStrategy() {
    super(Resource.REPLICA_SETS, Names.Rule.DNS_SUBDOMAIN);
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.child("spec");
    PodSpecDefaults.applyToTemplate(spec.child("template"));
    spec.putIfAbsent("replicas", 1);
  }

  @Override
  Tree newStatus() {
    return Tree.of("replicas", 0);
  }

  @Override
  void validateSpec(Tree spec, @Nullable Tree old, FieldErrors errors) {
    Counts.notNegative(spec, SPEC, List.of("replicas", "minReadySeconds"), errors);
    PodTemplates.validateForReplicaSet(spec, old, errors);
  }

  @Override
  void validateStatus(Tree object, Tree old, FieldErrors errors) {
    var status = object.treeOrEmpty("status");
    Counts.notNegative(
        status,
        STATUS,
        List.of(
            "replicas",
            "fullyLabeledReplicas",
            "readyReplicas",
            "availableReplicas",
            "terminatingReplicas",
            "observedGeneration"),
        errors);
    Counts.withinReplicas(
        status, List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"), errors);
    Counts.availableWithinReady(status, "readyReplicas", errors);
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
        object.number(0, "spec", "replicas"),
        status.number(0, "replicas"),
        status.number(0, "readyReplicas"),
        Cells.age(object, now),
        TemplateCells.names(containers),
        TemplateCells.images(containers),
        LabelSelectors.format(object.tree("spec", "selector")));
  }
}
