package io.berth.kinds.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.FieldErrors;
import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The words are those of kube-apiserver 1.37.1.
class EmbeddedJsonTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "x | invalid character 'x' looking for beginning of value",
        "{ | unexpected end of JSON input",
        "{}x | invalid character 'x' after top-level value",
        "\"s\" | json: cannot unmarshal string into Go value of type map[string]interface {}",
        "[1] | json: cannot unmarshal array into Go value of type map[string]interface {}",
      })
  void secretsForRegistriesAreJsonObjects(String content, String complaint) {
    assertThat(complaints(content))
        .isEqualTo(
            "data[.dockerconfigjson]: Invalid value: \"<secret contents redacted>\": " + complaint);
  }

  @Test
  void nothingAtAllIsAnObjectToGo() {
    assertThat(complaints("{\"auths\":{}}")).isEmpty();
    assertThat(complaints("null")).isEmpty();
  }

  private static String complaints(String content) {
    var encoded = Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8));
    var secret =
        Tree.of(
            "metadata", Tree.of("name", "s", "namespace", "default"),
            "type", "kubernetes.io/dockerconfigjson",
            "data", Tree.of(".dockerconfigjson", encoded));
    var errors = new FieldErrors();
    new SecretStrategy().validateCreate(Cursor.of(secret, errors));
    return errors.isEmpty() ? "" : errors.message();
  }
}
