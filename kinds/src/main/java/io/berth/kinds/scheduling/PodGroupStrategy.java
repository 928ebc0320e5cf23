package io.berth.kinds.scheduling;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Conditions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `scheduling.k8s.io/v1beta1 podgroups`: pods that are placed together, or not at all.
public final class PodGroupStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");

  public PodGroupStrategy() {
    super(Resource.POD_GROUPS);
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
  }

  @Override
  public void setDefaults(Tree object) {
    object.child("spec").putIfAbsent("disruptionMode", Tree.of("single", new Tree()));
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.remove("status");
    dropDisabled(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
    dropDisabled(object);
  }

  private static void dropDisabled(Tree object) {
    var spec = object.child("spec");
    spec.remove("parentCompositePodGroupName");
    GroupFields.dropDisabled(spec);
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validateSpec(object.treeOrEmpty("spec"), null, errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    validateSpec(object.treeOrEmpty("spec"), old.treeOrEmpty("spec"), errors);
  }

  private static void validateSpec(Tree spec, @Nullable Tree old, FieldErrors errors) {
    var fields = new GroupFields(SPEC, spec, old, errors);
    if (fields.isNewlySet("workloadRef")) {
      validateReference(SPEC.child("workloadRef"), spec.treeOrEmpty("workloadRef"), errors);
    }
    fields.validate();
  }

  private static void validateReference(FieldPath path, Tree reference, FieldErrors errors) {
    var workload = reference.textOrEmpty("workloadName");
    if (Checks.required(path.child("workloadName"), workload, errors)) {
      Checks.dnsSubdomain(path.child("workloadName"), workload, errors);
    }
    var template = reference.textOrEmpty("templateName");
    if (Checks.required(path.child("templateName"), template, errors)) {
      Checks.dnsLabel(path.child("templateName"), template, errors);
    }
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusDoor());
  }

  private static final class StatusDoor extends StatusRules {

    @Override
    public void prepareForUpdate(Tree object, Tree old, Write write) {
      super.prepareForUpdate(object, old, write);
      Fields.keepMetadata(object, old);
      if (object.get("status") instanceof Tree status) {
        status.remove("resourceClaimStatuses");
      }
    }

    @Override
    public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
      super.validateUpdate(object, old, errors);
      Conditions.validate(
          FieldPath.of("status", "conditions"), object.trees("status", "conditions"), errors);
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object),
        object.at("spec", "schedulingPolicy", "gang") == null ? "Basic" : "Gang",
        Cells.orNone(object.textOrEmpty("spec", "workloadRef", "workloadName")),
        state(object),
        Cells.age(object, now));
  }

  private static String state(Tree object) {
    var state = "Pending";
    for (var condition : object.trees("status", "conditions")) {
      switch (condition.textOrEmpty("type")) {
        case "PodGroupInitiallyScheduled" ->
            state = condition.textOrEmpty("status").equals("True") ? "Scheduled" : "Unschedulable";
        case "DisruptionTarget" -> {
          return condition.textOrEmpty("reason");
        }
        default -> {
          // Other conditions are not shown.
        }
      }
    }
    return state;
  }
}
