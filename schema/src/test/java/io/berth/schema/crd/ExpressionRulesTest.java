package io.berth.schema.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.codec.Yaml;
import io.berth.schema.cel.Budget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What expressions say about values, and what is said about expressions.
class ExpressionRulesTest {

  private static final String SCHEMA =
      """
      type: object
      properties:
        size: {type: integer}
        name: {type: string}
        my-field: {type: string}
        if: {type: integer}
        ratio: {type: number}
        tags: {type: array, items: {type: string}}
        labels: {type: object, additionalProperties: {type: integer}}
        when: {type: string, format: date-time}
        wait: {type: string, format: duration}
        port: {x-kubernetes-int-or-string: true}
        parts:
          type: array
          x-kubernetes-list-type: map
          x-kubernetes-list-map-keys: [id]
          items:
            type: object
            required: [id]
            properties: {id: {type: string}, n: {type: integer}}
        free: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  private static final String VALUE =
      """
      size: 3
      name: web
      my-field: x
      if: 1
      ratio: 2
      tags: [b, a]
      labels: {a: 1}
      when: 2026-01-02T03:04:05Z
      wait: 1h30m
      port: 80
      parts: [{id: a, n: 1}]
      """;

  /// `expected` is empty when the rule holds.
  record Case(String rule, String expected) {}

  static final List<Case> HOLDING_OR_NOT =
      List.of(
          new Case("self.size == 3", ""),
          new Case("self.size > 2.5", ""),
          new Case("self.my__dash__field == 'x' && self.__if__ == 1", ""),
          new Case("self.ratio == 2.0", ""),
          new Case("self.tags.all(t, t.size() == 1)", ""),
          new Case(
              "self.tags.isSorted()", "<nil>: Invalid value: failed rule: self.tags.isSorted()"),
          new Case("self.tags.sort() == ['a', 'b']", ""),
          new Case("self.tags.indexOf('a') == 1 && self.tags.max() == 'b'", ""),
          new Case("self.labels.all(k, self.labels[k] > 0)", ""),
          new Case("self.labels.all(k, v, k == 'a' && v == 1)", ""),
          new Case("self.when < timestamp('2027-01-01T00:00:00Z')", ""),
          new Case("self.wait == duration('90m')", ""),
          new Case("type(self.port) == int ? self.port < 100 : true", ""),
          new Case("self.parts.exists(p, p.id == 'a' && p.n == 1)", ""),
          new Case("!has(self.free) && has(self.name)", ""),
          new Case("self.?name.orValue('') == 'web'", ""),
          new Case("'%s has %d'.format([self.name, self.size]) == 'web has 3'", ""),
          new Case("self.name.matches('^w.b$') && 'abc'.find('b+') == 'b'", ""),
          new Case("'a1b22'.findAll('[0-9]+') == ['1', '22']", ""),
          new Case("quantity('1Gi').isGreaterThan(quantity('1G'))", ""),
          new Case("quantity('1500m').add(quantity('500m')).asInteger() == 2", ""),
          new Case("isQuantity('1.5x')", "<nil>: Invalid value: failed rule: isQuantity('1.5x')"),
          new Case("ip('10.0.0.1').family() == 4 && isIP('::1') && !isIP('::ffff:1.2.3.4')", ""),
          new Case("cidr('10.0.0.0/8').containsIP('10.1.2.3')", ""),
          new Case("!cidr('10.0.0.0/8').containsCIDR('0.0.0.0/0')", ""),
          new Case("url('https://a.b:80/c?d=e').getHostname() == 'a.b'", ""),
          new Case("url('https://a.b:80/c?d=e').getQuery()['d'] == ['e']", ""),
          new Case("!format.dns1123Label().validate('a-b').hasValue()", ""),
          new Case("format.dns1123Label().validate('A').hasValue()", ""),
          new Case("semver('1.2.3').isLessThan(semver('1.10.0'))", ""),
          new Case("sets.contains(self.tags, ['a'])", ""),
          new Case(
              "self.tags[5] == 'a'",
              "<nil>: Invalid value: \"object\": index out of bounds: 5 evaluating rule:"
                  + " self.tags[5] == 'a'"),
          new Case(
              "self.labels['z'] == 1",
              "<nil>: Invalid value: \"object\": no such key: z evaluating rule:"
                  + " self.labels['z'] == 1"),
          new Case(
              "self.size / 0 == 1",
              "<nil>: Invalid value: \"object\": division by zero evaluating rule: self.size / 0 =="
                  + " 1"),
          new Case(
              "self.port.startsWith('8')",
              "<nil>: Invalid value: \"object\": 'no such overload': call arguments did not match a"
                  + " supported operator, function or macro signature for rule:"
                  + " self.port.startsWith('8')"));

  @ParameterizedTest
  @FieldSource("HOLDING_OR_NOT")
  void evaluates(Case c) {
    assertThat(check(Tree.of("rule", c.rule()), Yaml.read(VALUE), null)).isEqualTo(c.expected());
  }

  static final List<Case> WRONG =
      List.of(
          new Case("self.size", "cel expression must evaluate to a bool"),
          new Case(
              "self.nothing == 1",
              """
              compilation failed: ERROR: <input>:1:5: undefined field 'nothing'
               | self.nothing == 1
               | ....^\
              """),
          new Case(
              "self.name == 1",
              """
              compilation failed: ERROR: <input>:1:11: found no matching overload for '_==_' applied to '(string, int)'
               | self.name == 1
               | ..........^\
              """),
          new Case(
              "self.name.foo()",
              """
              compilation failed: ERROR: <input>:1:14: undeclared reference to 'foo' (in container '')
               | self.name.foo()
               | .............^\
              """),
          new Case(
              "self.name ==",
              """
              compilation failed: ERROR: <input>:1:13: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}
               | self.name ==
               | ............^\
              """));

  @ParameterizedTest
  @FieldSource("WRONG")
  void refusesWhatDoesNotCompile(Case c) {
    var rule = ExpressionRule.of(Tree.of("rule", c.rule()), schema(), false);

    assertThat(rule.problem()).isEqualTo(c.expected());
  }

  @Test
  void endsWhatCostsTooMuch() {
    var numbers = new ArrayList<@Nullable Object>();
    for (int i = 0; i < 800; i++) {
      numbers.add("n" + i);
    }
    var rule =
        Tree.of("rule", "self.tags.all(a, self.tags.all(b, a == b || a != b))", "message", "slow");

    assertThat(check(rule, Tree.of("tags", numbers), null))
        .isEqualTo(
            "<nil>: Invalid value: \"object\": 'operation cancelled: actual cost limit exceeded':"
                + " no further validation rules will be run due to call cost exceeds limit for"
                + " rule: slow");
  }

  record Change(String name, Tree rule, String before, String expected) {}

  static final List<Change> CHANGES =
      List.of(
          new Change("unchanged", transition(false), "size: 3", ""),
          new Change(
              "changed", transition(false), "size: 2", "<nil>: Invalid value: size is immutable"),
          new Change("nothing before", transition(false), "", ""),
          new Change(
              "nothing before, but asked all the same",
              Tree.of("rule", "oldSelf.hasValue()", "optionalOldSelf", true, "message", "not new"),
              "",
              "<nil>: Invalid value: not new"));

  private static Tree transition(boolean optional) {
    return Tree.of(
        "rule",
        "self.size == oldSelf.size",
        "message",
        "size is immutable",
        "optionalOldSelf",
        optional);
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource("CHANGES")
  void comparesWithTheOldValue(Change c) {
    var old = c.before().isEmpty() ? null : Yaml.read(c.before());

    assertThat(check(c.rule(), Yaml.read(VALUE), old)).isEqualTo(c.expected());
  }

  private static StructuralSchema schema() {
    return StructuralSchema.of(Yaml.read(SCHEMA));
  }

  private static String check(Tree rule, Tree value, @Nullable Tree old) {
    var errors = new FieldErrors();
    var error =
        ExpressionRule.of(rule, schema(), false).check(value, old, FieldPath.ROOT, new Budget());
    if (error != null) {
      errors.add(error);
    }
    return errors.isEmpty() ? "" : errors.message();
  }
}
