package io.berth.kinds.networking;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.DomainPaths;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `networking.k8s.io/v1 ingressclasses`
///
/// Mirrors: registry/networking/ingressclass.ingressClassStrategy,
/// networking/validation.ValidateIngressClass
public final class IngressClassStrategy extends PlainStrategy {

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
  protected void validate(Cursor object, @Nullable Tree old) {
    var controller = object.at("spec", "controller");
    if (controller.text().length() > MAX_CONTROLLER) {
      controller.tooLong(MAX_CONTROLLER);
    }
    DomainPaths.validate(controller);
    object.at("spec", "parameters").ifSet(IngressClassStrategy::validateParameters);
  }

  private static void validateParameters(Cursor parameters) {
    IngressSpecs.validateReference(parameters);
    var scope = parameters.at("scope");
    if (!scope.isSet()) {
      scope.missing();
      return;
    }
    scope.supported(SCOPES);
    var namespace = parameters.at("namespace");
    if (scope.is("Namespace") && !namespace.isSet()) {
      namespace.missing("`parameters.scope` is set to 'Namespace'");
    } else if (scope.is("Namespace")) {
      namespace.follows(Names::dnsLabel);
    } else if (scope.is("Cluster") && namespace.isSet()) {
      namespace.forbidden("`parameters.scope` is set to 'Cluster'");
    }
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    ObjectMeta.validateUpdate(object, old);
    object.at("spec").immutable(old.treeOrEmpty("spec"), "controller");
    validateCreate(object);
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
