package io.berth.kinds.apps;

import static io.berth.kinds.apps.Counts.SPEC;
import static io.berth.kinds.apps.Counts.STATUS;

import io.berth.api.FieldErrors;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.ScaleRules;
import io.berth.kinds.core.PersistentVolumeClaimValidation;
import io.berth.kinds.core.PodSpecDefaults;
import io.berth.kinds.core.PodSpecValidation;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.IntOrPercent;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `apps/v1 statefulsets`
public final class StatefulSetStrategy extends ControllerStrategy {

  private static final List<String> RETENTIONS = List.of("Retain", "Delete");
  private static final List<String> IMMUTABLE =
      List.of("volumeClaimTemplates", "serviceName", "podManagementPolicy");

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
      var path = SPEC.child("volumeClaimTemplates").index(i);
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
  void validateSpec(Tree spec, @Nullable Tree old, FieldErrors errors) {
    var policy = spec.textOrEmpty("podManagementPolicy");
    if (!policy.equals("OrderedReady") && !policy.equals("Parallel")) {
      errors.invalid(
          SPEC.child("podManagementPolicy"), policy, "must be 'OrderedReady' or 'Parallel'");
    }
    validateUpdateStrategy(spec.treeOrEmpty("updateStrategy"), errors);
    var retention = spec.treeOrEmpty("persistentVolumeClaimRetentionPolicy");
    for (var moment : List.of("whenDeleted", "whenScaled")) {
      Checks.supported(
          SPEC.child("persistentVolumeClaimRetentionPolicy", moment),
          retention.textOrEmpty(moment),
          RETENTIONS,
          errors);
    }
    if (old == null) {
      validateClaims(spec.trees("volumeClaimTemplates"), errors);
    }
    Counts.notNegative(spec, SPEC, List.of("replicas", "minReadySeconds"), errors);
    Checks.nonNegative(
        SPEC.child("ordinals", "start"), spec.number(0, "ordinals", "start"), errors);
    var service = spec.textOrEmpty("serviceName");
    if (old == null && !service.isEmpty()) {
      Checks.dnsLabel(SPEC.child("serviceName"), service, errors);
    }
    var template = withClaims(spec);
    if (PodTemplates.validateSelector(spec, "statefulset", "", errors)) {
      PodTemplates.validateMatch(spec, errors);
      PodSpecValidation.validateTemplate(
          template, SPEC.child("template"), PodTemplates.optionsFor(old), errors);
    }
    PodTemplates.validateRunsOn(template, "StatefulSet", errors);
  }

  private static void validateClaims(List<Tree> claims, FieldErrors errors) {
    for (int i = 0; i < claims.size(); i++) {
      PersistentVolumeClaimValidation.spec(
          claims.get(i).treeOrEmpty("spec"),
          false,
          false,
          SPEC.child("volumeClaimTemplates").index(i).child("spec"),
          errors);
    }
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

  private static void validateUpdateStrategy(Tree strategy, FieldErrors errors) {
    var path = SPEC.child("updateStrategy");
    var rolling = strategy.tree("rollingUpdate");
    switch (strategy.textOrEmpty("type")) {
      case "OnDelete" -> {
        if (rolling != null) {
          errors.invalid(
              path.child("rollingUpdate"),
              goRollingUpdate(rolling),
              "only allowed for updateStrategy 'RollingUpdate'");
        }
      }
      case "RollingUpdate" -> {
        if (rolling != null) {
          var partition = path.child("rollingUpdate", "partition");
          Checks.nonNegative(partition, rolling.number(0, "partition"), errors);
          validateMaxUnavailable(rolling.get("maxUnavailable"), errors);
        }
      }
      default ->
          errors.invalid(
              path,
              Tree.of(
                  "Type",
                  strategy.textOrEmpty("type"),
                  "RollingUpdate",
                  rolling == null ? null : goRollingUpdate(rolling)),
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

  private static void validateMaxUnavailable(@Nullable Object value, FieldErrors errors) {
    if (value == null) {
      return;
    }
    var path = SPEC.child("updateStrategy", "rollingUpdate", "maxUnavailable");
    IntOrPercent.validate(path, value, errors);
    if (IntOrPercent.number(value) == 0) {
      errors.invalid(path, value, "cannot be 0");
    }
    IntOrPercent.notMoreThanAll(path, value, errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    for (var field : IMMUTABLE) {
      Checks.immutable(SPEC.child(field), object.at("spec", field), old.at("spec", field), errors);
    }
  }

  @Override
  void validateStatus(Tree object, Tree old, FieldErrors errors) {
    var status = object.treeOrEmpty("status");
    Counts.notNegative(
        status,
        STATUS,
        List.of(
            "replicas",
            "readyReplicas",
            "currentReplicas",
            "updatedReplicas",
            "availableReplicas",
            "observedGeneration",
            "collisionCount"),
        errors);
    Counts.withinReplicas(
        status,
        List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"),
        errors);
    Counts.availableWithinReady(status, "status.readyReplicas", errors);
    Counts.collisionsNotDecremented(object, old, errors);
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
