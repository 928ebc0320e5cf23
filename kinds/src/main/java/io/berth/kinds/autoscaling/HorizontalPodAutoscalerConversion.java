package io.berth.kinds.autoscaling;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.kinds.Conversion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Between `autoscaling/v2`, which is stored, and `autoscaling/v1`.
///
/// The old version knows one metric, CPU in percent. As in Kubernetes everything else travels in
/// annotations, in a form of its own, and finds its way back.
///
/// Mirrors:
/// autoscaling/v1.Convert_autoscaling_HorizontalPodAutoscaler_To_v1_HorizontalPodAutoscaler
public final class HorizontalPodAutoscalerConversion implements Conversion {

  private static final String METRICS = "autoscaling.alpha.kubernetes.io/metrics";
  private static final String STATUSES = "autoscaling.alpha.kubernetes.io/current-metrics";
  private static final String CONDITIONS = "autoscaling.alpha.kubernetes.io/conditions";
  private static final String BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";

  @Override
  public Tree toStorage(Tree served) {
    var object = served.copy().put("apiVersion", "autoscaling/v2");
    var metrics = new ArrayList<@Nullable Object>();
    var spec = object.child("spec");
    if (spec.get("targetCPUUtilizationPercentage") instanceof Long percent) {
      metrics.add(cpu("target", Tree.of("type", "Utilization", "averageUtilization", percent)));
    }
    spec.remove("targetCPUUtilizationPercentage");
    for (var old : annotated(object, METRICS)) {
      metrics.add(OldMetrics.toNew(old));
    }
    if (!metrics.isEmpty()) {
      spec.put("metrics", metrics);
    }
    if (read(object, BEHAVIOR) instanceof Tree behavior) {
      spec.put("behavior", behavior);
    }
    if (object.get("status") instanceof Tree status) {
      statusToStorage(object, status);
    }
    removeAnnotations(object);
    return object;
  }

  private static void statusToStorage(Tree object, Tree status) {
    var current = new ArrayList<@Nullable Object>();
    if (status.get("currentCPUUtilizationPercentage") instanceof Long percent) {
      current.add(cpu("current", Tree.of("averageUtilization", percent)));
    }
    status.remove("currentCPUUtilizationPercentage");
    if (status.number(0, "currentReplicas") == 0) {
      status.remove("currentReplicas");
    }
    for (var old : annotated(object, STATUSES)) {
      current.add(OldMetrics.toNewStatus(old));
    }
    if (!current.isEmpty()) {
      status.put("currentMetrics", current);
    }
    var conditions = annotated(object, CONDITIONS);
    if (!conditions.isEmpty()) {
      status.put("conditions", new ArrayList<>(conditions));
    }
  }

  private static Tree cpu(String field, Tree value) {
    return Tree.of("type", "Resource", "resource", Tree.of("name", "cpu", field, value));
  }

  @Override
  public Tree fromStorage(Tree stored) {
    var object = stored.copy().put("apiVersion", "autoscaling/v1");
    var spec = object.child("spec");
    var others = new ArrayList<@Nullable Object>();
    for (var metric : spec.trees("metrics")) {
      var percent = metric.at("resource", "target", "averageUtilization");
      if (isCpu(metric) && percent != null && !spec.has("targetCPUUtilizationPercentage")) {
        spec.put("targetCPUUtilizationPercentage", percent);
      } else {
        others.add(OldMetrics.toOld(metric));
      }
    }
    spec.remove("metrics");
    annotate(object, METRICS, others.isEmpty() ? null : others);
    annotate(object, BEHAVIOR, spec.get("behavior"));
    spec.remove("behavior");
    if (object.get("status") instanceof Tree status) {
      statusFromStorage(object, status);
    }
    return object;
  }

  private static void statusFromStorage(Tree object, Tree status) {
    var others = new ArrayList<@Nullable Object>();
    for (var metric : status.trees("currentMetrics")) {
      var percent = metric.at("resource", "current", "averageUtilization");
      if (isCpu(metric) && percent != null) {
        status.put("currentCPUUtilizationPercentage", percent);
      }
      others.add(OldMetrics.toOldStatus(metric));
    }
    status.remove("currentMetrics");
    status.putIfAbsent("currentReplicas", 0);
    annotate(object, STATUSES, others.isEmpty() ? null : others);
    var conditions = status.list("conditions");
    annotate(object, CONDITIONS, conditions.isEmpty() ? null : conditions);
    status.remove("conditions");
  }

  private static boolean isCpu(Tree metric) {
    return metric.textOrEmpty("type").equals("Resource")
        && metric.textOrEmpty("resource", "name").equals("cpu");
  }

  private static void annotate(Tree object, String name, @Nullable Object value) {
    if (value != null) {
      object.child("metadata").child("annotations").put(name, Json.text(value));
    }
  }

  private static List<Tree> annotated(Tree object, String name) {
    var trees = new ArrayList<Tree>();
    if (read(object, name) instanceof List<?> list) {
      for (var each : list) {
        if (each instanceof Tree tree) {
          trees.add(tree);
        }
      }
    }
    return trees;
  }

  /// What an annotation holds; one that makes no sense holds nothing.
  private static @Nullable Object read(Tree object, String name) {
    var text = object.text("metadata", "annotations", name);
    try {
      return text == null ? null : Json.readValue(text.getBytes(StandardCharsets.UTF_8));
    } catch (SyntaxException e) {
      return null;
    }
  }

  private static void removeAnnotations(Tree object) {
    if (object.at("metadata", "annotations") instanceof Tree annotations) {
      List.of(METRICS, STATUSES, CONDITIONS, BEHAVIOR).forEach(annotations::remove);
      if (annotations.isEmpty()) {
        object.child("metadata").remove("annotations");
      }
    }
  }
}
