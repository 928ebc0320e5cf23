package io.berth.schema.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Short expressions that want much memory or time: each ends before it has either.
class ExpressionBoundsTest {

  private static final String EXHAUSTED = "operation cancelled: actual cost limit exceeded";
  private static final int TIMES = 24;

  record Case(String name, String expression) {

    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> TOO_MUCH =
      List.of(
          new Case("replace doubles", "'aa'" + ".replace('a', 'aa')".repeat(TIMES) + " == ''"),
          new Case("replace nothing", "text.replace('', text).size() > 0"),
          new Case("replace by much", "text.replace('a', text).size() > 0"),
          new Case("replace some", "text.replace('a', text, 100000).size() > 0"),
          new Case("text grows", grow("'aaaaaaaa'", "a + a") + ".size() > 0"),
          new Case("text of any type grows", grow("dyn('aaaaaaaa')", "a + a") + ".size() > 0"),
          new Case("bytes grow", grow("b'aaaaaaaa'", "a + a") + ".size() > 0"),
          new Case("lists grow", grow("[1, 2, 3, 4]", "a + a") + ".size() > 0"),
          new Case("lists in lists grow", grow("[1]", "[a, a]") + ".size() > 0"),
          new Case("maps in maps grow", grow("{'a': 1}", "{'a': a, 'b': a}") + ".size() > 0"),
          new Case("join", "lists.range(3000).map(i, 'a').join(text).size() > 0"),
          new Case("join of long texts", "lists.range(3000).map(i, text).join().size() > 0"),
          new Case("format", "lists.range(3000).map(i, '%s'.format([text])).size() > 0"),
          new Case("format of a list", "'%s'.format([lists.range(3000).map(i, text)]) == ''"),
          new Case(
              "format with many digits",
              "lists.range(2000).map(i, '%.9999f').join().format(lists.range(2000)) == ''"),
          new Case("range", "lists.range(100000000).size() > 0"),
          new Case("range without end", "lists.range(9000000000).size() > 0"),
          new Case("flatten", "lists.range(5000).map(i, list).flatten().size() > 0"),
          new Case("copies of a list", "lists.range(5000).map(i, list + [i]).size() > 0"),
          new Case("distinct", "list.distinct().size() > 0"),
          new Case("sort", "list.sort().size() > 0"),
          new Case("sets", "sets.contains(list, list)"),
          new Case("transformed lists", "list.transformList(i, v, list).size() > 0"),
          new Case("transformed maps", "list.transformMap(i, v, text).size() > 0"),
          new Case("contains", "text.contains(text.substring(1) + 'b')"),
          new Case("indexOf", "text.indexOf(text.substring(50000) + 'b') > 0"),
          new Case("lastIndexOf", "text.lastIndexOf('b' + text.substring(50000)) > 0"),
          new Case("split", "text.split(text.substring(50000) + 'b').size() > 0"),
          new Case("matches", "list.all(i, text.matches('(a*)*b') || true)"),
          new Case("find", "list.all(i, text.find('(a*)*b') == '')"),
          new Case("findAll", "list.all(i, text.findAll('(a|aa)*').size() > 0)"),
          new Case("quote", "list.all(i, strings.quote(text) != '')"),
          new Case("upper case", "list.all(i, text.upperAscii() != '')"),
          new Case("comparison", "list.all(i, text + 'b' > text + 'a')"),
          new Case("searching", "list.all(i, i in list)"),
          new Case("an error that is ignored", "lists.range(100000000).size() > 0 || true"),
          new Case("an error in a loop", "list.exists(i, lists.range(100000000).size() > 0)"));

  /// `a` becomes the expression, again and again.
  private static String grow(String first, String step) {
    return "[" + first + "]" + (".map(a, " + step + ")").repeat(TIMES) + "[0]";
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource("TOO_MUCH")
  void whatCostsTooMuchIsEnded(Case c) throws CompilationException {
    var program = environment().compile(c.expression());

    assertThatExceptionOfType(EvaluationException.class)
        .isThrownBy(() -> program.evaluate(variables(), new Budget()))
        .matches(EvaluationException::isExhausted)
        .withMessage(EXHAUSTED);
  }

  static final List<Case> USUAL =
      List.of(
          new Case("large text", "text.replace('a', 'bb').size() == 200000"),
          new Case("nothing to replace", "text.replace('b', text) == text"),
          new Case("some of it", "text.replace('a', 'bb', 10).size() == 100010"),
          new Case("concatenation", "(text + text).size() == 200000"),
          new Case(
              "a long loop", "lists.range(20000).map(i, i + 1).filter(i, i > 5).size() == 19995"),
          new Case("join", "lists.range(9000).map(i, 'a').join(',').size() == 17999"),
          new Case("lists", "(list + list).size() == 100000"),
          new Case("flatten", "lists.range(100).map(i, [i, i]).flatten().size() == 200"),
          new Case("maps", "lists.range(1000).transformMap(i, v, v + 1).size() == 1000"),
          new Case("matches", "text.matches('^a+$')"),
          new Case("deep", "[[[[list]]]] == [[[[list]]]]"),
          new Case("a short needle", "text.indexOf('b') == -1 && !text.contains('ab')"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("USUAL")
  void whatIsUsualIsNot(Case c) throws Exception {
    assertThat(environment().compile(c.expression()).evaluate(variables(), new Budget()))
        .isEqualTo(true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"é", "\\", "*/1 ", "a", "(", "!", "a.", "1,", "a: b\n"})
  void complaintsHaveABound(String shape) {
    for (int size : List.of(10_000, 90_000, 3_000_000)) {
      assertThatExceptionOfType(CompilationException.class)
          .isThrownBy(() -> environment().compile(shape.repeat(size / shape.length())))
          .matches(e -> String.valueOf(e.getMessage()).length() < 400_000);
    }
  }

  @Test
  void theBudgetIsForAllTogether() throws Exception {
    var program = environment().compile("text.matches('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')");
    var budget = new Budget();
    int times = 0;
    try {
      for (; times < 1000; times++) {
        program.evaluate(variables(), budget);
      }
    } catch (EvaluationException e) {
      assertThat(budget.isSpent()).isTrue();
    }

    // A tenth of each character, times a quarter of the pattern, and one for the name.
    assertThat(times).isEqualTo(10_000_000 / (10_001 * 10 + 1));
  }

  private static Map<String, Object> variables() {
    var variables = new HashMap<String, Object>();
    variables.put("text", "a".repeat(100_000));
    variables.put("list", LongStream.range(0, 50_000).boxed().toList());
    return variables;
  }

  static Environment environment() {
    return new Environment(
        Map.of(
            "text", SimpleType.STRING,
            "list", ListType.create(SimpleType.INT),
            "object", SimpleType.DYN),
        new NoTypes());
  }

  private record NoTypes() implements CelTypeProvider {

    @Override
    public ImmutableCollection<CelType> types() {
      return ImmutableList.of();
    }

    @Override
    public Optional<CelType> findType(String name) {
      return Optional.empty();
    }
  }
}
