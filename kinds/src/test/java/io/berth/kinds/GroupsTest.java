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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// New objects of the groups beside core: what a real API server made of them, or how it refused.
class GroupsTest {

  private static final Kinds KINDS = new Kinds();

  static List<Case> accepted() throws IOException {
    return cases().stream().filter(c -> c.tree.has("answer")).toList();
  }

  static List<Case> refused() throws IOException {
    return cases().stream().filter(c -> c.tree.has("message")).toList();
  }

  private static List<Case> cases() throws IOException {
    try (var in = GroupsTest.class.getResourceAsStream("groups.jsonl")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> new Case(Json.read(line)))
          .toList();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("accepted")
  void completesObjectsTheSameWay(Case c) {
    var created = c.create();
    var answer = c.tree.treeOrEmpty("answer");

    for (var field : answer.names()) {
      if (!field.equals("metadata")) {
        assertThat(bare(created.get(field))).as(field).isEqualTo(bare(answer.get(field)));
      }
    }
    for (var field : List.of("labels", "annotations", "generation")) {
      assertThat(created.at("metadata", field)).isEqualTo(answer.at("metadata", field));
    }
  }

  /// Without zeros and empties: which of them are written is for the table of types to say.
  private static @Nullable Object bare(@Nullable Object value) {
    return switch (value) {
      case Tree tree -> {
        var rest = new Tree();
        tree.fields()
            .forEach((name, each) -> {
              var bare = bare(each);
              if (bare != null) {
                rest.put(name, bare);
              }
            });
        yield rest.isEmpty() ? null : rest;
      }
      case List<?> list -> list.isEmpty() ? null : list.stream().map(GroupsTest::orEmpty).toList();
      case String text -> text.isEmpty() ? null : text;
      case Long number -> number == 0 ? null : number;
      case null, default -> value;
    };
  }

  private static Object orEmpty(@Nullable Object value) {
    var bare = bare(value);
    return bare == null ? "" : bare;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void refusesInTheSameWords(Case c) {
    var thrown = catchThrowableOfType(ApiException.class, c::create);

    assertThat(thrown).isNotNull();
    assertThat(thrown.getMessage()).isEqualTo(c.tree.text("message"));
    assertThat(Objects.requireNonNull(thrown.details()).trees("causes"))
        .containsExactlyElementsOf(c.tree.trees("causes"));
  }

  record Case(Tree tree) {

    /// Takes the object through its kind as a request would. The recorded answers call the uid
    /// `uid-1`.
    Tree create() {
      var object = tree.treeOrEmpty("body").copy();
      var meta = object.child("metadata").put("uid", "uid-1");
      if (tree.has("namespace")) {
        meta.put("namespace", tree.text("namespace"));
      }
      var kind =
          KINDS
              .find(
                  tree.textOrEmpty("group"),
                  tree.textOrEmpty("version"),
                  tree.textOrEmpty("resource"))
              .orElseThrow();
      kind.strategy().setDefaults(object);
      Lifecycle.beforeCreate(kind, object, Write.bySystem(Instant.EPOCH));
      return object;
    }

    @Override
    public String toString() {
      return tree.textOrEmpty("id");
    }
  }
}
