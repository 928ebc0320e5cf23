package io.berth.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// New objects that a real API server refused, and its very words.
class RefusalsTest {

  private static final Kinds KINDS = new Kinds();

  static List<Refusal> refusals() throws IOException {
    try (var in = RefusalsTest.class.getResourceAsStream("refusals.jsonl")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> new Refusal(Json.read(line)))
          .toList();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void refusesInTheSameWords(Refusal refusal) {
    var object = refusal.tree.treeOrEmpty("body").copy();
    var meta = object.child("metadata");
    if (!refusal.tree.textOrEmpty("namespace").isEmpty()) {
      meta.put("namespace", refusal.tree.text("namespace"));
    }
    var kind = KINDS.find("", "v1", refusal.tree.textOrEmpty("resource")).orElseThrow();
    var write = Write.bySystem(Instant.EPOCH);

    var thrown =
        catchThrowableOfType(
            ApiException.class,
            () -> {
              kind.strategy().setDefaults(object);
              kind.strategy().reserve(object, null, write).close();
              Lifecycle.beforeCreate(kind, object, write);
            });

    assertThat(thrown).isNotNull();
    assertThat(thrown.getMessage()).isEqualTo(refusal.tree.text("message"));
    assertThat(Objects.requireNonNull(thrown.details()).trees("causes"))
        .containsExactlyElementsOf(refusal.tree.trees("causes"));
  }

  record Refusal(Tree tree) {

    @Override
    public String toString() {
      return tree.textOrEmpty("id");
    }
  }
}
