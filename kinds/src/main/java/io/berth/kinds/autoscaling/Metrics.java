package io.berth.kinds.autoscaling;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.List;
import java.util.Map;

/// What an autoscaler looks at.
///
/// Mirrors: autoscaling/validation.validateMetrics, validateMetricSpec
final class Metrics {

  private static final Map<String, String> FIELDS =
      Map.of(
          "ContainerResource", "containerResource",
          "External", "external",
          "Object", "object",
          "Pods", "pods",
          "Resource", "resource");

  /// The first source in this order is looked at, whatever the type says.
  private static final List<String> ORDER =
      List.of("object", "external", "pods", "resource", "containerResource");

  private static final List<String> TYPES =
      List.of("ContainerResource", "External", "Object", "Pods", "Resource");

  private Metrics() {}

  static void validate(Cursor spec) {
    boolean outside = false;
    for (var metric : spec.each("metrics")) {
      metric(metric);
      var type = metric.text("type");
      outside |= type.equals("Object") || type.equals("External");
    }
    if (spec.at("minReplicas").isSet() && spec.number("minReplicas") == 0 && !outside) {
      spec.at("metrics")
          .forbidden(
              "must specify at least one Object or External metric to support scaling to zero"
                  + " replicas");
    }
  }

  private static void metric(Cursor metric) {
    var type = metric.at("type");
    type.required("must specify a metric source type");
    type.supported(TYPES);
    var field = FIELDS.getOrDefault(type.text(), "");
    var present = ORDER.stream().filter(metric::has).toList();
    if (!present.isEmpty()) {
      source(metric.at(present.getFirst()));
    }
    if (!field.isEmpty() && !metric.has(field)) {
      metric.at(field).missing("must populate information for the given metric source");
    }
    for (var name : present) {
      if (present.size() > 1 && !name.equals(field)) {
        metric.at(name).forbidden("must populate the given metric source only");
      }
    }
  }

  private static void source(Cursor source) {
    var field = source.name();
    var target = source.at("target");
    if (field.equals("resource") || field.equals("containerResource")) {
      source.at("name").required("must specify a resource name");
      if (field.equals("containerResource")) {
        source.at("container").required("must specify a container");
      }
      target(target);
      exclusive(target);
      return;
    }
    if (field.equals("object")) {
      HorizontalPodAutoscalerStrategy.validateTarget(source.at("describedObject"), true);
    }
    source.at("metric", "name").required("must specify a metric name").follows(Names::pathSegment);
    target(target);
    if (!target.has("averageValue") && (field.equals("pods") || !target.has("value"))) {
      target.at("averageValue").missing(missing(field));
    } else if (field.equals("external") && target.has("averageValue")) {
      target.forbidden("may not set both a target value for metric and a per-pod target", "value");
    }
  }

  private static String missing(String field) {
    return switch (field) {
      case "pods" -> "must specify a positive target averageValue";
      case "external" -> "must set either a target value for metric or a per-pod target";
      default -> "must set either a target value or averageValue";
    };
  }

  private static void exclusive(Cursor target) {
    boolean utilization = target.has("averageUtilization");
    boolean value = target.has("averageValue");
    if (!utilization && !value) {
      target
          .at("averageUtilization")
          .missing("must set either a target raw value or a target utilization");
    } else if (utilization && value) {
      target
          .at("averageValue")
          .forbidden("may not set both a target raw value and a target utilization");
    }
  }

  private static void target(Cursor target) {
    var type = target.at("type");
    type.required("must specify a metric target type");
    if (!List.of("Utilization", "Value", "AverageValue").contains(type.text())) {
      type.invalidText("must be either Utilization, Value, or AverageValue");
    }
    for (var amount : target.fields("value", "averageValue")) {
      if (amount.isSet() && Quantity.parse(amount.text()).amount().signum() <= 0) {
        amount.invalid("must be positive");
      }
    }
    var utilization = target.at("averageUtilization").ifSet();
    if (utilization.number() < 1) {
      utilization.invalid("must be greater than 0");
    }
  }

  /// `cpu: 20%/80%`, as tables show it.
  static String text(Tree metric, Tree status) {
    var field = FIELDS.getOrDefault(metric.textOrEmpty("type"), "");
    var target = metric.treeOrEmpty(field, "target");
    var current = status.treeOrEmpty(field, "current");
    boolean byResource = field.equals("resource") || field.equals("containerResource");
    var prefix = byResource ? metric.textOrEmpty(field, "name") + ": " : "";
    if (target.has("averageValue")) {
      var suffix = byResource || field.equals("pods") ? "" : " (avg)";
      return prefix + known(current, "averageValue") + "/" + target.text("averageValue") + suffix;
    }
    if (byResource) {
      return prefix + percent(current, Cells.UNKNOWN) + "/" + percent(target, "<auto>");
    }
    return known(current, "value") + "/" + target.textOrEmpty("value");
  }

  private static String known(Tree current, String field) {
    var text = current.text(field);
    return text == null ? Cells.UNKNOWN : text;
  }

  private static String percent(Tree target, String otherwise) {
    return target.get("averageUtilization") instanceof Long percent ? percent + "%" : otherwise;
  }
}
