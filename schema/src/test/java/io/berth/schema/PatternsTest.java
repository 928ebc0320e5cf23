package io.berth.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.re2j.PatternSyntaxException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Patterns that want much memory or time are refused before they have either.
class PatternsTest {

  record Refused(String pattern, String words) {

    @Override
    public String toString() {
      return pattern.length() > 60 ? pattern.substring(0, 60) : pattern;
    }
  }

  /// The words up to the expression are Go's.
  static final List<Refused> REFUSED =
      List.of(
          new Refused("a{1001}", "error parsing regexp: invalid repeat count: `{1001}`"),
          new Refused("a{1,1001}", "error parsing regexp: invalid repeat count: `{1,1001}`"),
          new Refused("a{1001,}", "error parsing regexp: invalid repeat count: `{1001,}`"),
          new Refused("a{99999999999999999999}", "error parsing regexp: invalid repeat count: `"),
          new Refused("(a{100}){100}", "error parsing regexp: invalid repeat count: `{100}`"),
          new Refused("((a{10}){10}){11}", "error parsing regexp: invalid repeat count: `{11}`"),
          new Refused("(?:a{0,40}b){26}", "error parsing regexp: invalid repeat count: `{26}`"),
          new Refused("(a|(b{501})){2,}", "error parsing regexp: invalid repeat count: `{2,}`"),
          new Refused(
              "(?:(?:a{2,})*x){501}", "error parsing regexp: invalid repeat count: `{501}`"),
          new Refused("((a{100}){10}", "error parsing regexp: "),
          new Refused("(?i:(?P<n>[]a]{500})){3}", "error parsing regexp: invalid repeat count: `"),
          new Refused(".{1000}".repeat(60), "error parsing regexp: expression too large: `"),
          new Refused("(abcdefghij){500}".repeat(10), "error parsing regexp: expression too large"),
          new Refused("a".repeat(60_000), "error parsing regexp: expression too large: `"),
          new Refused("\\pL".repeat(1_000), "error parsing regexp: expression too large: `"),
          new Refused("[" + "\\p{L}".repeat(1_000) + "]", "error parsing regexp: expression too"),
          new Refused("[" + "ab".repeat(600_000) + "]", "error parsing regexp: expression too"),
          new Refused("\\Q" + "a".repeat(60_000) + "\\E", "error parsing regexp: expression too"),
          new Refused(
              "(".repeat(2_000) + ")".repeat(2_000),
              "error parsing regexp: expression nests too deeply: `"),
          new Refused("(?:".repeat(100_000), "error parsing regexp: expression nests too deeply"),
          new Refused("(", "error parsing regexp: missing closing ): `(`"),
          new Refused("a**", "error parsing regexp: invalid nested repetition operator: `**`"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("REFUSED")
  void whatIsTooLargeIsRefused(Refused c) {
    assertThatExceptionOfType(PatternSyntaxException.class)
        .isThrownBy(() -> Patterns.compile(c.pattern()))
        .withMessageStartingWith(c.words());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a{1000}",
        "(a{10}){100}",
        "(a{0,500}|b{2}){2}",
        "(?:a{1,}){1000}",
        "(a{0}){1000}",
        "a{,5}{x}{1,y}",
        "[{]{1000}",
        "\\{5000}",
        "[a{5000}]",
        "\\Q(a{5000}){5000}\\E",
        "[[:alpha:]]{500}",
        "\\p{Greek}{1,300}",
        "\\x{41}{3}",
        "^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\.)*[a-z]{2,63}$",
        "(?i)^(?P<name>[a-z]+)$"
      })
  void whatIsUsualIsNot(String pattern) {
    assertThat(Patterns.compile(pattern)).isNotNull();
  }

  @Test
  void aTextThatWouldTakeTooLongDoesNotMatch() {
    var pattern = Patterns.compile("(x{0,500}y?){2}$");

    assertThat(Patterns.isFound(pattern, "x".repeat(1000))).isTrue();
    assertThat(Patterns.isFound(pattern, "x".repeat(1_000_000))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?i)\u1c80",
        "(?i)[*-\ufffd]",
        "a(?mi:[^\\x{0}-\\x{10ffff}])",
        "(?i)\\x{1C88}",
        "(?i)[\\x41-\\x{2000}]",
        "(?i)\\Q\u1c83"
      })
  void lettersThatTheLibraryCannotFoldAreRefused(String pattern) {
    assertThatExceptionOfType(PatternSyntaxException.class)
        .isThrownBy(() -> Patterns.compile(pattern))
        .withMessageStartingWith("error parsing regexp: unsupported: the letters U+1C80 to U+1C88");
  }

  @Test
  void elsewhereCaseDoesNotCountWhereAPatternSaysSo() {
    assertThat(Patterns.isFound(Patterns.compile("(?i)[\u0430-\u044f]"), "\u0412")).isTrue();
    assertThat(Patterns.isFound(Patterns.compile("(?i)[a-z\u4e00-\u9fa5]+$"), "ABC")).isTrue();
    assertThat(Patterns.isFound(Patterns.compile("[*-\ufffd]"), "\u1c80")).isTrue();
    assertThat(Patterns.isFound(Patterns.compile("(?i)abc"), "\u1c80\u1c88")).isFalse();
    assertThat(Patterns.isFound(Patterns.compile("(?i).\u0432"), "x\u1c80")).isFalse();
  }
}
