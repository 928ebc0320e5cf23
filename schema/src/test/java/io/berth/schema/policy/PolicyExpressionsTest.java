package io.berth.schema.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Yaml;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// The messages are those of kube-apiserver 1.37.1.
class PolicyExpressionsTest {

  private static final Names NAMES = Names.BASIC.withAuthorizer();

  record Case(String source, String problem) {}

  static final List<Case> CASES =
      List.of(
          new Case("object.x == 1", ""),
          new Case("has(object.x) && object.x.all(y, y > 1)", ""),
          new Case("authorizer.requestResource.check('get').allowed()", ""),
          new Case("1 + 1", "must evaluate to bool but got int"),
          new Case("object.x", "must evaluate to bool but got dyn"),
          new Case("{'a': [1]}", "must evaluate to bool but got map(string, list(int))"),
          new Case("optional.of(1)", "must evaluate to bool but got optional_type(int)"),
          new Case(
              "foo",
              "compilation failed: ERROR: <input>:1:1: undeclared reference to 'foo' (in container"
                  + " '')\n | foo\n | ^"),
          new Case(
              "request.nope == 1",
              "compilation failed: ERROR: <input>:1:8: undefined field 'nope'\n"
                  + " | request.nope == 1\n | .......^"),
          new Case(
              "has(object)",
              "compilation failed: ERROR: <input>:1:5: invalid argument to has() macro\n"
                  + " | has(object)\n | ....^"),
          new Case(
              "'abc'.matches('[')",
              "compilation failed: ERROR: <input>:1:15: invalid matches argument\n"
                  + " | 'abc'.matches('[')\n | ..............^"),
          new Case(
              "[1, 'a'].size() == 2",
              "compilation failed: ERROR: <input>:1:5: expected type 'int' but found 'string'\n"
                  + " | [1, 'a'].size() == 2\n | ....^"));

  @ParameterizedTest
  @FieldSource("CASES")
  void saysWhatIsWrong(Case c) {
    assertThat(PolicyExpressions.single().compile(c.source, NAMES, Result.BOOL).problem())
        .isEqualTo(c.problem);
  }

  @Test
  void objectsAreMadeOnlyWhereTheyMayBe() {
    var expressions = PolicyExpressions.composed();
    var source = "Object{spec: Object.spec{replicas: 3}}";

    assertThat(expressions.compile(source, NAMES.withObjects(), Result.OBJECT).problem()).isEmpty();
    assertThat(expressions.compile(source, NAMES, Result.OBJECT).problem())
        .contains("undeclared reference to 'Object'");
    assertThat(expressions.compile("Object.spec{}", NAMES.withObjects(), Result.OBJECT).problem())
        .isEqualTo("must evaluate to Object but got Object.spec");
  }

  @Test
  void expressionsAreCheckedAgainstTheTypesOfTheirObjects() {
    var spec =
        Yaml.read(
            """
            matchConstraints:
              resourceRules:
              - {apiGroups: [apps], apiVersions: [v1], resources: [deployments]}
              - {apiGroups: [x.io], apiVersions: [v1], resources: [crons]}
            validations:
            - {expression: "object.spec.replicas > 1"}
            - {expression: "object.spec.replicas > '1'", messageExpression: "object.spec.nope"}
            """);

    assertThat(TypeCheck.warnings(spec, new TwoKinds()))
        .containsExactly(
            warning(
                "spec.validations[1].expression",
                "apps/v1, Kind=Deployment: ERROR: <input>:1:22: found no matching overload for"
                    + " '_>_' applied to '(int, string)'\n | object.spec.replicas > '1'\n"
                    + " | .....................^\n",
                "x.io/v1, Kind=Cron: ERROR: <input>:1:22: found no matching overload for '_>_'"
                    + " applied to '(int, string)'\n | object.spec.replicas > '1'\n"
                    + " | .....................^\n"),
            warning(
                "spec.validations[1].messageExpression",
                """
                apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'nope'
                 | object.spec.nope
                 | ...........^
                """,
                """
                x.io/v1, Kind=Cron: ERROR: <input>:1:12: undefined field 'nope'
                 | object.spec.nope
                 | ...........^
                """));
  }

  private static Tree warning(String field, String... texts) {
    return Tree.of("fieldRef", field, "warning", String.join("\n", texts));
  }

  private static final class TwoKinds implements TypeCheck.Kinds {

    @Override
    public String kind(String group, String version, String plural) {
      return plural.equals("crons") ? "Cron" : "Deployment";
    }

    @Override
    public @Nullable Tree schema(String group, String version, String kind) {
      return kind.equals("Cron")
          ? Yaml.read(
              "{type: object, properties: {spec: {type: object, properties: {replicas: {type:"
                  + " integer}}}}}")
          : null;
    }
  }
}
