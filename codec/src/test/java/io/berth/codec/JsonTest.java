package io.berth.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

  @Test
  void readsAndWritesWithoutLoss() {
    var json = "{\"a\":1,\"b\":[true,null,\"x\",1.5],\"c\":{\"d\":{}}}";

    assertThat(Json.text(Json.read(json))).isEqualTo(json);
  }

  @Test
  void refusesDuplicateFieldsWithTheirPlace() {
    assertThatThrownBy(() -> Json.read("{\"a\":1,\n\"a\":2}"))
        .isInstanceOfSatisfying(
            SyntaxException.class, e -> assertThat(e.line()).as(e.getMessage()).isEqualTo(2));
  }

  @Test
  void readsYamlAsKubectlDoes() {
    var tree = Yaml.read("time: 12:30:45\ndate: 2026-01-01\nport: 80\nquoted: \"80\"\nyes: no\n");

    assertThat(tree.get("time")).isEqualTo("12:30:45");
    assertThat(tree.get("date")).isEqualTo("2026-01-01");
    assertThat(tree.get("port")).isEqualTo(80L);
    assertThat(tree.get("quoted")).isEqualTo("80");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32LE", "UTF-32BE"})
  void onlyUtf8IsRead(String charset) {
    var json = "{\"a\":1}".getBytes(Charset.forName(charset));

    assertThatThrownBy(() -> Json.read(json)).isInstanceOf(SyntaxException.class);
    assertThatThrownBy(() -> Json.readLenient(json)).isInstanceOf(SyntaxException.class);
    assertThatThrownBy(() -> Json.readReporting(json)).isInstanceOf(SyntaxException.class);
  }
}
