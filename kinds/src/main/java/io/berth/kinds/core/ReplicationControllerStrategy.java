package io.berth.kinds.core;

import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.ScaleRules;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Replication controllers, which select by equality only.
///
/// Mirrors: registry/core/replicationcontroller.rcStrategy,
/// core/validation.ValidateReplicationControllerSpec
public final class ReplicationControllerStrategy extends PlainStrategy {

  private static final FieldPath TEMPLATE = FieldPath.of("spec", "template");
  private static final String[] COUNTS = {
    "fullyLabeledReplicas", "readyReplicas", "availableReplicas"
  };

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
  }

  @Override
  protected void validate(Cursor controller, @Nullable Tree old) {
    var spec = controller.at("spec");
    var selector = spec.at("selector").texts();
    if (selector.isEmpty()) {
      spec.at("selector").missing();
    }
    var options = PodOptions.forTemplate(old == null ? null : old.tree("spec", "template"));
    spec.at("template").required().ifSet(each -> template(each, selector, options));
    spec.noneNegative("minReadySeconds", "replicas");
  }

  private static void template(Cursor template, Map<String, String> selector, PodOptions options) {
    var labels = template.at("metadata", "labels");
    if (!labels.texts().entrySet().containsAll(selector.entrySet())) {
      labels.invalid(
          labels.texts().isEmpty() ? null : labels.texts(),
          "`selector` does not match template `labels`");
    }
    PodSpecValidation.validateTemplate(template, options);
    template.at("spec", "restartPolicy").supported(List.of("Always"));
    template
        .at("spec")
        .forbidden(
            "activeDeadlineSeconds in ReplicationController is not Supported",
            "activeDeadlineSeconds");
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
  public Map<String, UpdateRules> subresources() {
    return Map.of(
        "status",
        new StatusRules() {
          @Override
          public void validateUpdate(Cursor controller, Tree old) {
            super.validateUpdate(controller, old);
            status(controller.at("status"));
          }
        });
  }

  private static void status(Cursor status) {
    status.noneNegative("replicas");
    status.noneNegative(COUNTS);
    status.noneNegative("observedGeneration");
    Counts.withinReplicas(status, COUNTS);
    Counts.availableWithinReady(status, "readyReplicas");
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
