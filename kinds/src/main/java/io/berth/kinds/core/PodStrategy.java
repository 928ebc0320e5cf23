package io.berth.kinds.core;

import io.berth.api.FieldPath;
import io.berth.api.PodPhase;
import io.berth.api.QosClass;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.Strategy;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Pods: what they default to, what a new one must be, what may still change.
///
/// Mirrors: registry/core/pod.podStrategy, core/validation.ValidatePodCreate
public final class PodStrategy implements Strategy {

  private static final Set<String> FIELD_LABELS =
      Set.of(
          "spec.nodeName",
          "spec.restartPolicy",
          "spec.schedulerName",
          "spec.serviceAccountName",
          "spec.hostNetwork",
          "status.phase",
          "status.podIP",
          "status.podIPs",
          "status.nominatedNodeName");

  @Override
  public void setDefaults(Tree pod) {
    PodDefaults.apply(pod);
  }

  @Override
  public void prepareForCreate(Tree pod, Write write) {
    var status = Tree.of("phase", "Pending");
    pod.put("status", status);
    var spec = pod.child("spec");
    if (!spec.list("schedulingGates").isEmpty()) {
      status.put("conditions", List.of(gatedCondition(write)));
    }
    PodLabelKeys.merge(pod);
    PodLevelDefaults.apply(spec);
    status.put("qosClass", QosClass.of(spec).word());
  }

  private static Tree gatedCondition(Write write) {
    return Tree.of(
        "type",
        "PodScheduled",
        "status",
        "False",
        "lastProbeTime",
        null,
        "lastTransitionTime",
        write.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        "reason",
        "SchedulingGated",
        "message",
        "Scheduling is blocked due to non-empty scheduling gates");
  }

  @Override
  public void validateCreate(Cursor pod) {
    validateMetadataAndSpec(pod, PodOptions.POD);
    var spec = pod.at("spec");
    spec.at("ephemeralContainers").ifFilled().forbidden("cannot be set on create");
    if (!spec.at("schedulingGates").isEmpty()) {
      spec.at("nodeName")
          .ifFilled()
          .forbidden("cannot be set until all schedulingGates have been cleared");
    }
    PodAnnotations.validateProfiles(pod.at("metadata", "annotations").texts(), spec);
  }

  static void validateMetadataAndSpec(Cursor pod, PodOptions options) {
    ObjectMeta.validate(pod, true, Names.Rule.DNS_SUBDOMAIN);
    var spec = pod.at("spec");
    PodAnnotations.validate(pod.at("metadata", "annotations"), spec);
    PodSpecValidation.validate(spec, pod.at("metadata").tree(), options);
    if (spec.text("serviceAccountName").isEmpty()) {
      forbidTokens(spec);
    }
    spec.at("terminationGracePeriodSeconds").nonNegative();
    spec.each("containers", ContainerValidation::image);
    spec.each("initContainers", ContainerValidation::image);
  }

  private static void forbidTokens(Cursor spec) {
    for (var volume : spec.each("volumes")) {
      for (var source : volume.at("projected").each("sources")) {
        source.forbidden(
            "must not be specified when serviceAccountName is not set", "serviceAccountToken");
      }
    }
  }

  @Override
  public List<String> warningsOnCreate(Tree pod) {
    var warnings = new ArrayList<String>();
    var wrong = Names.dnsLabel(pod.textOrEmpty("metadata", "name"));
    if (!wrong.isEmpty()) {
      warnings.add(
          "metadata.name: this is used in the Pod's hostname, which can result in surprising"
              + " behavior; a DNS label is recommended: ["
              + String.join(" ", wrong)
              + "]");
    }
    warnings.addAll(PodWarnings.of(pod, FieldPath.ROOT, false));
    return warnings;
  }

  @Override
  public void prepareForUpdate(Tree pod, Tree old, Write write) {
    keepPodResources(pod, old);
  }

  static void keepPodResources(Tree pod, Tree old) {
    if (pod.at("spec", "resources") == null) {
      Fields.keepAt(pod, old, "spec", "resources");
    }
  }

  @Override
  public void validateUpdate(Cursor pod, Tree old) {
    PodUpdates.validate(pod, old);
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of(
        "status",
        new PodStatusRules(),
        "resize",
        new PodResizeRules(),
        "ephemeralcontainers",
        new EphemeralContainersRules());
  }

  @Override
  public @Nullable Long gracePeriodSeconds(Tree pod, @Nullable Long requested) {
    if (PodPhase.isTerminal(pod) || pod.textOrEmpty("spec", "nodeName").isEmpty()) {
      return 0L;
    }
    long period =
        requested == null ? pod.number(0, "spec", "terminationGracePeriodSeconds") : requested;
    return period < 0 ? 1L : period;
  }

  @Override
  public List<@Nullable Object> cells(Tree pod, Instant now) {
    return new PodRow(pod, now).cells();
  }

  @Override
  public List<Tree> rowConditions(Tree pod) {
    return PodRow.conditions(pod);
  }

  @Override
  public Set<String> fieldLabels() {
    return FIELD_LABELS;
  }

  @Override
  public String fieldValue(Tree pod, String label) {
    return switch (label) {
      case "spec.hostNetwork" -> String.valueOf(pod.flag("spec", "hostNetwork"));
      case "status.podIP", "status.podIPs" -> {
        var addresses = pod.trees("status", "podIPs");
        yield addresses.isEmpty() ? "" : addresses.getFirst().textOrEmpty("ip");
      }
      default -> Strategy.super.fieldValue(pod, label);
    };
  }
}
