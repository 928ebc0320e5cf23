package io.berth.kinds.autoscaling;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// `autoscaling/v2 horizontalpodautoscalers`
///
/// Mirrors: registry/autoscaling/horizontalpodautoscaler.autoscalerStrategy,
/// autoscaling/validation.validateHorizontalPodAutoscalerSpec
public final class HorizontalPodAutoscalerStrategy extends PlainStrategy {

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
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    var spec = object.at("spec");
    var version = spec.at("scaleTargetRef", "apiVersion").value();
    validateSpec(
        spec,
        old != null && Objects.equals(version, old.at("spec", "scaleTargetRef", "apiVersion")));
  }

  private static void validateSpec(Cursor spec, boolean knownVersion) {
    spec.at("minReplicas").nonNegative();
    var maximum = spec.at("maxReplicas");
    if (maximum.number() == 0) {
      maximum.declared().missing();
    } else if (maximum.number() < 0) {
      maximum.declared().invalid("must be greater than or equal to 1");
    }
    if (maximum.number() < spec.number("minReplicas")) {
      maximum.invalidNumber("must be greater than or equal to `minReplicas`");
    }
    validateTarget(spec.at("scaleTargetRef"), knownVersion);
    Metrics.validate(spec);
    Behaviors.validate(spec.at("behavior"));
  }

  static void validateTarget(Cursor target, boolean knownVersion) {
    target.at("kind").required().follows(Names::pathSegment);
    target.at("name").required().follows(Names::pathSegment);
    var version = target.at("apiVersion");
    if (!knownVersion && !version.text().contains("/") && !isCoreScalable(target.tree())) {
      version.invalidText("apiVersion must specify API group");
    }
  }

  private static boolean isCoreScalable(Tree target) {
    return target.textOrEmpty("kind").equals("ReplicationController")
        && target.textOrEmpty("apiVersion").equals("v1");
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
