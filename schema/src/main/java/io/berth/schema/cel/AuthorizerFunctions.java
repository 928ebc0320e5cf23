package io.berth.schema.cel;

import static io.berth.schema.cel.KubernetesFunctions.STRING;
import static io.berth.schema.cel.KubernetesFunctions.problem;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import io.berth.schema.cel.Access.Decision;
import io.berth.schema.cel.Access.Question;
import io.berth.schema.cel.Functions.Parameter;
import java.util.regex.Pattern;

/// `authorizer.group('').resource('pods').namespace('default').check('create').allowed()`.
public final class AuthorizerFunctions {

  /// The type of the variable `authorizer`.
  public static final OpaqueType AUTHORIZER = type("Authorizer");

  /// The type of the variable `authorizer.requestResource`.
  public static final OpaqueType RESOURCE_CHECK = type("ResourceCheck");

  private static final OpaqueType PATH_CHECK = type("PathCheck");
  private static final OpaqueType GROUP_CHECK = type("GroupCheck");
  private static final OpaqueType DECISION = type("Decision");

  private static final Pattern ACCOUNT =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*+");
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final int MAX_ACCOUNT = 253;
  private static final int MAX_NAMESPACE = 63;

  private static final Parameter<Authorizer> ANYONE = new Parameter<>(AUTHORIZER, Authorizer.class);
  private static final Parameter<PathCheck> PATH = new Parameter<>(PATH_CHECK, PathCheck.class);
  private static final Parameter<GroupCheck> GROUP = new Parameter<>(GROUP_CHECK, GroupCheck.class);
  private static final Parameter<ResourceCheck> RESOURCE =
      new Parameter<>(RESOURCE_CHECK, ResourceCheck.class);
  private static final Parameter<Decision> ANSWER = new Parameter<>(DECISION, Decision.class);

  private AuthorizerFunctions() {}

  private static OpaqueType type(String name) {
    return OpaqueType.create("kubernetes.authorization." + name);
  }

  /// What `authorizer` is bound to.
  public static Object authorizer(Access access) {
    return new Authorizer(access, Question.ANY);
  }

  /// What `authorizer.requestResource` is bound to.
  public static Object requestResource(Access access, Question question) {
    return new ResourceCheck(access, question);
  }

  private record Authorizer(Access access, Question question) {}

  private record PathCheck(Access access, Question question) {}

  private record GroupCheck(Access access, Question question) {}

  private record ResourceCheck(Access access, Question question) {

    ResourceCheck with(Question changed) {
      return new ResourceCheck(access, changed);
    }
  }

  static void addTo(Functions functions) {
    addQuestions(functions);
    functions.member(
        "namespace",
        "resourcecheck_namespace",
        RESOURCE_CHECK,
        RESOURCE,
        STRING,
        (check, text) -> check.with(check.question.withNamespace(text)));
    functions.member(
        "name",
        "resourcecheck_name",
        RESOURCE_CHECK,
        RESOURCE,
        STRING,
        (check, text) -> check.with(check.question.withName(text)));
    functions.member(
        "subresource",
        "resourcecheck_subresource",
        RESOURCE_CHECK,
        RESOURCE,
        STRING,
        (check, text) -> check.with(check.question.withSubresource(text)));
    functions.member(
        "fieldSelector",
        "authorizer_fieldselector",
        RESOURCE_CHECK,
        RESOURCE,
        STRING,
        (check, text) -> check.with(check.question.withFieldSelector(text)));
    // No authorizer here looks at labels, as none of Kubernetes' own does.
    functions.member(
        "labelSelector",
        "authorizer_labelselector",
        RESOURCE_CHECK,
        RESOURCE,
        STRING,
        (check, _) -> check);
    functions.member(
        "check",
        "pathcheck_check",
        DECISION,
        PATH,
        STRING,
        (check, verb) -> check.access.decide(check.question.withVerb(verb)));
    functions.member(
        "check",
        "resourcecheck_check",
        DECISION,
        RESOURCE,
        STRING,
        (check, verb) -> check.access.decide(check.question.withVerb(verb)));
    functions.member("allowed", "decision_allowed", SimpleType.BOOL, ANSWER, Decision::allowed);
    functions.member("reason", "decision_reason", SimpleType.STRING, ANSWER, Decision::reason);
    functions.member("error", "decision_error", SimpleType.STRING, ANSWER, Decision::error);
    functions.member(
        "errored",
        "decision_errored",
        SimpleType.BOOL,
        ANSWER,
        decision -> !decision.error().isEmpty());
  }

  private static void addQuestions(Functions functions) {
    functions.member(
        "path",
        "authorizer_path",
        PATH_CHECK,
        ANYONE,
        STRING,
        (authorizer, path) ->
            new PathCheck(authorizer.access, authorizer.question.withPath(nonEmpty("path", path))));
    functions.member(
        "group",
        "authorizer_group",
        GROUP_CHECK,
        ANYONE,
        STRING,
        (authorizer, group) ->
            new GroupCheck(authorizer.access, authorizer.question.withGroup(group)));
    functions.member(
        "resource",
        "groupcheck_resource",
        RESOURCE_CHECK,
        GROUP,
        STRING,
        (check, resource) ->
            new ResourceCheck(
                check.access, check.question.withResource(nonEmpty("resource", resource))));
    functions.member(
        "serviceAccount",
        "authorizer_serviceaccount",
        AUTHORIZER,
        ANYONE,
        STRING,
        STRING,
        arguments ->
            serviceAccount(
                (Authorizer) arguments[0], (String) arguments[1], (String) arguments[2]));
  }

  private static Authorizer serviceAccount(Authorizer from, String namespace, String name)
      throws CelEvaluationException {
    if (name.length() > MAX_ACCOUNT || !ACCOUNT.matcher(name).matches()) {
      throw problem("Invalid service account name");
    }
    if (namespace.length() > MAX_NAMESPACE || !NAMESPACE.matcher(namespace).matches()) {
      throw problem("Invalid service account namespace");
    }
    return new Authorizer(from.access, from.question.by(namespace, name));
  }

  private static String nonEmpty(String what, String text) throws CelEvaluationException {
    if (text.isBlank()) {
      throw problem(what + " must not be empty");
    }
    return text;
  }
}
