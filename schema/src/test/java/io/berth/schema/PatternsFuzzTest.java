package io.berth.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.re2j.PatternSyntaxException;
import java.nio.charset.StandardCharsets;

/// Whatever the text: a pattern of bounded size that can be used, or a complaint.
class PatternsFuzzTest {

  private static final int MOST_INSTRUCTIONS = 200_000;

  @FuzzTest(maxDuration = "10m")
  void pattern(byte[] bytes) {
    var text = new String(bytes, StandardCharsets.UTF_8);
    try {
      var pattern = Patterns.compile(text);
      assertThat(pattern.programSize()).isLessThan(MOST_INSTRUCTIONS);
      Patterns.isFound(pattern, text.length() > 100 ? text.substring(0, 100) : text);
    } catch (PatternSyntaxException e) {
      assertThat(e).hasMessageStartingWith("error parsing regexp: ");
    }
  }
}
