package io.berth.kinds.admissionregistration;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.meta.Conditions;
import io.berth.kinds.meta.Cursor;
import io.berth.schema.policy.Names;
import io.berth.schema.policy.PolicyExpressions;
import io.berth.schema.policy.Result;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `admissionregistration.k8s.io/v1 validatingadmissionpolicies`
///
/// Mirrors: admissionregistration/validation.ValidateValidatingAdmissionPolicy,
/// registry/admissionregistration/validatingadmissionpolicy.validatingAdmissionPolicyStrategy
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
  protected void validate(Cursor object, @Nullable Tree old) {
    var spec = object.at("spec");
    validateMatching(spec);
    validateConditions(spec, old);
    var expressions =
        spec.at("variables").isEmpty() ? PolicyExpressions.single() : PolicyExpressions.composed();
    var known = Names.BASIC.withParams(spec.has("paramKind")).withAuthorizer();
    Expressions.validateVariables(spec, expressions, known);
    if (spec.at("validations").isEmpty() && spec.at("auditAnnotations").isEmpty()) {
      spec.at("validations").missing(ONE_OF_BOTH);
      spec.at("auditAnnotations").missing(ONE_OF_BOTH);
      return;
    }
    spec.each("validations", each -> validateValidation(each, expressions, known));
    var annotations = spec.at("auditAnnotations");
    if (annotations.list().size() > MAX_ANNOTATIONS) {
      annotations.invalid("must not have more than %d auditAnnotations".formatted(MAX_ANNOTATIONS));
    }
    var policy = object.at("metadata").text("name");
    var keys = new HashSet<String>();
    for (var annotation : annotations.each()) {
      validateKey(annotation.at("key"), policy);
      validateAnnotation(annotation.at("valueExpression"), expressions, known);
      annotation.at("key").unique(keys);
    }
  }

  private static void validateValidation(
      Cursor validation, PolicyExpressions expressions, Names known) {
    var source = validation.at("expression");
    if (source.text().isBlank()) {
      source.missing("expression is not specified");
    } else {
      Expressions.check(source, expressions.compile(source.text(), known, Result.BOOL));
    }
    var words = validation.at("messageExpression").ifFilled();
    if (words.text().isBlank()) {
      words.invalid("must be non-empty if specified");
    } else {
      var basic = Names.BASIC.withParams(known.params());
      Expressions.check(words, expressions.compile(words.text(), basic, Result.STRING));
    }
    validateMessage(validation.at("message").ifFilled());
    validation.at("reason").ifSet().supported(REASONS);
  }

  private static void validateMessage(Cursor message) {
    var text = message.text().strip();
    if (text.isEmpty()) {
      message.invalid("must be non-empty if specified");
    } else if (text.contains("\n") || text.contains("\r")) {
      message.invalid("must not contain line breaks");
    }
  }

  private static void validateKey(Cursor key, String policy) {
    if (policy.isEmpty()) {
      key.invalidText("requires metadata.name be non-empty");
    } else {
      key.with(policy + "/" + key.text()).follows(io.berth.kinds.meta.Names::qualifiedName);
    }
  }

  private static void validateAnnotation(
      Cursor source, PolicyExpressions expressions, Names known) {
    var text = source.text().strip();
    if (text.isEmpty()) {
      source.missing("valueExpression is not specified");
    } else if (io.berth.kinds.meta.Names.bytes(text) > MAX_ANNOTATION_BYTES) {
      source.missing("must not exceed %d bytes in length".formatted(MAX_ANNOTATION_BYTES));
    } else {
      Expressions.check(source, expressions.compile(text, known, Result.STRING, Result.NULL));
    }
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusDoor());
  }

  private static final class StatusDoor extends StatusRules {

    @Override
    public void validateUpdate(Cursor object, Tree old) {
      super.validateUpdate(object, old);
      var status = object.at("status");
      for (var warning : status.at("typeChecking").each("expressionWarnings")) {
        warning.at("warning").required();
        warning.at("fieldRef").stripped().required();
      }
      Conditions.validate(status.at("conditions"));
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
