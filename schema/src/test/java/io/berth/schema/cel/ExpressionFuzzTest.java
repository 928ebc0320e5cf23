package io.berth.schema.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Whatever the text: an expression with a value, or a complaint of bounded length.
class ExpressionFuzzTest {

  private static final int LONGEST_COMPLAINT = 500_000;

  private static final Map<String, Object> VARIABLES =
      Map.of(
          "text",
          "a,b,aab",
          "object",
          Map.of("a", List.of(1L, 2L), "list", List.of(3L), "spec", Map.of("list", List.of())));

  @FuzzTest(maxDuration = "10m")
  void expression(byte[] bytes) {
    try {
      var program =
          ExpressionBoundsTest.environment().compile(new String(bytes, StandardCharsets.UTF_8));
      program.estimatedCost(_ -> null);
      program.evaluate(VARIABLES, new Budget());
    } catch (CompilationException | EvaluationException e) {
      assertThat(String.valueOf(e.getMessage()).length()).isLessThan(LONGEST_COMPLAINT);
    }
  }
}
