package io.berth.kinds.autoscaling;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.List;
import java.util.Map;

/// What an autoscaler looks at.
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

  private final FieldErrors errors;

  private Metrics(FieldErrors errors) {
    this.errors = errors;
  }

  static void validate(Tree spec, FieldPath path, FieldErrors errors) {
    var metrics = spec.trees("metrics");
    boolean outside = false;
    for (int i = 0; i < metrics.size(); i++) {
      new Metrics(errors).metric(metrics.get(i), path.index(i));
      var type = metrics.get(i).textOrEmpty("type");
      outside |= type.equals("Object") || type.equals("External");
    }
    if (spec.number(1, "minReplicas") == 0 && !outside) {
      errors.forbidden(
          path,
          "must specify at least one Object or External metric to support scaling to zero"
              + " replicas");
    }
  }

  private void metric(Tree metric, FieldPath path) {
    var type = metric.textOrEmpty("type");
    if (type.isEmpty()) {
      errors.required(path.child("type"), "must specify a metric source type");
    }
    var field = FIELDS.getOrDefault(type, "");
    if (field.isEmpty()) {
      errors.notSupported(path.child("type"), type, TYPES);
    }
    var present = ORDER.stream().filter(metric::has).toList();
    if (!present.isEmpty()) {
      var first = present.getFirst();
      source(first, metric.treeOrEmpty(first), path.child(first));
    }
    if (!field.isEmpty() && !metric.has(field)) {
      errors.required(path.child(field), "must populate information for the given metric source");
    }
    for (var name : present) {
      if (present.size() > 1 && !name.equals(field)) {
        errors.forbidden(path.child(name), "must populate the given metric source only");
      }
    }
  }

  private void source(String field, Tree source, FieldPath path) {
    var target = source.treeOrEmpty("target");
    boolean byResource = field.equals("resource") || field.equals("containerResource");
    if (byResource) {
      if (source.textOrEmpty("name").isEmpty()) {
        errors.required(path.child("name"), "must specify a resource name");
      }
      if (field.equals("containerResource") && source.textOrEmpty("container").isEmpty()) {
        errors.required(path.child("container"), "must specify a container");
      }
    } else {
      if (field.equals("object")) {
        HorizontalPodAutoscalerStrategy.validateTarget(
            source.treeOrEmpty("describedObject"), path.child("describedObject"), true, errors);
      }
      identifier(source.treeOrEmpty("metric"), path.child("metric"));
    }
    target(target, path.child("target"));
    if (byResource) {
      exclusive(target, path.child("target"));
    } else if (!target.has("averageValue") && (field.equals("pods") || !target.has("value"))) {
      errors.required(path.child("target", "averageValue"), missing(field));
    } else if (field.equals("external") && target.has("averageValue") && target.has("value")) {
      errors.forbidden(
          path.child("target", "value"),
          "may not set both a target value for metric and a per-pod target");
    }
  }

  private static String missing(String field) {
    return switch (field) {
      case "pods" -> "must specify a positive target averageValue";
      case "external" -> "must set either a target value for metric or a per-pod target";
      default -> "must set either a target value or averageValue";
    };
  }

  private void exclusive(Tree target, FieldPath path) {
    boolean utilization = target.has("averageUtilization");
    boolean value = target.has("averageValue");
    if (!utilization && !value) {
      errors.required(
          path.child("averageUtilization"),
          "must set either a target raw value or a target utilization");
    } else if (utilization && value) {
      errors.forbidden(
          path.child("averageValue"),
          "may not set both a target raw value and a target utilization");
    }
  }

  private void identifier(Tree metric, FieldPath path) {
    var name = metric.textOrEmpty("name");
    if (name.isEmpty()) {
      errors.required(path.child("name"), "must specify a metric name");
    } else {
      Checks.complaints(path.child("name"), name, Names.pathSegment(name, false), errors);
    }
  }

  private void target(Tree target, FieldPath path) {
    var type = target.textOrEmpty("type");
    if (type.isEmpty()) {
      errors.required(path.child("type"), "must specify a metric target type");
    }
    if (!List.of("Utilization", "Value", "AverageValue").contains(type)) {
      errors.invalid(
          path.child("type"), type, "must be either Utilization, Value, or AverageValue");
    }
    for (var field : List.of("value", "averageValue")) {
      var text = target.text(field);
      if (text != null && Quantity.parse(text).amount().signum() <= 0) {
        errors.invalid(path.child(field), text, "must be positive");
      }
    }
    if (target.get("averageUtilization") instanceof Long utilization && utilization < 1) {
      errors.invalid(path.child("averageUtilization"), utilization, "must be greater than 0");
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
