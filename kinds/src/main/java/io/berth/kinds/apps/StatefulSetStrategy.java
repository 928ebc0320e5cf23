package io.berth.kinds.apps;

import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.ScaleRules;
import io.berth.kinds.core.Counts;
import io.berth.kinds.core.PersistentVolumeClaimValidation;
import io.berth.kinds.core.PodSpecDefaults;
import io.berth.kinds.core.PodSpecValidation;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IntOrPercent;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `apps/v1 statefulsets`
///
/// Mirrors: registry/apps/statefulset.statefulSetStrategy, apps/validation.ValidateStatefulSetSpec
public final class StatefulSetStrategy extends ControllerStrategy {

  private static final FieldPath CLAIMS = FieldPath.of("spec", "volumeClaimTemplates");
  private static final List<String> RETENTIONS = List.of("Retain", "Delete");

  public StatefulSetStrategy() {
    super(Resource.STATEFUL_SETS, Names.Rule.DNS_LABEL);
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.child("spec");
    PodSpecDefaults.applyToTemplate(spec.child("template"));
    for (var claim : spec.trees("volumeClaimTemplates")) {
      claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
      claim.child("spec").putIfAbsent("volumeMode", "Filesystem");
      claim.child("status").putIfAbsent("phase", "Pending");
    }
    if (spec.textOrEmpty("podManagementPolicy").isEmpty()) {
      spec.put("podManagementPolicy", "OrderedReady");
    }
    setUpdateDefaults(spec.child("updateStrategy"));
    var retention = spec.child("persistentVolumeClaimRetentionPolicy");
    for (var moment : List.of("whenDeleted", "whenScaled")) {
      if (retention.textOrEmpty(moment).isEmpty()) {
        retention.put(moment, "Retain");
      }
    }
    spec.putIfAbsent("replicas", 1);
    spec.putIfAbsent("revisionHistoryLimit", 10);
  }

  private static void setUpdateDefaults(Tree strategy) {
    if (strategy.textOrEmpty("type").isEmpty()) {
      strategy.put("type", "RollingUpdate");
      strategy.child("rollingUpdate");
    }
    var rolling = strategy.tree("rollingUpdate");
    if (rolling != null && strategy.textOrEmpty("type").equals("RollingUpdate")) {
      rolling.putIfAbsent("partition", 0);
      rolling.putIfAbsent("maxUnavailable", 1);
    }
  }

  @Override
  public List<String> warningsOnCreate(Tree object) {
    var warnings = new ArrayList<>(PodTemplates.templateWarnings(object));
    warnings.addAll(warnings(object, ""));
    return warnings;
  }

  @Override
  public List<String> warningsOnUpdate(Tree object, Tree old) {
    var warnings = new ArrayList<>(super.warningsOnUpdate(object, old));
    warnings.addAll(warnings(object, "Spec"));
    return warnings;
  }

  private static List<String> warnings(Tree object, String below) {
    var warnings = new ArrayList<String>();
    var claims = object.trees("spec", "volumeClaimTemplates");
    for (int i = 0; i < claims.size(); i++) {
      var path = CLAIMS.index(i);
      warnings.addAll(
          PersistentVolumeClaimValidation.warnings(
              claims.get(i).treeOrEmpty("spec"), below.isEmpty() ? path : path.child(below)));
    }
    if (object.number(0, "spec", "revisionHistoryLimit") < 0) {
      warnings.add(
          "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value"
              + " >= 0 is recommended");
    }
    return warnings;
  }

  @Override
  Tree newStatus() {
    return Tree.of("availableReplicas", 0, "replicas", 0);
  }

