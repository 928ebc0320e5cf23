package io.berth.answers.outline;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a value may be. [#mistake] and [#schema] say the same, once to a program and once to an
/// editor.
public sealed interface Outline {

  /// The first thing that is wrong with the value, or `null`.
  @Nullable Mistake mistake(@Nullable Object value);

  /// The same as JSON schema.
  Tree schema();

  private static Mistake not(String wanted) {
    return new Mistake(List.of(), "expected " + wanted);
  }

  /// Text of a form; `wanted` says which, with an example.
  record Text(Pattern form, String wanted) implements Outline {

    public static final Text ANY = of("[\\s\\S]+", "text");

    public static Text of(String form, String wanted) {
      return new Text(Pattern.compile(form), wanted);
    }

    @Override
    public @Nullable Mistake mistake(@Nullable Object value) {
      return value instanceof String text && form.matcher(text).matches() ? null : not(wanted);
    }

    @Override
    public Tree schema() {
      return Tree.of("type", "string", "pattern", "^(?:" + form.pattern() + ")$");
    }
  }

  /// One of some words.
  record Choice(List<String> words) implements Outline {

    public static Choice of(String... words) {
      return new Choice(List.of(words));
    }

    @Override
    public @Nullable Mistake mistake(@Nullable Object value) {
      return value instanceof String text && words.contains(text)
          ? null
          : not("one of " + String.join(", ", words));
    }

    @Override
    public Tree schema() {
      return Tree.of("enum", words);
    }
  }

  /// A whole number from `least` to `most`.
  record Count(long least, long most) implements Outline {

    public static final Count ANY = new Count(0, 1_000_000);

    @Override
    public @Nullable Mistake mistake(@Nullable Object value) {
      return value instanceof Long number && number >= least && number <= most
          ? null
          : not("a whole number from %d to %d".formatted(least, most));
    }

    @Override
    public Tree schema() {
      return Tree.of("type", "integer", "minimum", least, "maximum", most);
    }
  }

  /// A number that is not negative.
  record Amount() implements Outline {

    private static final double MOST = 1e15;

    @Override
    public @Nullable Mistake mistake(@Nullable Object value) {
      return value instanceof Number number
              && number.doubleValue() >= 0
              && number.doubleValue() <= MOST
          ? null
          : not("a number");
    }

    @Override
    public Tree schema() {
      return Tree.of("type", "number", "minimum", 0, "maximum", MOST);
    }
  }

  /// `true` or `false`.
  record Flag() implements Outline {

    @Override
    public @Nullable Mistake mistake(@Nullable Object value) {
      return value instanceof Boolean ? null : not("true or false");
    }

    @Override
    public Tree schema() {
      return Tree.of("type", "boolean");
    }
  }

  /// An object whose fields are not looked at here: others know them.
  record Anything() implements Outline {

    @Override
    public @Nullable Mistake mistake(@Nullable Object value) {
      return value instanceof Tree ? null : not("an object");
    }

    @Override
    public Tree schema() {
      return Tree.of("type", "object");
    }
  }

  /// Values by names that users choose, such as labels.
  record Named(Outline each, String wanted, int least) implements Outline {

    /// At least one label; a selector that is empty would mean everything.
    public static final Named LABELS =
        new Named(Text.of("[\\s\\S]*", "text"), "labels, such as {app: web}", 1);

    @Override
    public @Nullable Mistake mistake(@Nullable Object value) {
      if (!(value instanceof Tree tree) || tree.names().size() < least) {
        return not(wanted);
      }
      for (var name : tree.names()) {
        var mistake = each.mistake(tree.get(name));
        if (mistake != null) {
          return mistake.within(name);
        }
      }
      return null;
    }

    @Override
    public Tree schema() {
      return Tree.of(
          "type", "object", "minProperties", least, "additionalProperties", each.schema());
    }
  }

  /// A list of at least `least` values.
  record ListOf(Outline each, int least) implements Outline {

    @Override
    public @Nullable Mistake mistake(@Nullable Object value) {
      if (!(value instanceof List<?> list)) {
        return not("a list");
      }
      if (list.size() < least) {
        return not("a list of at least " + least);
      }
      for (int i = 0; i < list.size(); i++) {
        var mistake = each.mistake(list.get(i));
        if (mistake != null) {
          return mistake.within(i);
        }
      }
      return null;
    }

    @Override
    public Tree schema() {
      return Tree.of("type", "array", "minItems", least, "items", each.schema());
    }
  }

  /// One of several forms that differ in kind: text, number, list, object.
  record Either(List<Outline> forms) implements Outline {

    public static Either of(Outline... forms) {
      return new Either(List.of(forms));
    }

    @Override
    public @Nullable Mistake mistake(@Nullable Object value) {
      var complaints = new ArrayList<String>();
      for (var form : forms) {
        var mistake = form.mistake(value);
        if (mistake == null) {
          return null;
        }
        complaints.add(mistake.problem().replaceFirst("^expected ", ""));
      }
      var meant = meant(value);
      return meant == null
          ? new Mistake(List.of(), "expected " + String.join(", or ", complaints))
          : meant.mistake(value);
    }

    /// Of several forms of the same kind the one that knows most of what is there.
    private @Nullable Outline meant(@Nullable Object value) {
      Outline best = null;
      long most = -1;
      for (var form : forms) {
        long known =
            switch (form) {
              case Fields fields when value instanceof Tree tree ->
                  tree.names().stream().filter(name -> fields.find(name) != null).count();
              case Named _ when value instanceof Tree -> 0;
              case ListOf _ when value instanceof List<?> -> 0;
              default -> -1;
            };
        if (known > most) {
          most = known;
          best = form;
        }
      }
      return best;
    }

    @Override
    public Tree schema() {
      return Tree.of("anyOf", forms.stream().map(Outline::schema).toList());
    }
  }

  /// An object with these fields and no others; with `one`, with exactly one of them.
  record Fields(String name, List<Field> fields, boolean one) implements Outline {

    public static Fields of(String name, Field... fields) {
      return new Fields(name, Arrays.asList(fields), false);
    }

    public static Fields oneOf(String name, List<Field> fields) {
      return new Fields(name, fields, true);
    }

    @Override
    public @Nullable Mistake mistake(@Nullable Object value) {
      if (!(value instanceof Tree tree)) {
        return not(one ? name + " with one field, of " + known() : "an object with " + known());
      }
      for (var given : tree.names()) {
        var field = find(given);
        if (field == null) {
          return new Mistake(List.of(given), unknown(given));
        }
        var mistake = field.outline().mistake(tree.get(given));
        if (mistake != null) {
          return mistake.within(given);
        }
      }
      return one ? notOne(tree) : missing(tree);
    }

    private @Nullable Mistake notOne(Tree tree) {
      return tree.names().size() == 1
          ? null
          : new Mistake(List.of(), "%s has one field, of %s".formatted(name, known()));
    }

    private @Nullable Mistake missing(Tree tree) {
      for (var field : fields) {
        if (field.required() && !tree.has(field.name())) {
          return new Mistake(
              List.of(), "%s is missing: %s".formatted(field.name(), field.description()));
        }
      }
      return null;
    }

    /// The field of this name, or `null`.
    public @Nullable Field find(String wanted) {
      for (var field : fields) {
        if (field.name().equals(wanted)) {
          return field;
        }
      }
      return null;
    }

    private String unknown(String given) {
      var likely = Likely.word(given, fields.stream().map(Field::name).toList());
      var problem = one ? "no such " + name : "unknown field";
      return likely.isEmpty()
          ? "%s; use %s".formatted(problem, known())
          : "%s; did you mean %s?".formatted(problem, likely);
    }

    private String known() {
      return fields.stream().map(Field::name).collect(Collectors.joining(", "));
    }

    @Override
    public Tree schema() {
      return one
          ? Tree.of("oneOf", fields.stream().map(field -> object(List.of(field), true)).toList())
          : object(fields, false);
    }

    private static Tree object(List<Field> fields, boolean all) {
      var properties = new Tree();
      var required = new ArrayList<String>();
      for (var field : fields) {
        var schema = field.outline().schema();
        properties.put(field.name(), schema.put("description", field.description()));
        if (all || field.required()) {
          required.add(field.name());
        }
      }
      var object = Tree.of("type", "object", "properties", properties);
      if (!required.isEmpty()) {
        object.put("required", required);
      }
      return object.put("additionalProperties", false);
    }
  }
}
