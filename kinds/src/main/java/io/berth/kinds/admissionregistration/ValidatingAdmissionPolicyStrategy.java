package io.berth.kinds.admissionregistration;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Conditions;
import io.berth.schema.policy.Names;
import io.berth.schema.policy.PolicyExpressions;
import io.berth.schema.policy.Result;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `admissionregistration.k8s.io/v1 validatingadmissionpolicies`
public final class ValidatingAdmissionPolicyStrategy extends PolicyStrategy {

  private static final List<String> REASONS =
      List.of("Forbidden", "Invalid", "RequestEntityTooLarge");
  private static final String ONE_OF_BOTH =
      "validations or auditAnnotations must contain at least one item";
  private static final int MAX_ANNOTATIONS = 20;
  private static final int MAX_ANNOTATION_BYTES = 5 * 1024;

  public ValidatingAdmissionPolicyStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    super.prepareForCreate(object, write);
    object.put("status", new Tree());
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    super.prepareForUpdate(object, old, write);
    Fields.keep(object, old, "status");
  }

  @Override
  void validatePolicy(Tree object, @Nullable Tree old, FieldErrors errors) {
    var spec = object.treeOrEmpty("spec");
    validateMatching(spec, errors);
    validateConditions(spec, old, errors);
    var variables = spec.trees("variables");
    boolean params = spec.has("paramKind");
    var expressions =
        variables.isEmpty() ? PolicyExpressions.single() : PolicyExpressions.composed();
    var known = Names.BASIC.withParams(params).withAuthorizer();
    Expressions.validateVariables(variables, expressions, known, SPEC.child("variables"), errors);
    var validations = spec.trees("validations");
    var annotations = spec.trees("auditAnnotations");
    if (validations.isEmpty() && annotations.isEmpty()) {
      errors.required(SPEC.child("validations"), ONE_OF_BOTH);
      errors.required(SPEC.child("auditAnnotations"), ONE_OF_BOTH);
      return;
    }
    for (int i = 0; i < validations.size(); i++) {
      validateValidation(
          validations.get(i), expressions, known, SPEC.child("validations").index(i), errors);
    }
    validateAnnotations(
        object.textOrEmpty("metadata", "name"), annotations, expressions, known, errors);
  }

  private static void validateValidation(
      Tree validation,
      PolicyExpressions expressions,
      Names known,
      FieldPath path,
      FieldErrors errors) {
    var source = validation.textOrEmpty("expression");
    if (source.isBlank()) {
      errors.required(path.child("expression"), "expression is not specified");
    } else {
      Expressions.check(
          expressions.compile(source, known, Result.BOOL), path.child("expression"), errors);
    }
    var words = validation.textOrEmpty("messageExpression");
    if (!words.isEmpty() && words.isBlank()) {
      errors.invalid(path.child("messageExpression"), words, "must be non-empty if specified");
    } else if (!words.isEmpty()) {
      Expressions.check(
          expressions.compile(words, Names.BASIC.withParams(known.params()), Result.STRING),
          path.child("messageExpression"),
          errors);
    }
    validateMessage(validation.textOrEmpty("message"), path.child("message"), errors);
    var reason = validation.text("reason");
    if (reason != null) {
      Checks.supported(path.child("reason"), reason, REASONS, errors);
    }
  }

  private static void validateMessage(String message, FieldPath path, FieldErrors errors) {
    if (!message.isEmpty() && message.isBlank()) {
      errors.invalid(path, message, "must be non-empty if specified");
    } else if (message.strip().contains("\n") || message.strip().contains("\r")) {
      errors.invalid(path, message, "must not contain line breaks");
    }
  }

  private static void validateAnnotations(
      String policy,
      List<Tree> annotations,
      PolicyExpressions expressions,
      Names known,
      FieldErrors errors) {
    var path = SPEC.child("auditAnnotations");
    if (annotations.size() > MAX_ANNOTATIONS) {
      errors.invalid(
          path,
          annotations,
          "must not have more than %d auditAnnotations".formatted(MAX_ANNOTATIONS));
    }
    var keys = new HashSet<String>();
    for (int i = 0; i < annotations.size(); i++) {
      var annotation = annotations.get(i);
      var at = path.index(i);
      var key = annotation.textOrEmpty("key");
      if (policy.isEmpty()) {
        errors.invalid(at.child("key"), key, "requires metadata.name be non-empty");
      } else {
        Checks.qualifiedName(at.child("key"), policy + "/" + key, errors);
      }
      validateAnnotation(
          annotation.textOrEmpty("valueExpression"),
          expressions,
          known,
          at.child("valueExpression"),
          errors);
      if (!keys.add(key)) {
        errors.duplicate(at.child("key"), key);
      }
    }
  }

  private static void validateAnnotation(
      String source,
      PolicyExpressions expressions,
      Names known,
      FieldPath path,
      FieldErrors errors) {
    if (source.isBlank()) {
      errors.required(path, "valueExpression is not specified");
    } else if (io.berth.kinds.meta.Names.bytes(source.strip()) > MAX_ANNOTATION_BYTES) {
      errors.required(path, "must not exceed %d bytes in length".formatted(MAX_ANNOTATION_BYTES));
    } else {
      var compiled = expressions.compile(source.strip(), known, Result.STRING, Result.NULL);
      Expressions.check(compiled, source, path, errors);
    }
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusDoor());
  }

  private static final class StatusDoor extends StatusRules {

    private static final FieldPath STATUS = FieldPath.of("status");

    @Override
    public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
      super.validateUpdate(object, old, errors);
      var warnings = object.treeOrEmpty("status", "typeChecking").trees("expressionWarnings");
      for (int i = 0; i < warnings.size(); i++) {
        var at = STATUS.child("typeChecking", "expressionWarnings").index(i);
        Checks.required(at.child("warning"), warnings.get(i).textOrEmpty("warning"), errors);
        Checks.required(
            at.child("fieldRef"), warnings.get(i).textOrEmpty("fieldRef").strip(), errors);
      }
      Conditions.validate(
          STATUS.child("conditions"), object.treeOrEmpty("status").trees("conditions"), errors);
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var spec = object.treeOrEmpty("spec");
    return Cells.row(
        Cells.name(object),
        (long) spec.trees("validations").size(),
        ParamKinds.cell(spec.tree("paramKind")),
        Cells.age(object, now));
  }
}
