package io.berth.kinds.autoscaling;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// `autoscaling/v2 horizontalpodautoscalers`
public final class HorizontalPodAutoscalerStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final int CPU_UTILIZATION = 80;
  private static final int METRICS_SHOWN = 2;

  public HorizontalPodAutoscalerStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.child("spec");
    spec.putIfAbsent("minReplicas", 1);
    if (spec.list("metrics").isEmpty()) {
      var target = Tree.of("averageUtilization", CPU_UTILIZATION, "type", "Utilization");
      var cpu = Tree.of("name", "cpu", "target", target);
      spec.put("metrics", List.of(Tree.of("resource", cpu, "type", "Resource")));
    }
    var behavior = spec.tree("behavior");
    if (behavior != null) {
      setBehaviorDefaults(behavior);
    }
  }

  private static void setBehaviorDefaults(Tree behavior) {
    var up = behavior.child("scaleUp");
    up.putIfAbsent("stabilizationWindowSeconds", 0);
    up.putIfAbsent("selectPolicy", "Max");
    if (!up.has("policies")) {
      up.put("policies", List.of(policy("Pods", 4), policy("Percent", 100)));
    }
    var down = behavior.child("scaleDown");
    down.putIfAbsent("selectPolicy", "Max");
    if (!down.has("policies")) {
      down.put("policies", List.of(policy("Percent", 100)));
    }
  }

  private static Tree policy(String type, long value) {
    return Tree.of("type", type, "value", value, "periodSeconds", 15);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put("status", Tree.of("currentMetrics", null, "desiredReplicas", 0));
    Fields.firstGeneration(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
    Fields.countGeneration(object, old, "spec");
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validateSpec(object.treeOrEmpty("spec"), false, errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    boolean sameVersion =
        Objects.equals(
            object.at("spec", "scaleTargetRef", "apiVersion"),
            old.at("spec", "scaleTargetRef", "apiVersion"));
    validateSpec(object.treeOrEmpty("spec"), sameVersion, errors);
  }

  private static void validateSpec(Tree spec, boolean knownVersion, FieldErrors errors) {
    long minimum = spec.number(0, "minReplicas");
    long maximum = spec.number(0, "maxReplicas");
    Checks.nonNegative(SPEC.child("minReplicas"), minimum, errors);
    var path = SPEC.child("maxReplicas");
    if (maximum == 0) {
      errors.declared().required(path);
    } else if (maximum < 0) {
      errors.declared().invalid(path, maximum, "must be greater than or equal to 1");
    }
    if (maximum < minimum) {
      errors.invalid(path, maximum, "must be greater than or equal to `minReplicas`");
    }
    validateTarget(
        spec.treeOrEmpty("scaleTargetRef"), SPEC.child("scaleTargetRef"), knownVersion, errors);
    Metrics.validate(spec, SPEC.child("metrics"), errors);
    Behaviors.validate(spec.treeOrEmpty("behavior"), SPEC.child("behavior"), errors);
  }

  static void validateTarget(
      Tree target, FieldPath path, boolean knownVersion, FieldErrors errors) {
    for (var field : List.of("kind", "name")) {
      var value = target.textOrEmpty(field);
      if (Checks.required(path.child(field), value, errors)) {
        Checks.complaints(path.child(field), value, Names.pathSegment(value, false), errors);
      }
    }
    var version = target.textOrEmpty("apiVersion");
    if (!knownVersion && !version.contains("/") && !isCoreScalable(target)) {
      errors.invalid(path.child("apiVersion"), version, "apiVersion must specify API group");
    }
  }

  private static boolean isCoreScalable(Tree target) {
    return target.textOrEmpty("kind").equals("ReplicationController")
        && target.textOrEmpty("apiVersion").equals("v1");
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusRules());
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var target = object.treeOrEmpty("spec", "scaleTargetRef");
    var minimum = object.at("spec", "minReplicas");
    return Cells.row(
        Cells.name(object),
        target.textOrEmpty("kind") + "/" + target.textOrEmpty("name"),
        metrics(object),
        minimum == null ? Cells.UNSET : minimum.toString(),
        object.number(0, "spec", "maxReplicas"),
        object.number(0, "status", "currentReplicas"),
        Cells.age(object, now));
  }

  private static String metrics(Tree object) {
    var specs = object.trees("spec", "metrics");
    if (specs.isEmpty()) {
      return Cells.NONE;
    }
    var statuses = object.trees("status", "currentMetrics");
    var shown = new ArrayList<String>();
    for (int i = 0; i < specs.size(); i++) {
      shown.add(Metrics.text(specs.get(i), i < statuses.size() ? statuses.get(i) : new Tree()));
    }
    return shown.size() <= METRICS_SHOWN
        ? String.join(", ", shown)
        : "%s + %d more..."
            .formatted(
                String.join(", ", shown.subList(0, METRICS_SHOWN)), shown.size() - METRICS_SHOWN);
  }
}
