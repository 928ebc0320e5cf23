package io.berth.kinds.scheduling;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Conditions;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `scheduling.k8s.io/v1beta1 podgroups`: pods that are placed together, or not at all.
///
/// Mirrors: registry/scheduling/podgroup.podGroupStrategy, scheduling/v1beta1.Validate_PodGroupSpec
public final class PodGroupStrategy extends PlainStrategy {

  public PodGroupStrategy() {
    super(Resource.POD_GROUPS);
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
    dropDisabled(object);
  }

  private static void dropDisabled(Tree object) {
    var spec = object.child("spec");
    spec.remove("parentCompositePodGroupName");
    GroupFields.dropDisabled(spec);
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    var spec = object.at("spec");
    var fields = new GroupFields(spec, old == null ? null : old.treeOrEmpty("spec"));
    if (fields.isNewlySet("workloadRef")) {
      spec.at("workloadRef", "workloadName").required().follows(Names::dnsSubdomain);
      spec.at("workloadRef", "templateName").required().follows(Names::dnsLabel);
    }
    fields.validate();
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
    public void validateUpdate(Cursor object, Tree old) {
      super.validateUpdate(object, old);
      Conditions.validate(object.at("status", "conditions"));
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
