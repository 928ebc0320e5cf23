package io.berth.kinds.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class CursorTest {

  private static final List<String> WORDS = List.of("Always", "Never");

  record Case(String name, Consumer<Cursor> rules, List<String> expected) {

    Case(String name, Consumer<Cursor> rules, String... expected) {
      this(name, rules, List.of(expected));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("a good text", at -> at.at("name").required().follows(Names::dnsLabel)),
          new Case("an absent one", at -> at.at("x").required("why"), "x: Required value: why"),
          new Case(
              "what is missing is not looked at",
              at -> at.at("empty").required().follows(Names::dnsLabel).supported(WORDS).port(),
              "empty: Required value"),
          new Case(
              "nothing below it either",
              at -> at.at("x").required().at("y").required(),
              "x: Required value"),
          new Case("an optional text", at -> at.at("x").ifSet().follows(Names::dnsLabel)),
          new Case("an empty one", at -> at.at("empty").ifFilled().follows(Names::dnsLabel)),
          new Case(
              "one that is set, though empty",
              at -> at.at("empty").ifSet().supported(WORDS),
              "empty: Unsupported value: \"\": supported values: \"Always\", \"Never\""),
          new Case("a word that must be there", at -> at.at("x").oneOf(WORDS), "x: Required value"),
          new Case(
              "an absent number is zero",
              at -> at.at("x").positive(),
              "x: Invalid value: 0: must be greater than zero"),
          new Case(
              "numbers",
              at -> at.noneNegative("zero", "minus", "x"),
              "minus: Invalid value: -1: must be greater than or equal to 0"),
          new Case(
              "elements",
              at -> at.each("list", each -> each.at("port").port()),
              "list[1].port: Invalid value: 70000: must be between 1 and 65535, inclusive"),
          new Case(
              "entries",
              at -> at.at("map").entries().forEach(each -> each.invalid("no")),
              "map[a.b/c]: Invalid value: \"d\": no"),
          new Case(
              "fields that stayed, and one that did not",
              at ->
                  at.immutable(
                      Tree.of("name", "a", "zero", 0, "minus", 1), "name", "zero", "minus"),
              "minus: Invalid value: -1: field is immutable"),
          new Case(
              "fields that must not be there",
              at -> at.forbidden("not here", "x", "name"),
              "name: Forbidden: not here"),
          new Case(
              "many",
              at -> at.at("list").atMostItems(1),
              "list: Too many: 2: must have at most 1 item"),
          new Case(
              "another value at the same place",
              at -> at.at("name").with("b").invalid("no"),
              "name: Invalid value: \"b\": no"),
          new Case(
              "what is declared at fields comes last",
              at -> {
                at.at("name").declared().missing();
                at.at("zero").forbidden("first");
              },
              "zero: Forbidden: first",
              "name: Required value"));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    var object =
        Tree.of("name", "a", "empty", "", "zero", 0, "minus", -1)
            .put("list", List.of(Tree.of("port", 80), Tree.of("port", 70_000)))
            .put("map", Tree.of("a.b/c", "d"));
    var errors = new FieldErrors();

    c.rules().accept(Cursor.of(object, errors));

    assertThat(errors.list().stream().map(Object::toString))
        .containsExactlyElementsOf(c.expected());
  }

  @Test
  void textsThatAreToBeUniqueJoinThoseSeen() {
    var errors = new FieldErrors();
    var seen = new HashSet<String>();

    Cursor.of(FieldPath.of("names"), List.of("a", "b", "a"), errors)
        .each()
        .forEach(each -> each.unique(seen));

    assertThat(errors.message()).isEqualTo("names[2]: Duplicate value: \"a\"");
  }

  @Test
  void nobodyHearsObjectionsToWhatIsOnlyRead() {
    var cursor = Cursor.reading(FieldPath.of("spec"), Tree.of("replicas", -1)).at("replicas");

    cursor.nonNegative().invalid("no");

    assertThat(cursor.path()).hasToString("spec.replicas");
    assertThat(cursor.errors().isEmpty()).isTrue();
  }

  @Test
  void wordsComeFromTheTableOfTypes() {
    var errors = new FieldErrors();
    var port = Tree.of("protocol", "HTTP");
    var container = Tree.of("imagePullPolicy", "Often", "ports", List.of(port));
    var pod = Tree.of("spec", Tree.of("containers", List.of(container)));

    for (var each : Cursor.of(Resource.PODS, pod, errors).at("spec").each("containers")) {
      each.at("imagePullPolicy").oneOf();
      each.each("ports", at -> at.at("protocol").supported());
    }

    assertThat(errors.list().stream().map(Object::toString))
        .containsExactly(
            "spec.containers[0].imagePullPolicy: Unsupported value: \"Often\": supported values:"
                + " \"Always\", \"IfNotPresent\", \"Never\"",
            "spec.containers[0].ports[0].protocol: Unsupported value: \"HTTP\": supported values:"
                + " \"SCTP\", \"TCP\", \"UDP\"");
  }

  @Test
  void aFieldWithoutWordsIsAMistake() {
    var name =
        Cursor.of(Resource.PODS, Tree.of("metadata", Tree.of("name", "a")), new FieldErrors());

    assertThatThrownBy(() -> name.at("metadata", "name").supported())
        .hasMessage("the table of types has no words for metadata.name");
  }
}
