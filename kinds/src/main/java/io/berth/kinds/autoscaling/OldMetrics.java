package io.berth.kinds.autoscaling;

import io.berth.api.Tree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Metrics as the annotations of `autoscaling/v1` write them, and as `autoscaling/v2` does.
final class OldMetrics {

  /// The field that holds a metric, by its type.
  private static final Map<String, String> FIELDS =
      Map.of(
          "ContainerResource", "containerResource",
          "External", "external",
          "Object", "object",
          "Pods", "pods",
          "Resource", "resource");

  private OldMetrics() {}

  static Tree toOld(Tree metric) {
    return toOld(metric, "target", false);
  }

  static Tree toOldStatus(Tree metric) {
    return toOld(metric, "current", true);
  }

  private static Tree toOld(Tree metric, String field, boolean current) {
    var type = metric.textOrEmpty("type");
    var source = metric.treeOrEmpty(FIELDS.getOrDefault(type, ""));
    var value = source.treeOrEmpty(field);
    var old = new Tree();
    put(old, "name", source.get("name"));
    put(old, "container", source.get("container"));
    put(old, "target", source.get("describedObject"));
    put(old, "metricName", source.at("metric", "name"));
    put(old, selectorName(type), source.at("metric", "selector"));
    var lead = current ? "current" : "target";
    put(old, lead + "AverageUtilization", value.get("averageUtilization"));
    // Only objects have a plain average; elsewhere its name says whose it is.
    put(
        old,
        type.equals("Object") ? "averageValue" : lead + "AverageValue",
        value.get("averageValue"));
    put(old, lead + "Value", value.get("value"));
    return Tree.of("type", type).put(FIELDS.getOrDefault(type, "resource"), old);
  }

  private static void put(Tree tree, String name, @Nullable Object value) {
    if (value != null) {
      tree.put(name, Tree.copyOf(value));
    }
  }

  static Tree toNew(Tree old) {
    return toNew(old, "target", false);
  }

  static Tree toNewStatus(Tree old) {
    return toNew(old, "current", true);
  }

  private static Tree toNew(Tree old, String field, boolean current) {
    var type = old.textOrEmpty("type");
    var place = FIELDS.getOrDefault(type, "resource");
    var source = old.treeOrEmpty(place);
    var metric = new Tree();
    put(metric, "name", source.get("name"));
    put(metric, "container", source.get("container"));
    put(metric, "describedObject", source.get("target"));
    if (source.has("metricName")) {
      var named = Tree.of("name", source.get("metricName"));
      put(named, "selector", source.get(selectorName(type)));
      metric.put("metric", named);
    }
    var lead = current ? "current" : "target";
    var value = new Tree();
    put(value, "averageUtilization", source.get(lead + "AverageUtilization"));
    put(
        value,
        "averageValue",
        source.get(type.equals("Object") ? "averageValue" : lead + "AverageValue"));
    put(value, "value", source.get(lead + "Value"));
    if (!current) {
      value.put("type", kindOf(value));
    }
    return Tree.of("type", type).put(place, metric.put(field, value));
  }

  private static String kindOf(Tree value) {
    if (value.has("averageUtilization")) {
      return "Utilization";
    }
    return value.has("averageValue") ? "AverageValue" : "Value";
  }

  private static String selectorName(String type) {
    return type.equals("External") ? "metricSelector" : "selector";
  }
}
