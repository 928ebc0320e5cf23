package io.berth.schema.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.codec.Yaml;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What is said about schemas, in Kubernetes' words.
class SchemaChecksTest {

  record Case(String name, String schema, String expected) {}

  static final List<Case> CASES =
      List.of(
          of("plain", "{type: string}", ""),
          of(
              "no type",
              "{}",
              "s.properties[a].type: Required value: must not be empty for specified object"
                  + " fields"),
          of(
              "no items",
              "{type: array}",
              "s.properties[a].items: Required value: must be specified"),
          of(
              "unknown type",
              "{type: text}",
              "s.properties[a].type: Unsupported value: \"text\": supported values: \"array\","
                  + " \"boolean\", \"integer\", \"number\", \"object\", \"string\""),
          of(
              "a type in an alternative",
              "{type: integer, anyOf: [{type: integer}]}",
              "s.properties[a].anyOf[0].type: Forbidden: must be empty to be structural"),
          of(
              "an integer or a string",
              "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}",
              ""),
          new Case(
              "a field only in an alternative",
              "{type: object, oneOf: [{properties: {b: {minimum: 1}}}]}",
              "s.properties[b]: Required value: because it is defined in s.oneOf[0].properties[b]"),
          of(
              "a reference says nothing else",
              "{$ref: x}",
              "s.properties[a].$ref: Forbidden: $ref is not supported"),
          of(
              "a pattern that is none",
              "{type: string, pattern: 'a('}",
              "s.properties[a].pattern: Invalid value: \"a(\": must be a valid regular expression,"
                  + " but isn't: error parsing regexp: missing closing ): `a(`"),
          of(
              "a default out of bounds",
              "{type: integer, minimum: 5, default: 3}",
              "s.properties[a].default: Invalid value: 3:  in body should be greater than or equal"
                  + " to 5"),
          of(
              "a default with a stranger",
              "{type: object, properties: {b: {type: integer}}, default: {z: 1, b: 2}}",
              "s.properties[a].default: Invalid value: {\"b\":2,\"z\":1}: must not have unknown"
                  + " fields"),
          of(
              "a default against a rule",
              "{type: integer, default: 3, x-kubernetes-validations: [{rule: self > 5}]}",
              "s.properties[a].default: Invalid value: 3: failed rule: self > 5"),
          of(
              "objects in a set",
              "{type: array, x-kubernetes-list-type: set, items: {type: object}}",
              "s.properties[a].items.x-kubernetes-map-type: Invalid value: null: must be atomic as"
                  + " item of a list with x-kubernetes-list-type=set"),
          of(
              "a key that may be missing",
              "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k],"
                  + " items: {type: object, properties: {k: {type: string}}}}",
              "s.properties[a].items.properties[k].default: Required value: this property is in"
                  + " x-kubernetes-list-map-keys, so it must have a default or be a required"
                  + " property"),
          of(
              "an old value that cannot be found",
              "{type: array, items: {type: integer, x-kubernetes-validations: [{rule: self >"
                  + " oldSelf}]}}",
              "s.properties[a].items.x-kubernetes-validations[0].rule: Invalid value: \"self >"
                  + " oldSelf\": oldSelf cannot be used on the uncorrelatable portion of the schema"
                  + " within s.properties[a]"),
          of(
              "a path that leads nowhere",
              "{type: object, properties: {b: {type: integer}}, x-kubernetes-validations: [{rule:"
                  + " self.b > 1, fieldPath: .c}]}",
              "s.properties[a].x-kubernetes-validations[0].fieldPath: Invalid value: \".c\": must"
                  + " be a valid path"),
          new Case(
              "a default for the metadata",
              "{type: object, properties: {metadata: {type: object, default: {name: x}}}}",
              "s.properties[metadata].default: Forbidden: must not be set in top-level metadata"),
          new Case(
              "a root that is none",
              "{type: string}",
              "s.type: Invalid value: \"string\": must be object at the root"),
          new Case(
              "a map at the root",
              "{type: object, additionalProperties: {type: string}}",
              "s.additionalProperties: Forbidden: must not be used at the root"));

  private static Case of(String name, String property, String expected) {
    return new Case(name, "{type: object, properties: {a: " + property + "}}", expected);
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void objects(Case c) {
    var errors = new FieldErrors();

    SchemaChecks.check(Yaml.read(c.schema()), FieldPath.of("s"), false, false, errors);

    assertThat(errors.isEmpty() ? "" : errors.message()).isEqualTo(c.expected());
  }
}
