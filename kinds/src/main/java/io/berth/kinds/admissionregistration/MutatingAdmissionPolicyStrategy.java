package io.berth.kinds.admissionregistration;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.meta.Checks;
import io.berth.schema.policy.Names;
import io.berth.schema.policy.PolicyExpressions;
import io.berth.schema.policy.Result;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `admissionregistration.k8s.io/v1 mutatingadmissionpolicies`
public final class MutatingAdmissionPolicyStrategy extends PolicyStrategy {

  static final List<String> REINVOCATION_POLICIES = List.of("IfNeeded", "Never");
  private static final List<String> PATCH_TYPES = List.of("ApplyConfiguration", "JSONPatch");

  public MutatingAdmissionPolicyStrategy(Resource resource) {
    super(resource);
  }

  @Override
  void validatePolicy(Tree object, @Nullable Tree old, FieldErrors errors) {
    var spec = object.treeOrEmpty("spec");
    validateMatching(spec, errors);
    MatchResources.validateMutable(
        spec.tree("matchConstraints"), SPEC.child("matchConstraints"), errors);
    validateConditions(spec, old, errors);
    var expressions = PolicyExpressions.composed();
    var known = Names.BASIC.withParams(spec.has("paramKind")).withAuthorizer();
    Expressions.validateVariables(
        spec.trees("variables"), expressions, known, SPEC.child("variables"), errors);
    var mutations = spec.trees("mutations");
    if (mutations.isEmpty()) {
      errors.required(SPEC.child("mutations"), "mutations must contain at least one item");
    }
    for (int i = 0; i < mutations.size(); i++) {
      validateMutation(
          mutations.get(i),
          expressions,
          known.withObjects(),
          SPEC.child("mutations").index(i),
          errors);
    }
    Checks.oneOf(
        SPEC.child("reinvocationPolicy"),
        spec.textOrEmpty("reinvocationPolicy"),
        REINVOCATION_POLICIES,
        errors);
  }

  private static void validateMutation(
      Tree mutation,
      PolicyExpressions expressions,
      Names known,
      FieldPath path,
      FieldErrors errors) {
    var type = mutation.textOrEmpty("patchType");
    switch (type) {
      case "" -> errors.required(path.child("patchType"));
      case "JSONPatch" -> {
        validatePatch(
            mutation, "jsonPatch", type, Result.PATCHES, expressions, known, path, errors);
        refuse(mutation, "applyConfiguration", type, path, errors);
      }
      case "ApplyConfiguration" -> {
        validatePatch(
            mutation, "applyConfiguration", type, Result.OBJECT, expressions, known, path, errors);
        refuse(mutation, "jsonPatch", type, path, errors);
      }
      default -> errors.notSupported(path.child("patchType"), type, PATCH_TYPES);
    }
  }

  private static void validatePatch(
      Tree mutation,
      String field,
      String type,
      Result result,
      PolicyExpressions expressions,
      Names known,
      FieldPath path,
      FieldErrors errors) {
    var patch = mutation.tree(field);
    if (patch == null) {
      errors.required(path.child(field), "must be specified when patchType is " + type);
      return;
    }
    var at = path.child(field, "expression");
    var source = patch.textOrEmpty("expression").strip();
    if (Checks.required(at, source, errors)) {
      Expressions.check(expressions.compile(source, known, result), at, errors);
    }
  }

  private static void refuse(
      Tree mutation, String field, String type, FieldPath path, FieldErrors errors) {
    if (mutation.has(field)) {
      errors.invalid(
          path.child(field),
          "{%s}".formatted(field),
          "must not be specified when patchType is " + type);
    }
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
