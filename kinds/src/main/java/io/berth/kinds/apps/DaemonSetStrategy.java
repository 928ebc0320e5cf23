package io.berth.kinds.apps;

import static io.berth.kinds.apps.Counts.SPEC;
import static io.berth.kinds.apps.Counts.STATUS;

import io.berth.api.FieldErrors;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.Write;
import io.berth.kinds.core.PodSpecDefaults;
import io.berth.kinds.core.PodSpecValidation;
import io.berth.kinds.meta.IntOrPercent;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `apps/v1 daemonsets`
public final class DaemonSetStrategy extends ControllerStrategy {

  /// Counts templates, from when that was a field; kept for clients that still read it.
  private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

  private static final List<String> UPDATE_STRATEGIES = List.of("RollingUpdate", "OnDelete");

  public DaemonSetStrategy() {
    super(Resource.DAEMON_SETS, Names.Rule.DNS_SUBDOMAIN);
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.child("spec");
    PodSpecDefaults.applyToTemplate(spec.child("template"));
    var strategy = spec.child("updateStrategy");
    if (strategy.textOrEmpty("type").isEmpty()) {
      strategy.put("type", "RollingUpdate");
    }
    if (strategy.textOrEmpty("type").equals("RollingUpdate")) {
      var rolling = strategy.child("rollingUpdate");
      rolling.putIfAbsent("maxUnavailable", 1);
      rolling.putIfAbsent("maxSurge", 0);
    }
    spec.putIfAbsent("revisionHistoryLimit", 10);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    super.prepareForCreate(object, write);
    object.putAt("1", "metadata", "annotations", TEMPLATE_GENERATION);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    super.prepareForUpdate(object, old, write);
    long generation = templateGeneration(old);
    if (Fields.differs(object, old, "spec", "template")) {
      generation++;
    }
    object.putAt(Long.toString(generation), "metadata", "annotations", TEMPLATE_GENERATION);
  }

  private static long templateGeneration(Tree object) {
    try {
      return Long.parseLong(object.textOrEmpty("metadata", "annotations", TEMPLATE_GENERATION));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(object, old, errors);
    PodTemplates.validateSameSelector(object, old, errors);
    validateSpec(object.treeOrEmpty("spec"), old.treeOrEmpty("spec"), errors);
  }

  @Override
  Tree newStatus() {
    return Tree.of(
        "currentNumberScheduled",
        0,
        "desiredNumberScheduled",
        0,
        "numberMisscheduled",
        0,
        "numberReady",
        0);
  }

  @Override
  void validateSpec(Tree spec, @Nullable Tree old, FieldErrors errors) {
    var path = SPEC.child("selector");
    var selector = spec.tree("selector");
    boolean lenient = old != null && LabelSelectors.hasBadValues(old.tree("selector"));
    LabelSelectors.validate(selector, lenient, path, errors);
    if (selector == null || LabelSelectors.isWellFormed(selector)) {
      PodTemplates.validateMatch(spec, errors);
    }
    if (selector != null && LabelSelectors.isEmpty(selector)) {
      errors.invalid(path, selector, "empty selector is invalid for daemonset");
    }
    var template = spec.treeOrEmpty("template");
    PodSpecValidation.validateTemplate(
        template, SPEC.child("template"), PodTemplates.optionsFor(old), errors);
    PodTemplates.validateRunsOn(template, "DaemonSet", errors);
    Counts.notNegative(spec, SPEC, List.of("minReadySeconds"), errors);
    validateUpdateStrategy(spec.treeOrEmpty("updateStrategy"), errors);
    Counts.notNegative(spec, SPEC, List.of("revisionHistoryLimit"), errors);
  }

  private static void validateUpdateStrategy(Tree strategy, FieldErrors errors) {
    var path = SPEC.child("updateStrategy");
    switch (strategy.textOrEmpty("type")) {
      case "OnDelete" -> {}
      case "RollingUpdate" -> {
        var rolling = strategy.tree("rollingUpdate");
        if (rolling != null) {
          validateRollingUpdate(rolling, errors);
        } else {
          errors.required(path.child("rollingUpdate"));
        }
      }
      default -> errors.notSupported(path, PodTemplates.goStrategy(strategy), UPDATE_STRATEGIES);
    }
  }

  private static void validateRollingUpdate(Tree rolling, FieldErrors errors) {
    var path = SPEC.child("updateStrategy", "rollingUpdate");
    var unavailable = rolling.get("maxUnavailable");
    var surge = rolling.get("maxSurge");
    IntOrPercent.validate(path.child("maxUnavailable"), unavailable, errors);
    IntOrPercent.validate(path.child("maxSurge"), surge, errors);
    IntOrPercent.notMoreThanAll(path.child("maxUnavailable"), unavailable, errors);
    IntOrPercent.notMoreThanAll(path.child("maxSurge"), surge, errors);
    boolean surges = IntOrPercent.number(surge) != 0;
    boolean lacks = IntOrPercent.number(unavailable) != 0;
    if (surges && lacks) {
      errors.invalid(
          path.child("maxSurge"), surge, "may not be set when maxUnavailable is non-zero");
    } else if (!surges && !lacks) {
      errors.required(path.child("maxUnavailable"), "cannot be 0 when maxSurge is 0");
    }
  }

  @Override
  void validateStatus(Tree object, Tree old, FieldErrors errors) {
    Counts.notNegative(
        object.treeOrEmpty("status"),
        STATUS,
        List.of(
            "currentNumberScheduled",
            "numberMisscheduled",
            "desiredNumberScheduled",
            "numberReady",
            "observedGeneration",
            "updatedNumberScheduled",
            "numberAvailable",
            "numberUnavailable",
            "collisionCount"),
        errors);
    Counts.collisionsNotDecremented(object, old, errors);
  }

  /// Without the annotation: it is a field that only whole objects write so.
  @Override
  public Tree metadata(Tree object) {
    var metadata = object.treeOrEmpty("metadata").copy();
    var annotations = metadata.child("annotations");
    annotations.remove(TEMPLATE_GENERATION);
    if (annotations.names().isEmpty()) {
      metadata.remove("annotations");
    }
    return metadata;
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var status = object.treeOrEmpty("status");
    var template = object.treeOrEmpty("spec", "template", "spec");
    return Cells.row(
        Cells.name(object),
        status.number(0, "desiredNumberScheduled"),
        status.number(0, "currentNumberScheduled"),
        status.number(0, "numberReady"),
        status.number(0, "updatedNumberScheduled"),
        status.number(0, "numberAvailable"),
        labels(template.texts("nodeSelector")),
        Cells.age(object, now),
        TemplateCells.names(template.trees("containers")),
        TemplateCells.images(template.trees("containers")),
        LabelSelectors.format(object.tree("spec", "selector")));
  }

  private static String labels(Map<String, String> labels) {
    return Cells.orNone(
        new TreeMap<>(labels)
            .entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(",")));
  }
}
