package io.berth.kinds.flowcontrol;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `flowcontrol.apiserver.k8s.io/v1 flowschemas`
public final class FlowSchemaStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final long DEFAULT_PRECEDENCE = 1000;
  private static final long MAX_PRECEDENCE = 10_000;
  private static final List<String> METHODS = List.of("ByNamespace", "ByUser");

  public FlowSchemaStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.child("spec");
    if (spec.number(0, "matchingPrecedence") == 0) {
      spec.put("matchingPrecedence", DEFAULT_PRECEDENCE);
    }
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put("status", new Tree());
    Fields.firstGeneration(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
    if (Fields.differs(object, old, "spec")) {
      Fields.nextGeneration(object, old);
    }
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    var name = Cells.name(object);
    var spec = object.treeOrEmpty("spec");
    validateSpec(name, spec, errors);
    MandatoryObjects.flowSchema(name, spec, errors);
  }

  /// As in Kubernetes, an update is checked as a new object is, and immutable metadata is not.
  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(object, old, errors);
    validateCreate(object, errors);
  }

  private static void validateSpec(String name, Tree spec, FieldErrors errors) {
    long precedence = spec.number(0, "matchingPrecedence");
    var path = SPEC.child("matchingPrecedence");
    if (precedence <= 0) {
      errors.invalid(path, precedence, "must be a positive value");
    }
    if (precedence > MAX_PRECEDENCE) {
      errors.invalid(path, precedence, "must not be greater than " + MAX_PRECEDENCE);
    }
    if (precedence == 1 && !name.equals(MandatoryObjects.EXEMPT)) {
      errors.invalid(
          path, precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
    }
    if (spec.get("distinguisherMethod") instanceof Tree method) {
      var type = method.textOrEmpty("type");
      if (!METHODS.contains(type)) {
        errors.notSupported(
            SPEC.child("distinguisherMethod", "type"), Tree.of("Type", type), METHODS);
      }
    }
    validateLevel(spec.textOrEmpty("priorityLevelConfiguration", "name"), errors);
    var rules = spec.trees("rules");
    for (int i = 0; i < rules.size(); i++) {
      FlowRules.validate(SPEC.child("rules").index(i), rules.get(i), errors);
    }
  }

  private static void validateLevel(String level, FieldErrors errors) {
    var path = SPEC.child("priorityLevelConfiguration", "name");
    if (level.isEmpty()) {
      errors.required(path, "must reference a priority level");
    } else {
      Checks.dnsSubdomain(path, level, errors);
    }
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new ConditionRules());
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object),
        object.textOrEmpty("spec", "priorityLevelConfiguration", "name"),
        object.number(0, "spec", "matchingPrecedence"),
        object.at("spec", "distinguisherMethod") == null
            ? Cells.NONE
            : object.textOrEmpty("spec", "distinguisherMethod", "type"),
        Cells.age(object, now),
        dangling(object));
  }

  private static String dangling(Tree object) {
    for (var condition : object.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("Dangling")) {
        return condition.textOrEmpty("status");
      }
    }
    return "?";
  }
}
