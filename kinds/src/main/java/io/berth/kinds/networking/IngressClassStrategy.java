package io.berth.kinds.networking;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.DomainPaths;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `networking.k8s.io/v1 ingressclasses`
public final class IngressClassStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final int MAX_CONTROLLER = 250;
  private static final List<String> SCOPES = List.of("Cluster", "Namespace");

  public IngressClassStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void setDefaults(Tree object) {
    var parameters = object.tree("spec", "parameters");
    if (parameters != null) {
      parameters.putIfAbsent("scope", "Cluster");
    }
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    Fields.firstGeneration(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.countGeneration(object, old, "spec");
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    var controller = object.textOrEmpty("spec", "controller");
    if (controller.length() > MAX_CONTROLLER) {
      errors.tooLong(SPEC.child("controller"), MAX_CONTROLLER);
    }
    DomainPaths.validate(SPEC.child("controller"), controller, errors);
    var parameters = object.tree("spec", "parameters");
    if (parameters != null) {
      validateParameters(parameters, errors);
    }
  }

  private static void validateParameters(Tree parameters, FieldErrors errors) {
    var path = SPEC.child("parameters");
    var group = parameters.text("apiGroup");
    if (group != null) {
      Checks.dnsSubdomain(path.child("apiGroup"), group, errors);
    }
    for (var field : List.of("kind", "name")) {
      var value = parameters.textOrEmpty(field);
      if (Checks.required(path.child(field), value, errors)) {
        Checks.complaints(path.child(field), value, Names.pathSegment(value, false), errors);
      }
    }
    var scope = parameters.text("scope");
    if (scope == null) {
      errors.required(path.child("scope"));
      return;
    }
    Checks.supported(path.child("scope"), scope, SCOPES, errors);
    var namespace = parameters.textOrEmpty("namespace");
    if (scope.equals("Namespace")) {
      if (parameters.has("namespace")) {
        Checks.dnsLabel(path.child("namespace"), namespace, errors);
      } else {
        errors.required(path.child("namespace"), "`parameters.scope` is set to 'Namespace'");
      }
    } else if (scope.equals("Cluster") && parameters.has("namespace")) {
      errors.forbidden(path.child("namespace"), "`parameters.scope` is set to 'Cluster'");
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    Checks.immutable(
        SPEC.child("controller"),
        object.at("spec", "controller"),
        old.at("spec", "controller"),
        errors);
    validateCreate(object, errors);
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    boolean isDefault =
        object
            .textOrEmpty("metadata", "annotations", "ingressclass.kubernetes.io/is-default-class")
            .equals("true");
    var parameters = object.tree("spec", "parameters");
    return Cells.row(
        Cells.name(object) + (isDefault ? " (default)" : ""),
        object.textOrEmpty("spec", "controller"),
        parameters == null ? Cells.NONE : reference(parameters),
        Cells.age(object, now));
  }

  private static String reference(Tree parameters) {
    var group = parameters.text("apiGroup");
    return parameters.textOrEmpty("kind")
        + (group == null ? "" : "." + group)
        + "/"
        + parameters.textOrEmpty("name");
  }
}
