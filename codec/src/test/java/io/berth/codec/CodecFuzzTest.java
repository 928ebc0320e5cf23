package io.berth.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.berth.api.Quantity;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Whatever the bytes: a value, or an error that says where. What was read can be written and read
/// again.
///
/// A normal build damages sound documents from seeds; `JAZZER_FUZZ=1` lets Jazzer search.
class CodecFuzzTest {

  private static final int ROUNDS = Integer.getInteger("berth.fuzz.rounds", 2_000);

  private static final List<String> DOCUMENTS =
      List.of(
          "{\"kind\":\"Pod\",\"n\":[1,-2.5,1e10,true,null,\"a\\u00e9\\n\"],\"o\":{\"a\":{}}}",
          "{\"metadata\":{\"name\":\"p\",\"labels\":{\"a\":\"b\"}},\"spec\":{\"containers\":[{\"name\":\"c\","
              + "\"resources\":{\"requests\":{\"cpu\":\"1500m\",\"memory\":\"1Gi\"}}}],\"affinity\":"
              + "{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":"
              + "{\"nodeSelectorTerms\":[{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"In\","
              + "\"values\":[\"b\"]}]}]}}},\"tolerations\":[{\"operator\":\"Exists\"}]}}",
          """
          a: &x [1, 2]
          b: *x
          c: |
            text
          d: {e: 0x10, f: 1_000, g: 12:30:45}
          ---
          h: !!str 5
          """);

  private static final List<String> QUANTITIES =
      List.of("1500m", "1Gi", "0.5", "1e3", "-2k", "12E", "3n", "1.000000001Ki", "+5");

  @FuzzTest(maxDuration = "10m")
  void json(byte[] bytes) {
    try {
      // Whole numbers are written without a fraction, so it is the text that stays the same.
      var written = Json.write(Json.readValue(bytes));
      assertThat(Json.write(Json.readValue(written))).isEqualTo(written);
    } catch (SyntaxException e) {
      assertThat(e.line()).isPositive();
    }
  }

  @FuzzTest(maxDuration = "10m")
  void yaml(byte[] bytes) {
    try {
      for (var tree : Yaml.readAll(new String(bytes, StandardCharsets.UTF_8))) {
        assertThat(tree.size()).isNotNegative();
      }
    } catch (SyntaxException e) {
      assertThat(e.line()).isPositive();
    }
  }

  @FuzzTest(maxDuration = "10m")
  void quantity(byte[] bytes) {
    var text = new String(bytes, StandardCharsets.UTF_8);
    Quantity quantity;
    try {
      quantity = Quantity.parse(text);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("quantit");
      return;
    }
    assertThat(Quantity.parse(quantity.toString()).compareTo(quantity)).isZero();
    assertThat(quantity.value()).isEqualTo(Quantity.parse(quantity.toString()).value());
  }

  @FuzzTest(maxDuration = "10m")
  void objects(byte[] bytes) {
    try {
      var tree = Json.readLenient(bytes);
      PodReader.read(tree);
      NodeReader.read(tree);
      ObjectReader.readBudget(tree);
      ObjectReader.readNamespace(tree);
    } catch (SyntaxException | FieldException e) {
      assertThat(e.getMessage()).isNotNull();
    }
  }

  @Test
  void damagedDocuments() {
    var random = new SplittableRandom(1);
    for (int i = 0; i < ROUNDS; i++) {
      for (var document : DOCUMENTS) {
        var damaged = damaged(document, random);
        json(damaged);
        yaml(damaged);
        objects(damaged);
      }
      for (var text : QUANTITIES) {
        quantity(damaged(text, random));
      }
    }
  }

  private static byte[] damaged(String text, SplittableRandom random) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    int places = random.nextInt(1, 4);
    for (int i = 0; i < places; i++) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = (byte) "{}[]:,\"\\&*!|>-0.eE+iKmn ".charAt(random.nextInt(24));
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        default -> {
          int from = random.nextInt(bytes.length);
          int length = Math.min(random.nextInt(1, 8), bytes.length - Math.max(at, from));
          System.arraycopy(bytes.clone(), from, bytes, at, Math.max(0, length));
        }
      }
    }
    return bytes;
  }
}
