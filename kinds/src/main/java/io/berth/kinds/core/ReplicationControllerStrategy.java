package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.ScaleRules;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Replication controllers, which select by equality only.
public final class ReplicationControllerStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath TEMPLATE = SPEC.child("template");
  private static final List<String> COUNTS =
      List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas");

  public ReplicationControllerStrategy() {
    super(
        Resource.REPLICATION_CONTROLLERS,
        (name, prefix) -> prefix ? Names.pathSegment(name, true) : Names.dnsSubdomain(name));
  }

  @Override
  public void setDefaults(Tree controller) {
    var spec = controller.child("spec");
    var labels = spec.tree("template", "metadata", "labels");
    if (labels != null && !labels.isEmpty()) {
      if (spec.texts("selector").isEmpty()) {
        spec.put("selector", labels.copy());
      }
      if (controller.texts("metadata", "labels").isEmpty()) {
        controller.child("metadata").put("labels", labels.copy());
      }
    }
    spec.putIfAbsent("replicas", 1);
    if (spec.get("template") instanceof Tree template) {
      PodSpecDefaults.applyToTemplate(template);
    }
    controller.child("status").putIfAbsent("replicas", 0);
  }

  @Override
  public void prepareForCreate(Tree controller, Write write) {
    controller.put("status", Tree.of("replicas", 0));
    Fields.firstGeneration(controller);
  }

  @Override
  public void validateCreate(Tree controller, FieldErrors errors) {
    super.validateCreate(controller, errors);
    spec(controller.treeOrEmpty("spec"), PodOptions.TEMPLATE, errors);
  }

  private static void spec(Tree spec, PodOptions options, FieldErrors errors) {
    var selector = spec.texts("selector");
    if (selector.isEmpty()) {
      errors.required(SPEC.child("selector"));
    }
    if (spec.get("template") instanceof Tree template) {
      template(template, selector, options, errors);
    } else {
      errors.required(TEMPLATE);
    }
    Checks.nonNegative(SPEC.child("minReadySeconds"), spec.number(0, "minReadySeconds"), errors);
    Checks.nonNegative(SPEC.child("replicas"), spec.number(0, "replicas"), errors);
  }

  private static void template(
      Tree template, Map<String, String> selector, PodOptions options, FieldErrors errors) {
    var labels = template.texts("metadata", "labels");
    if (!labels.entrySet().containsAll(selector.entrySet())) {
      errors.invalid(
          TEMPLATE.child("metadata", "labels"),
          labels.isEmpty() ? null : labels,
          "`selector` does not match template `labels`");
    }
    PodSpecValidation.validateTemplate(template, TEMPLATE, options, errors);
    var policy = template.textOrEmpty("spec", "restartPolicy");
    if (!policy.equals("Always")) {
      errors.notSupported(TEMPLATE.child("spec", "restartPolicy"), policy, List.of("Always"));
    }
    if (template.at("spec", "activeDeadlineSeconds") != null) {
      errors.forbidden(
          TEMPLATE.child("spec", "activeDeadlineSeconds"),
          "activeDeadlineSeconds in ReplicationController is not Supported");
    }
  }

  @Override
  public List<String> warningsOnCreate(Tree controller) {
    var warnings = new ArrayList<String>();
    var wrong = Names.dnsLabel(controller.textOrEmpty("metadata", "name"));
    if (!wrong.isEmpty()) {
      warnings.add(
          "metadata.name: this is used in Pod names and hostnames, which can result in surprising"
              + " behavior; a DNS label is recommended: ["
              + String.join(" ", wrong)
              + "]");
    }
    warnings.addAll(PodWarnings.of(controller.treeOrEmpty("spec", "template"), TEMPLATE, true));
    return warnings;
  }

  @Override
  public void prepareForUpdate(Tree controller, Tree old, Write write) {
    Fields.keep(controller, old, "status");
    Fields.countGeneration(controller, old, "spec");
  }

  @Override
  public void validateUpdate(Tree controller, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(controller, old, errors);
    spec(
        controller.treeOrEmpty("spec"),
        PodOptions.forTemplate(old.tree("spec", "template")),
        errors);
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of(
        "status",
        new StatusRules() {
          @Override
          public void validateUpdate(Tree controller, Tree old, FieldErrors errors) {
            super.validateUpdate(controller, old, errors);
            status(controller.treeOrEmpty("status"), errors);
          }
        });
  }

  private static void status(Tree status, FieldErrors errors) {
    var path = FieldPath.of("status");
    Checks.nonNegative(path.child("replicas"), status.number(0, "replicas"), errors);
    COUNTS.forEach(field -> Checks.nonNegative(path.child(field), status.number(0, field), errors));
    Checks.nonNegative(
        path.child("observedGeneration"), status.number(0, "observedGeneration"), errors);
    for (var field : COUNTS) {
      long count = status.number(0, field);
      if (count > status.number(0, "replicas")) {
        errors.invalid(path.child(field), count, "cannot be greater than status.replicas");
      }
    }
    long available = status.number(0, "availableReplicas");
    if (available > status.number(0, "readyReplicas")) {
      errors.invalid(
          path.child("availableReplicas"), available, "cannot be greater than readyReplicas");
    }
  }

  @Override
  public Propagation defaultPropagation() {
    return Propagation.ORPHAN;
  }

  @Override
  public ScaleRules scale() {
    return new ScaleRules() {
      @Override
      public long specReplicas(Tree controller) {
        return controller.number(0, "spec", "replicas");
      }

      @Override
      public void setSpecReplicas(Tree controller, long replicas) {
        controller.child("spec").put("replicas", replicas);
      }

      @Override
      public long statusReplicas(Tree controller) {
        return controller.number(0, "status", "replicas");
      }

      @Override
      public String selector(Tree controller) {
        return equalities(controller);
      }
    };
  }

  private static String equalities(Tree controller) {
    var terms = new ArrayList<String>();
    new TreeMap<>(controller.texts("spec", "selector"))
        .forEach((key, value) -> terms.add(key + "=" + value));
    return String.join(",", terms);
  }

  @Override
  public List<@Nullable Object> cells(Tree controller, Instant now) {
    var containers = controller.trees("spec", "template", "spec", "containers");
    return Cells.row(
        Cells.name(controller),
        controller.number(0, "spec", "replicas"),
        controller.number(0, "status", "replicas"),
        controller.number(0, "status", "readyReplicas"),
        Cells.age(controller, now),
        Cells.joined(containers, "name"),
        Cells.joined(containers, "image"),
        Cells.orNone(equalities(controller)));
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("status.replicas");
  }

  @Override
  public String fieldValue(Tree controller, String label) {
    return String.valueOf(controller.number(0, "status", "replicas"));
  }
}
