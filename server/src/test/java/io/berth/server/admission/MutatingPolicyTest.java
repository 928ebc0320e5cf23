package io.berth.server.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What policies do was compared with kube-apiserver 1.37.1.
class MutatingPolicyTest {

  private static final String APPLY =
      "mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: \"%s\"}}]\n"
          + "reinvocationPolicy: %s";
  private static final String PATCH =
      "mutations: [{patchType: JSONPatch, jsonPatch: {expression: \"%s\"}}]\n"
          + "reinvocationPolicy: Never";

  @Test
  void aConfigurationIsLaidOverTheObject() {
    var expression =
        "Object{metadata: Object.metadata{labels: Object.metadata.labels{env: 'x' +"
            + " object.metadata.name}}, data: {'added': 'yes'}}";
    try (var server = new PolicyServer().mutating("p", APPLY.formatted(expression, "Never"))) {
      var made = server.created("metadata: {name: a, labels: {l: v}}\ndata: {k: w}");

      assertThat(made.texts("metadata", "labels")).isEqualTo(Map.of("l", "v", "env", "xa"));
      assertThat(made.texts("data")).isEqualTo(Map.of("k", "w", "added", "yes"));
    }
  }

  @Test
  void patchesAreAppliedInOrder() {
    var expression =
        "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'j': 'p'}}, JSONPatch{op: 'add',"
            + " path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'c'}]";
    try (var server = new PolicyServer().mutating("p", PATCH.formatted(expression))) {
      assertThat(server.created("metadata: {name: a}").texts("metadata", "labels"))
          .isEqualTo(Map.of("j", "p", "a/b", "c"));
    }
  }

  @Test
  void aTestThatFailsLeavesTheObjectAlone() {
    var expression =
        "[JSONPatch{op: 'test', path: '/data/x', value: 'y'}, JSONPatch{op: 'replace', path:"
            + " '/data/x', value: 'z'}]";
    try (var server = new PolicyServer().mutating("p", PATCH.formatted(expression))) {
      assertThat(server.created("metadata: {name: a}\ndata: {x: y}").texts("data"))
          .isEqualTo(Map.of("x", "z"));
      assertThat(server.created("metadata: {name: b}\ndata: {x: w}").texts("data"))
          .isEqualTo(Map.of("x", "w"));
    }
  }

  /// `message` follows `policy 'p' with binding 'p' denied request: `.
  record Failure(String name, String spec, String message) {}

  static final List<Failure> FAILURES =
      List.of(
          new Failure(
              "a field the kind does not have",
              APPLY.formatted("Object{spec: Object.spec{x: 1}}", "Never"),
              "error applying patch: failed to convert patch object to typed object: .spec: field"
                  + " not declared in schema"),
          new Failure(
              "a type in the wrong place",
              APPLY.formatted("Object{metadata: Object.spec{labels: {'a': 'b'}}}", "Never"),
              "type mismatch: unexpected type name \"Object.spec\", expected \"Object.metadata\","
                  + " which matches field name path from root Object type"),
          new Failure(
              "a patch that does not fit",
              PATCH.formatted("[JSONPatch{op: 'remove', path: '/data/nope'}]"),
              "JSON Patch: remove operation does not apply: doc is missing path: \"/data/nope\":"
                  + " missing value"),
          new Failure(
              "an error in the expression",
              APPLY.formatted("Object{data: {'n': object.nope}}", "Never"),
              "expression 'Object{data: {'n': object.nope}}' resulted in error: no such key:"
                  + " nope"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("FAILURES")
  void refusesWhatItCannotChange(Failure c) {
    try (var server = new PolicyServer().mutating("p", c.spec)) {
      assertThat(server.refusal("metadata: {name: a}"))
          .isEqualTo("policy 'p' with binding 'p' denied request: " + c.message);
    }
  }

  @Test
  void aPolicyIsAskedAgainAboutWhatOthersChanged() {
    var count = "Object{data: {'seen': string(object.metadata.?labels.orValue({}).size())}}";
    var label = "Object{metadata: Object.metadata{labels: {'late': 'yes'}}}";
    try (var server =
        new PolicyServer()
            .mutating("a", APPLY.formatted(count, "IfNeeded"))
            .mutating("b", APPLY.formatted(label, "Never"))) {
      assertThat(server.created("metadata: {name: x}").texts("data"))
          .isEqualTo(Map.of("seen", "1"));
    }
  }
}
