package io.berth.schema.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What rules may cost, beside what kube-apiserver said about the same schemas.
class RuleCostsTest {

  private static final String ADVICE =
      " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays,"
          + " maps, and strings are declared)";
  private static final String BY = "estimated rule cost exceeds budget by factor of ";

  @Test
  void rulesCostWhatTheyCostInKubernetes() throws IOException {
    var lines = lines("rule-costs.txt");
    var schema = Json.read(lines.get(1).substring("schema ".length()));
    var recorded = lines.subList(2, lines.size());

    var found = recorded.stream().map(line -> factor(schema, rule(line)) + " " + rule(line));

    assertThat(found).containsExactlyElementsOf(recorded);
  }

  private static String rule(String line) {
    return line.substring(line.indexOf(' ') + 1);
  }

  private static String factor(Tree schema, String rule) {
    var whole = schema.copy().put("x-kubernetes-validations", List.of(Tree.of("rule", rule)));
    for (var error : problems(Tree.of("type", "object", "properties", Tree.of("spec", whole)))) {
      int at = error.indexOf(BY);
      if (at >= 0) {
        return error.substring(at + BY.length()).replace(' ', '_');
      }
    }
    return "-";
  }

  @Test
  void schemasAreRefusedAsInKubernetes() throws IOException {
    var recorded =
        lines("schema-costs.txt").stream().filter(line -> !line.startsWith("#")).toList();

    var found = new ArrayList<String>();
    for (var line : recorded) {
      if (line.startsWith("schema ")) {
        found.add(line);
        problems(Json.read(line.substring("schema ".length())))
            .forEach(problem -> found.add("- " + problem));
      }
    }

    assertThat(found).containsExactlyElementsOf(recorded);
  }

  @Test
  void whatWasAcceptedBeforeIsNotRefusedForTheCostOfOneRule() {
    var schema =
        Json.read(
            """
            {"type": "object", "properties": {"l": {"type": "array", "items": {"type": "string"},
             "maxItems": 100, "x-kubernetes-validations": [{"rule": "self.all(x, x == x)"}]}}}
            """);
    var errors = new FieldErrors();

    SchemaChecks.check(schema, FieldPath.of("s"), false, true, errors);

    assertThat(problems(schema)).hasSize(1);
    assertThat(errors.list()).isEmpty();
  }

  private static List<String> problems(Tree schema) {
    var errors = new FieldErrors();
    SchemaChecks.check(schema, FieldPath.of("s"), false, false, errors);
    return errors.list().stream().map(error -> error.toString().replace(ADVICE, "")).toList();
  }

  private static List<String> lines(String name) throws IOException {
    try (var in = Objects.requireNonNull(RuleCostsTest.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
