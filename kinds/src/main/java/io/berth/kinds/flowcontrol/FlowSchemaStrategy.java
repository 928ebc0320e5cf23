package io.berth.kinds.flowcontrol;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `flowcontrol.apiserver.k8s.io/v1 flowschemas`
///
/// Mirrors: registry/flowcontrol/flowschema.flowSchemaStrategy,
/// flowcontrol/validation.ValidateFlowSchema
public final class FlowSchemaStrategy extends PlainStrategy {

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
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    var name = object.at("metadata").text("name");
    var spec = object.at("spec");
    validateSpec(name, spec);
    MandatoryObjects.flowSchema(name, spec);
  }

  /// As in Kubernetes, an update is checked as a new object is, and immutable metadata is not.
  @Override
  public void validateUpdate(Cursor object, Tree old) {
    ObjectMeta.validateUpdate(object, old);
    validateCreate(object);
  }

  private static void validateSpec(String name, Cursor spec) {
    var precedence = spec.at("matchingPrecedence");
    if (precedence.number() <= 0) {
      precedence.invalidNumber("must be a positive value");
    }
    if (precedence.number() > MAX_PRECEDENCE) {
      precedence.invalid("must not be greater than " + MAX_PRECEDENCE);
    }
    if (precedence.number() == 1 && !name.equals(MandatoryObjects.EXEMPT)) {
      precedence.invalid("only the schema named 'exempt' may have matchingPrecedence 1");
    }
    var method = spec.at("distinguisherMethod").ifSet().at("type");
    if (!METHODS.contains(method.text())) {
      method.notSupported(Tree.of("Type", method.text()), METHODS);
    }
    spec.at("priorityLevelConfiguration", "name")
        .required("must reference a priority level")
        .follows(Names::dnsSubdomain);
    spec.each("rules", FlowRules::validate);
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
