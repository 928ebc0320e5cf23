package io.berth.kinds.scheduling;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.Unions;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `scheduling.k8s.io/v1beta1 workloads`: templates from which controllers make pod groups.
///
/// Mirrors: registry/scheduling/workload.workloadStrategy, scheduling/v1beta1.Validate_WorkloadSpec
public final class WorkloadStrategy extends PlainStrategy {

  private static final int MAX_TEMPLATES = 8;
  private static final List<String> KINDS_OF_TEMPLATES =
      List.of("podGroupTemplates", "compositePodGroupTemplates");

  public WorkloadStrategy() {
    super(Resource.WORKLOADS);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    dropDisabled(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    dropDisabled(object);
  }

  private static void dropDisabled(Tree object) {
    object.child("spec").remove("compositePodGroupTemplates");
    object.trees("spec", "podGroupTemplates").forEach(GroupFields::dropDisabled);
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    validateSpec(object.at("spec"), old == null ? null : old.treeOrEmpty("spec"));
  }

  private static void validateSpec(Cursor spec, @Nullable Tree old) {
    onePriority(spec);
    Unions.exactlyOne(spec, old, KINDS_OF_TEMPLATES);
    if (new GroupFields(spec, old).isNewlySet("controllerRef")) {
      var reference = spec.at("controllerRef");
      reference.at("apiGroup").ifFilled().follows(Names::dnsSubdomain);
      reference.at("kind").required().follows(Names::pathSegment);
      reference.at("name").required().follows(Names::pathSegment);
    }
    if (old == null || Fields.differs(spec.tree(), old, "podGroupTemplates")) {
      validateTemplates(
          spec.at("podGroupTemplates"), old == null ? null : old.trees("podGroupTemplates"));
    }
  }

  private static void onePriority(Cursor spec) {
    var templates = spec.tree().trees("podGroupTemplates");
    for (var template : templates) {
      if (Fields.differs(template, templates.getFirst(), "priorityClassName")
          || Fields.differs(template, templates.getFirst(), "priority")) {
        spec.invalid(null, "detected multiple priority configurations");
        return;
      }
    }
  }

  private static void validateTemplates(Cursor templates, @Nullable List<Tree> old) {
    int before = templates.errors().size();
    templates.atMostItems(MAX_TEMPLATES);
    if (old != null) {
      sameNames(templates, old);
    }
    if (templates.errors().size() > before) {
      return;
    }
    var names = new HashSet<String>();
    for (var template : templates.each()) {
      if (!names.add(template.text("name"))) {
        template.duplicate(inOrder(template.tree()));
      }
    }
    for (var template : templates.each()) {
      var known = find(old, template.text("name"));
      if (known == null) {
        template.at("name").required().follows(Names::dnsLabel);
      }
      new GroupFields(template, known).validate();
    }
  }

  private static void sameNames(Cursor templates, List<Tree> old) {
    var names = new HashSet<String>();
    for (var template : templates.each()) {
      names.add(template.text("name"));
      if (find(old, template.text("name")) == null) {
        template.forbidden("item may not be added");
      }
    }
    for (var each : old) {
      if (!names.contains(each.textOrEmpty("name"))) {
        templates.forbidden("item may not be removed");
      }
    }
  }

  private static @Nullable Tree find(@Nullable List<Tree> templates, String name) {
    if (templates != null) {
      for (var each : templates) {
        if (each.textOrEmpty("name").equals(name)) {
          return each;
        }
      }
    }
    return null;
  }

  /// The template as Go prints it: fields in the order of the type, the constraints even when they
  /// are absent.
  private static Tree inOrder(Tree template) {
    var printed = new Tree();
    for (var field :
        List.of(
            "name",
            "schedulingPolicy",
            "schedulingConstraints",
            "disruptionMode",
            "priorityClassName",
            "priority")) {
      if (template.has(field) || field.equals("schedulingConstraints")) {
        printed.put(field, template.get(field));
      }
    }
    return printed;
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(Cells.name(object), Cells.age(object, now));
  }
}
