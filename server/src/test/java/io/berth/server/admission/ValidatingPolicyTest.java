package io.berth.server.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.TestServer;
import io.berth.server.http.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What policies say was compared with kube-apiserver 1.37.1.
class ValidatingPolicyTest {

  private static final String DENIED =
      "configmaps \"%s\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied"
          + " request: %s";

  /// `expected` is `""` when the object is let in.
  record Case(String name, String spec, String object, String expected) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "an expression that is true",
              "validations: [{expression: \"object.metadata.name.startsWith('ok')\"}]",
              "metadata: {name: ok1}",
              ""),
          new Case(
              "a message made of the expression",
              "validations: [{expression: \"object.metadata.name.startsWith('ok')\"}]",
              "metadata: {name: bad}",
              "failed expression: object.metadata.name.startsWith('ok')"),
          new Case(
              "a computed message",
              "validations: [{expression: 'false', messageExpression: \"request.operation + '"
                  + " ' + request.name + ' in ' + namespaceObject.metadata.name\"}]",
              "metadata: {name: m}",
              "CREATE m in pt"),
          new Case(
              "a computed message that fails is replaced by the fixed one",
              "validations: [{expression: 'false', message: fixed, messageExpression:"
                  + " \"'' + object.data.nope\"}]",
              "metadata: {name: m}",
              "fixed"),
          new Case(
              "an error in an expression",
              "validations: [{expression: \"object.data.x == 'y'\"}]",
              "metadata: {name: e}",
              "expression 'object.data.x == 'y'' resulted in error: no such key: data"),
          new Case(
              "an error that is ignored",
              "failurePolicy: Ignore\nvalidations: [{expression: \"object.data.x == 'y'\"}]",
              "metadata: {name: e}",
              ""),
          new Case(
              "variables",
              "variables: [{name: n, expression: 'object.metadata.name'}, {name: l, expression:"
                  + " 'variables.n.size()'}]\n"
                  + "validations: [{expression: 'variables.l < 4', messageExpression:"
                  + " 'string(variables.l)'}]",
              "metadata: {name: long-name}",
              "9"),
          new Case(
              "a variable that fails",
              "variables: [{name: bad, expression: 'object.data.nope'}]\n"
                  + "validations: [{expression: \"variables.bad == 'x'\"}]",
              "metadata: {name: v}\ndata: {a: b}",
              "expression 'variables.bad == 'x'' resulted in error: composited variable \"bad\""
                  + " fails to evaluate: no such key: nope"),
          new Case(
              "a match condition that is false",
              "matchConditions: [{name: a, expression: \"object.metadata.name != 'skip'\"}]\n"
                  + "validations: [{expression: 'false'}]",
              "metadata: {name: skip}",
              ""),
          new Case(
              "who may do what",
              "validations: [{expression: \"authorizer.group('').resource('pods').check('get')"
                  + ".allowed() && !authorizer.serviceAccount('pt','default').group('')"
                  + ".resource('pods').namespace('pt').check('create').allowed()\"}]",
              "metadata: {name: z}",
              ""),
          new Case(
              "conversions that fail",
              "validations: [{expression: 'int(object.data.x) == 1'}]",
              "metadata: {name: c}\ndata: {x: abc}",
              "expression 'int(object.data.x) == 1' resulted in error: type conversion error from"
                  + " 'string' to 'int'"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void judges(Case c) {
    try (var server = new PolicyServer().validating("p", c.spec)) {
      var name = c.object.replaceAll("(?s).*name: ([a-z0-9-]+)}.*", "$1");

      assertThat(server.refusal(c.object))
          .isEqualTo(c.expected.isEmpty() ? "" : DENIED.formatted(name, c.expected));
    }
  }

  @Test
  void aRefusalHasTheReasonOfTheValidation() {
    try (var server =
        new PolicyServer()
            .validating(
                "p", "validations: [{expression: 'false', message: never, reason: Forbidden}]")) {
      var answer = server.create("metadata: {name: a}");
      var status = TestServer.json(answer);

      assertThat(answer.code()).isEqualTo(403);
      assertThat(status.textOrEmpty("reason")).isEqualTo("Forbidden");
      assertThat(status.treeOrEmpty("details").trees("causes"))
          .extracting(cause -> cause.textOrEmpty("message"))
          .containsExactly("ValidatingAdmissionPolicy 'p' with binding 'p' denied request: never");
    }
  }

  @Test
  void deletionsAreJudgedByTheOldObject() {
    try (var server =
        new PolicyServer()
            .validating(
                "p",
                "validations: [{expression: \"request.operation != 'DELETE' ||"
                    + " oldObject.metadata.name != 'keep'\", message: kept}]")) {
      server.create("metadata: {name: keep}");
      server.create("metadata: {name: go}");

      assertThat(PolicyServer.message(server.delete("keep")))
          .isEqualTo(DENIED.formatted("keep", "kept"));
      assertThat(server.delete("go").code()).isEqualTo(200);
    }
  }

  @Test
  void aWarningLetsTheObjectIn() {
    try (var server = new PolicyServer()) {
      server
          .policy(
              "validatingadmissionpolicies",
              "p",
              "validations: [{expression: 'false', message: hm}]",
              "[CREATE]")
          .bind("p", "[Warn, Audit]", "");
      var answer = server.create("metadata: {name: w}");

      assertThat(answer.code()).isEqualTo(201);
      assertThat(warnings(answer))
          .containsExactly(
              "299 - \"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p':"
                  + " hm\"");
    }
  }

  private static List<String> warnings(Answer answer) {
    return answer.headers().stream()
        .filter(header -> header.getKey().equals("Warning"))
        .map(header -> header.getValue())
        .toList();
  }

  @Test
  void parametersAreFoundByNameAndBySelector() {
    var spec =
        """
        paramKind: {apiVersion: v1, kind: ConfigMap}
        matchConditions: [{name: a, expression: "!object.metadata.name.startsWith('limit')"}]
        validations:
        - expression: "params.data.not != object.metadata.name"
          messageExpression: "'' + params.metadata.name"
        """;
    try (var server = new PolicyServer()) {
      server.create("metadata: {name: limit-a, labels: {use: it}}\ndata: {not: a}");
      server.create("metadata: {name: limit-b, labels: {use: it}}\ndata: {not: b}");
      server
          .policy("validatingadmissionpolicies", "p", spec, "[CREATE]")
          .bind(
              "p",
              "[Deny]",
              "paramRef: {selector: {matchLabels: {use: it}}, parameterNotFoundAction: Deny}");

      assertThat(server.refusal("metadata: {name: b}")).isEqualTo(DENIED.formatted("b", "limit-b"));
      assertThat(server.refusal("metadata: {name: c}")).isEmpty();
    }
  }

  @Test
  void missingParametersAreWhatTheBindingSays() {
    try (var server = new PolicyServer()) {
      server
          .policy(
              "validatingadmissionpolicies",
              "p",
              "paramKind: {apiVersion: v1, kind: ConfigMap}\nvalidations: [{expression: 'false'}]",
              "[CREATE]")
          .bind("p", "[Deny]", "paramRef: {name: nope, parameterNotFoundAction: Deny}");

      assertThat(server.refusal("metadata: {name: a}"))
          .isEqualTo(
              DENIED.formatted(
                  "a",
                  "failed to configure binding: no params found for policy binding with `Deny`"
                      + " parameterNotFoundAction"));
    }
  }
}
