package io.berth.schema.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.FieldErrors;
import io.berth.codec.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What an update may leave as it was, though new rules would refuse it.
class ObjectRulesTest {

  private static final String SCHEMA =
      """
      type: object
      properties:
        size: {type: integer, maximum: 5}
        mode: {type: string, enum: [fast]}
        any: {type: object, properties: {a: {type: integer}}, anyOf: [{required: [a]}, {required: [b]}]}
        parts:
          type: array
          x-kubernetes-list-type: map
          x-kubernetes-list-map-keys: [id]
          items:
            type: object
            required: [id]
            properties: {id: {type: string}, n: {type: integer, minimum: 1}}
        tags: {type: array, items: {type: string, maxLength: 2}}
        even: {type: integer, x-kubernetes-validations: [{rule: self % 2 == 0, message: odd}]}
      """;

  record Case(String name, String old, String updated, String expected) {}

  static final List<Case> CASES =
      List.of(
          new Case("unchanged", "{size: 9}", "{size: 9, mode: fast}", ""),
          new Case(
              "changed",
              "{size: 9}",
              "{size: 8}",
              "size: Invalid value: 8: size in body should be less than or equal to 5"),
          new Case(
              "an element found by its key",
              "{parts: [{id: a, n: 0}]}",
              "{parts: [{id: b, n: 1}, {id: a, n: 0}]}",
              ""),
          new Case(
              "a new element",
              "{parts: [{id: a, n: 0}]}",
              "{parts: [{id: a, n: 0}, {id: b, n: 0}]}",
              "parts[1].n: Invalid value: 0: parts[1].n in body should be greater than or equal to"
                  + " 1"),
          new Case(
              "a plain list counts as one",
              "{tags: [long]}",
              "{tags: [long, a]}",
              "tags[0]: Too long: may not be more than 2 bytes"),
          new Case("alternatives", "{any: {}}", "{any: {}, size: 1}", ""),
          new Case("an expression, unchanged", "{even: 1}", "{even: 1, size: 1}", ""),
          new Case(
              "an expression, changed", "{even: 1}", "{even: 3}", "even: Invalid value: 3: odd"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void forgivesWhatStays(Case c) {
    var schema = Yaml.read(SCHEMA);
    var rules = new ObjectRules(schema, StructuralSchema.of(schema));
    var errors = new FieldErrors();
    var updated = Yaml.read(c.updated());
    var old = Yaml.read(c.old());

    rules.checkValues(updated, old, errors);
    if (errors.isEmpty()) {
      rules.checkStructure(updated, old, errors);
    }

    assertThat(errors.isEmpty() ? "" : errors.message()).isEqualTo(c.expected());
  }

  @Test
  void whatAnExpressionForgivesItWarnsOf() {
    var rules = new CustomResource("example.com/v1", "Thing", Yaml.read(SCHEMA)).rules();
    var old = Yaml.read("{even: 1}");

    assertThat(rules.warnings(Yaml.read("{even: 1, size: 1}"), old))
        .containsExactly("even: Invalid value: 1: odd");
    assertThat(rules.warnings(Yaml.read("{even: 3}"), old)).isEmpty();
  }
}
