package io.berth.placement.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class TestReaderTest {

  /// A document after its head, and the refusal.
  record Case(String text, String refusal) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "then:\n- skew: {pods: {app: web}, by: zone, atmost: 1}\n",
              "t.yaml:5:38: then[0].skew.atmost: unknown field; did you mean atMost?"),
          new Case(
              "when:\n- loose: {zone: b}\nthen: [{nothingPending: {}}]\n",
              "t.yaml:5:3: when[0].loose: no such step; did you mean lose?"),
          new Case(
              "when:\n- lose: {zone: b, node: c}\nthen: [{nothingPending: {}}]\n",
              "t.yaml:5:3: when[0].lose: choice has one field, of zone, node, labels"),
          new Case(
              "when:\n- passes: soon\nthen: [{nothingPending: {}}]\n",
              "t.yaml:5:3: when[0].passes: expected a time, such as 90s or 1h30m"),
          new Case(
              "then:\n- apart: {pods: {app: web}}\n",
              "t.yaml:5:3: then[0].apart: by is missing: a label of nodes"),
          new Case(
              "then:\n- pending: {pods: {app: web}, becose: x}\n",
              "t.yaml:5:31: then[0].pending.becose: unknown field; did you mean because?"),
          new Case(
              "given:\n- fleet: {count: many}\nthen: [{nothingPending: {}}]\n",
              "t.yaml:5:11: given[0].fleet.count: expected a whole number from 0 to 100000"),
          new Case("given: []\n", "t.yaml:1:1: then is missing: what shall hold in the end"),
          new Case("then: []\n", "t.yaml:4:1: then: expected a list of at least 1"),
          new Case("then: [\n", "t.yaml:5:1: expected the node content, but found '<stream end>'"));

  @ParameterizedTest
  @FieldSource("CASES")
  void refuses(Case c) {
    var head = "apiVersion: berth.io/v1alpha1\nkind: PlacementTest\nmetadata: {name: it}\n";

    assertThatThrownBy(() -> TestReader.read(Path.of("t.yaml"), head + c.text()))
        .hasMessage(c.refusal());
  }

  @Test
  void leavesOtherKindsAlone() {
    var tests =
        TestReader.read(
            Path.of("t.yaml"),
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: other}
            ---
            apiVersion: berth.io/v1alpha1
            kind: PlacementTest
            metadata: {name: it}
            then: [{nothingPending: {mayBeEmpty: true}}]
            """);

    assertThat(tests).extracting(PlacementTest::name).containsExactly("it");
    assertThat(tests.getFirst().line()).isEqualTo(5);
  }
}
