package io.berth.kinds.custom;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Paths of printer columns, with the cells kube-apiserver made of them.
class JsonPathTest {

  private static final Tree OBJECT =
      Json.read(
          """
          {"metadata": {"name": "c", "labels": {"a.b/c": "lab"}},
           "spec": {"l": [{"a": "x", "b": 1}, {"a": "y", "b": 2}], "none": null,
            "large": 1e30, "half": 2.7}}
          """);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      value = {
        "string  | .spec.l[*].a | x",
        "string  | .spec.l[1].a | y",
        "string  | .spec.l[-1:].a | y",
        "string  | .spec.l[0:1].b | 1",
        "string  | .spec.l[2:].b | null",
        "string  | .spec.l[?(@.a==\"y\")].b | 2",
        "string  | .metadata.labels['a\\.b/c'] | lab",
        "string  | .spec.none | <no value>",
        "integer | .spec.half | 2",
        "integer | .spec.large | -9223372036854775808",
      })
  void cells(String type, String path, String expected) {
    var columns = new PrinterColumns(List.of(Tree.of("name", "C", "type", type, "jsonPath", path)));

    var cell = columns.cells(OBJECT, Instant.EPOCH).get(1);

    assertThat(cell == null ? null : String.valueOf(cell)).isEqualTo(expected);
  }
}
