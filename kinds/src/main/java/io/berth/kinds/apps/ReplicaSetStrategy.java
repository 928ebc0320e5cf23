package io.berth.kinds.apps;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.ScaleRules;
import io.berth.kinds.core.Counts;
import io.berth.kinds.core.PodSpecDefaults;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `apps/v1 replicasets`
///
/// Mirrors: registry/apps/replicaset.rsStrategy, apps/validation.ValidateReplicaSetSpec
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
  void validateSpec(Cursor spec, @Nullable Tree old) {
    spec.noneNegative("replicas", "minReadySeconds");
    PodTemplates.validateForReplicaSet(spec, old);
  }

  @Override
  void validateStatus(Cursor status, Tree old) {
    status.noneNegative(
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "terminatingReplicas",
        "observedGeneration");
    Counts.withinReplicas(status, "fullyLabeledReplicas", "readyReplicas", "availableReplicas");
    Counts.availableWithinReady(status, "readyReplicas");
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
