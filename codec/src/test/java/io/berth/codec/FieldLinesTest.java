package io.berth.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class FieldLinesTest {

  private static final String TEXT =
      """
      # A remark before the first object.
      kind: Pod
      spec:
        nodeSelector:
          example.com/disk.type: ssd
        containers:
        - name: a
          resources:
            requests: {cpu: 1,
              memory: 1Gi}
        - {name: b}
      ---
      kind: List
      items:
      - kind: Node
        spec: {}
      - kind: Node
        spec:
          taints: []
      """;

  record Case(String name, int object, String path, int line) {}

  static final List<Case> CASES =
      List.of(
          new Case("the object itself", 2, "", 2),
          new Case("a field", 2, "spec.containers", 6),
          new Case("an element", 2, "spec.containers[1]", 11),
          new Case("a field of an element", 2, "spec.containers[1].name", 11),
          new Case("a name with dots", 2, "spec.nodeSelector[example.com/disk.type]", 5),
          new Case("in braces", 2, "spec.containers[0].resources.requests[memory]", 10),
          new Case("absent: what would hold it", 2, "spec.affinity.nodeAffinity", 3),
          new Case("no such element", 2, "spec.containers[7].name", 6),
          new Case("an item of a list", 13, "items[1].spec.taints", 19),
          new Case("an item by its own line", 17, "spec.taints", 19),
          new Case("counted from a remark", 1, "kind", 2),
          new Case("no document after it", 99, "spec", 99),
          new Case("an open bracket", 2, "spec.containers[1", 11));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void findsLines(Case c) {
    assertThat(FieldLines.of(TEXT).lineOf(c.object(), c.path())).isEqualTo(c.line());
  }

  @Test
  void readsJson() {
    var json = "{\"kind\": \"Pod\",\n\t\"spec\": {\n\t\t\"nodeName\": \"a\"}}";

    assertThat(FieldLines.of(json).lineOf(1, "spec.nodeName")).isEqualTo(3);
  }

  @Test
  void hasNoLinesOfWhatCannotBeRead() {
    assertThat(FieldLines.of("a: [").lineOf(1, "a")).isEqualTo(1);
  }
}