  @Override
  void validateSpec(Cursor spec, @Nullable Tree old) {
    var policy = spec.at("podManagementPolicy");
    if (!policy.is("OrderedReady") && !policy.is("Parallel")) {
      policy.invalidText("must be 'OrderedReady' or 'Parallel'");
    }
    validateUpdateStrategy(spec.at("updateStrategy"));
    spec.at("persistentVolumeClaimRetentionPolicy", "whenDeleted").supported(RETENTIONS);
    spec.at("persistentVolumeClaimRetentionPolicy", "whenScaled").supported(RETENTIONS);
    if (old == null) {
      for (var claim : spec.each("volumeClaimTemplates")) {
        PersistentVolumeClaimValidation.spec(claim.at("spec"), false, false);
      }
    }
    spec.noneNegative("replicas", "minReadySeconds");
    spec.at("ordinals", "start").nonNegative();
    if (old == null) {
      spec.at("serviceName").ifFilled().follows(Names::dnsLabel);
    }
    var template = spec.at("template").with(withClaims(spec.tree()));
    if (PodTemplates.validateSelector(spec, "statefulset", "")) {
      PodTemplates.validateMatch(spec);
      PodSpecValidation.validateTemplate(template, PodTemplates.optionsFor(old));
    }
    PodTemplates.validateRunsOn(template, "StatefulSet");
  }

  /// The template as its pods will be: with the volumes that the claims become, and without the
  /// host names that the controller sets.
  private static Tree withClaims(Tree spec) {
    var template = spec.treeOrEmpty("template").copy();
    template.child("spec").remove("subdomain");
    template.child("spec").remove("hostname");
    var claims = new HashSet<String>();
    var volumes = new ArrayList<@Nullable Object>();
    for (var claim : spec.trees("volumeClaimTemplates")) {
      var name = claim.textOrEmpty("metadata", "name");
      if (claims.add(name)) {
        volumes.add(Tree.of("name", name, "persistentVolumeClaim", Tree.of("claimName", name)));
      }
    }
    if (volumes.isEmpty()) {
      return template;
    }
    template.trees("spec", "volumes").stream()
        .filter(volume -> !claims.contains(volume.textOrEmpty("name")))
        .forEach(volumes::add);
    template.child("spec").put("volumes", volumes);
    return template;
  }

  private static void validateUpdateStrategy(Cursor strategy) {
    var rolling = strategy.at("rollingUpdate");
    var shown = rolling.isSet() ? goRollingUpdate(rolling.tree()) : null;
    switch (strategy.text("type")) {
      case "OnDelete" ->
          rolling.ifSet().invalid(shown, "only allowed for updateStrategy 'RollingUpdate'");
      case "RollingUpdate" -> {
        rolling.at("partition").nonNegative();
        rolling.at("maxUnavailable").ifSet(StatefulSetStrategy::validateMaxUnavailable);
      }
      default ->
          strategy.invalid(
              Tree.of("Type", strategy.text("type"), "RollingUpdate", shown),
              "must be 'RollingUpdate' or 'OnDelete'");
    }
  }

  private static Tree goRollingUpdate(Tree rolling) {
    return Tree.of(
        "Partition",
        rolling.number(0, "partition"),
        "MaxUnavailable",
        rolling.get("maxUnavailable"));
  }

  private static void validateMaxUnavailable(Cursor value) {
    IntOrPercent.validate(value);
    if (IntOrPercent.number(value.value()) == 0) {
      value.invalid("cannot be 0");
    }
    IntOrPercent.notMoreThanAll(value);
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    object
        .at("spec")
        .immutable(
            old.treeOrEmpty("spec"), "volumeClaimTemplates", "serviceName", "podManagementPolicy");
  }

  @Override
  void validateStatus(Cursor status, Tree old) {
    status.noneNegative(
        "replicas",
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas",
        "observedGeneration",
        "collisionCount");
    Counts.withinReplicas(
        status, "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas");
    Counts.availableWithinReady(status, "status.readyReplicas");
    Counts.collisionsNotDecremented(status, old);
  }

  @Override
  public ScaleRules scale() {
    return new SpecScale();
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var containers = object.trees("spec", "template", "spec", "containers");
    return Cells.row(
        Cells.name(object),
        "%d/%d"
            .formatted(
                object.number(0, "status", "readyReplicas"), object.number(0, "spec", "replicas")),
        Cells.age(object, now),
        TemplateCells.names(containers),
        TemplateCells.images(containers));
  }
}
