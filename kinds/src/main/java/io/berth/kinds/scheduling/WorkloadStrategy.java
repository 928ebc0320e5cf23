package io.berth.kinds.scheduling;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.Unions;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `scheduling.k8s.io/v1beta1 workloads`: templates from which controllers make pod groups.
public final class WorkloadStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath TEMPLATES = SPEC.child("podGroupTemplates");
  private static final int MAX_TEMPLATES = 8;
  private static final List<String> KINDS_OF_TEMPLATES =
      List.of("podGroupTemplates", "compositePodGroupTemplates");

  public WorkloadStrategy() {
    super(Resource.WORKLOADS);
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
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
    onePriority(spec.trees("podGroupTemplates"), errors);
    Unions.exactlyOne(SPEC, spec, old, KINDS_OF_TEMPLATES, errors);
    if (new GroupFields(SPEC, spec, old, errors).isNewlySet("controllerRef")) {
      validateReference(SPEC.child("controllerRef"), spec.treeOrEmpty("controllerRef"), errors);
    }
    if (old == null || Fields.differs(spec, old, "podGroupTemplates")) {
      validateTemplates(
          spec.trees("podGroupTemplates"),
          old == null ? null : old.trees("podGroupTemplates"),
          errors);
    }
  }

  private static void onePriority(List<Tree> templates, FieldErrors errors) {
    for (var template : templates) {
      if (Fields.differs(template, templates.getFirst(), "priorityClassName")
          || Fields.differs(template, templates.getFirst(), "priority")) {
        errors.invalid(SPEC, null, "detected multiple priority configurations");
        return;
      }
    }
  }

  private static void validateReference(FieldPath path, Tree reference, FieldErrors errors) {
    var group = reference.textOrEmpty("apiGroup");
    if (!group.isEmpty()) {
      Checks.dnsSubdomain(path.child("apiGroup"), group, errors);
    }
    for (var field : List.of("kind", "name")) {
      var value = reference.textOrEmpty(field);
      if (Checks.required(path.child(field), value, errors)) {
        Checks.complaints(path.child(field), value, Names.pathSegment(value, false), errors);
      }
    }
  }

  private static void validateTemplates(
      List<Tree> templates, @Nullable List<Tree> old, FieldErrors errors) {
    int before = errors.size();
    if (templates.size() > MAX_TEMPLATES) {
      errors.tooMany(TEMPLATES, templates.size(), MAX_TEMPLATES);
    }
    if (old != null) {
      sameNames(templates, old, errors);
    }
    if (errors.size() > before) {
      return;
    }
    var names = new HashSet<String>();
    for (int i = 0; i < templates.size(); i++) {
      if (!names.add(name(templates.get(i)))) {
        errors.duplicate(TEMPLATES.index(i), inOrder(templates.get(i)));
      }
    }
    for (int i = 0; i < templates.size(); i++) {
      var template = templates.get(i);
      validateTemplate(TEMPLATES.index(i), template, find(old, name(template)), errors);
    }
  }

  private static void sameNames(List<Tree> templates, List<Tree> old, FieldErrors errors) {
    for (int i = 0; i < templates.size(); i++) {
      if (find(old, name(templates.get(i))) == null) {
        errors.forbidden(TEMPLATES.index(i), "item may not be added");
      }
    }
    for (var each : old) {
      if (find(templates, name(each)) == null) {
        errors.forbidden(TEMPLATES, "item may not be removed");
      }
    }
  }

  private static void validateTemplate(
      FieldPath path, Tree template, @Nullable Tree old, FieldErrors errors) {
    var name = name(template);
    if (old == null && Checks.required(path.child("name"), name, errors)) {
      Checks.dnsLabel(path.child("name"), name, errors);
    }
    new GroupFields(path, template, old, errors).validate();
  }

  private static @Nullable Tree find(@Nullable List<Tree> templates, String name) {
    if (templates != null) {
      for (var each : templates) {
        if (name(each).equals(name)) {
          return each;
        }
      }
    }
    return null;
  }

  private static String name(Tree template) {
    return template.textOrEmpty("name");
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
