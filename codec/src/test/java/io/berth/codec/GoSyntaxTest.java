package io.berth.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What encoding/json of Go says about broken texts.
class GoSyntaxTest {

  record Case(String json, String complaint) {}

  static final List<Case> CASES =
      List.of(
          new Case("", "unexpected end of JSON input"),
          new Case("{\"a\":", "unexpected end of JSON input"),
          new Case("[1,", "unexpected end of JSON input"),
          new Case("nope", "invalid character 'o' in literal null (expecting 'u')"),
          new Case("yes", "invalid character 'y' looking for beginning of value"),
          new Case("{a:1}", "invalid character 'a' looking for beginning of object key string"),
          new Case(
              "{\"a\":1,}", "invalid character '}' looking for beginning of object key string"),
          new Case("{\"a\" 1}", "invalid character '1' after object key"),
          new Case("{\"a\":1 \"b\":2}", "invalid character '\"' after object key:value pair"),
          new Case("[1 2]", "invalid character '2' after array element"),
          new Case("{} x", "invalid character 'x' after top-level value"),
          new Case("[01]", "invalid character '1' after array element"),
          new Case("[1.]", "invalid character ']' after decimal point in numeric literal"),
          new Case("[-x]", "invalid character 'x' in numeric literal"),
          new Case("[1e]", "invalid character ']' in exponent of numeric literal"),
          new Case("[\"\\x\"]", "invalid character 'x' in string escape code"),
          new Case("[\"\\u12g4\"]", "invalid character 'g' in \\u hexadecimal character escape"),
          new Case("[\"a\nb\"]", "invalid character '\\n' in string literal"),
          new Case("['a']", "invalid character '\\'' looking for beginning of value"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void saysWhatGoSays(Case c) {
    assertThat(GoSyntax.complaint(c.json().getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(c.complaint());
  }
}
