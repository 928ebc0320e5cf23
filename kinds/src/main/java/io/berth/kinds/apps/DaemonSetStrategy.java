package io.berth.kinds.apps;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.Write;
import io.berth.kinds.core.Counts;
import io.berth.kinds.core.PodSpecDefaults;
import io.berth.kinds.core.PodSpecValidation;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IntOrPercent;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `apps/v1 daemonsets`
///
/// Mirrors: registry/apps/daemonset.daemonSetStrategy, apps/validation.ValidateDaemonSetSpec
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
  protected void validate(Cursor object, @Nullable Tree old) {
    var spec = object.at("spec");
    var oldSpec = old == null ? null : old.treeOrEmpty("spec");
    if (oldSpec != null) {
      PodTemplates.validateSameSelector(spec, oldSpec);
    }
    validateSpec(spec, oldSpec);
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
  void validateSpec(Cursor spec, @Nullable Tree old) {
    var selector = spec.at("selector");
    LabelSelectors.validate(
        selector, old != null && LabelSelectors.hasBadValues(old.tree("selector")));
    if (!selector.isSet() || LabelSelectors.isWellFormed(selector.tree())) {
      PodTemplates.validateMatch(spec);
    }
    if (selector.isSet() && LabelSelectors.isEmpty(selector.tree())) {
      selector.invalid("empty selector is invalid for daemonset");
    }
    var template = spec.at("template");
    PodSpecValidation.validateTemplate(template, PodTemplates.optionsFor(old));
    PodTemplates.validateRunsOn(template, "DaemonSet");
    spec.noneNegative("minReadySeconds");
    validateUpdateStrategy(spec.at("updateStrategy"));
    spec.noneNegative("revisionHistoryLimit");
  }

  private static void validateUpdateStrategy(Cursor strategy) {
    switch (strategy.text("type")) {
      case "OnDelete" -> {}
      case "RollingUpdate" ->
          strategy.at("rollingUpdate").required().ifSet(DaemonSetStrategy::validateRollingUpdate);
      default -> strategy.notSupported(PodTemplates.goStrategy(strategy.tree()), UPDATE_STRATEGIES);
    }
  }

  private static void validateRollingUpdate(Cursor rolling) {
    var unavailable = rolling.at("maxUnavailable");
    var surge = rolling.at("maxSurge");
    IntOrPercent.validate(unavailable);
    IntOrPercent.validate(surge);
    IntOrPercent.notMoreThanAll(unavailable);
    IntOrPercent.notMoreThanAll(surge);
    boolean surges = IntOrPercent.number(surge.value()) != 0;
    boolean lacks = IntOrPercent.number(unavailable.value()) != 0;
    if (surges && lacks) {
      surge.invalid("may not be set when maxUnavailable is non-zero");
    } else if (!surges && !lacks) {
      unavailable.missing("cannot be 0 when maxSurge is 0");
    }
  }

  @Override
  void validateStatus(Cursor status, Tree old) {
    status.noneNegative(
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
        "observedGeneration",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberUnavailable",
        "collisionCount");
    Counts.collisionsNotDecremented(status, old);
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
