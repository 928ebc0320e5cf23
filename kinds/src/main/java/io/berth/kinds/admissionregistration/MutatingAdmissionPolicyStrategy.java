package io.berth.kinds.admissionregistration;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.meta.Cursor;
import io.berth.schema.policy.Expression;
import io.berth.schema.policy.Names;
import io.berth.schema.policy.PolicyExpressions;
import io.berth.schema.policy.Result;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// `admissionregistration.k8s.io/v1 mutatingadmissionpolicies`
///
/// Mirrors: registry/admissionregistration/mutatingadmissionpolicy.mutatingAdmissionPolicyStrategy,
/// admissionregistration/validation.ValidateMutatingAdmissionPolicy
public final class MutatingAdmissionPolicyStrategy extends PolicyStrategy {

  private static final List<String> PATCH_TYPES = List.of("ApplyConfiguration", "JSONPatch");

  public MutatingAdmissionPolicyStrategy(Resource resource) {
    super(resource);
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    var spec = object.at("spec");
    validateMatching(spec);
    MatchResources.validateMutable(spec.at("matchConstraints"));
    validateConditions(spec, old);
    var expressions = PolicyExpressions.composed();
    var known = Names.BASIC.withParams(spec.has("paramKind")).withAuthorizer();
    Expressions.validateVariables(spec, expressions, known);
    spec.at("mutations").required("mutations must contain at least one item");
    for (var mutation : spec.each("mutations")) {
      validateMutation(
          mutation, (source, result) -> expressions.compile(source, known.withObjects(), result));
    }
    spec.at("reinvocationPolicy").oneOf();
  }

  private static void validateMutation(
      Cursor mutation, BiFunction<String, Result, Expression> compiler) {
    var type = mutation.at("patchType").required();
    switch (type.text()) {
      case "" -> {}
      case "JSONPatch" -> {
        validatePatch(mutation.at("jsonPatch"), type, Result.PATCHES, compiler);
        refuse(mutation.at("applyConfiguration"), type);
      }
      case "ApplyConfiguration" -> {
        validatePatch(mutation.at("applyConfiguration"), type, Result.OBJECT, compiler);
        refuse(mutation.at("jsonPatch"), type);
      }
      default -> type.notSupported(PATCH_TYPES);
    }
  }

  private static void validatePatch(
      Cursor patch, Cursor type, Result result, BiFunction<String, Result, Expression> compiler) {
    var source =
        patch
            .required("must be specified when patchType is " + type.text())
            .at("expression")
            .stripped()
            .required();
    if (source.isSet()) {
      Expressions.check(source, compiler.apply(source.text(), result));
    }
  }

  private static void refuse(Cursor patch, Cursor type) {
    patch
        .ifSet()
        .invalid(
            "{%s}".formatted(patch.name()),
            "must not be specified when patchType is " + type.text());
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var spec = object.treeOrEmpty("spec");
    return Cells.row(
        Cells.name(object),
        (long) spec.trees("mutations").size(),
        ParamKinds.cell(spec.tree("paramKind")),
        Cells.age(object, now));
  }
}
