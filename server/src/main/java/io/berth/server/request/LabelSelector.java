package io.berth.server.request;

import io.berth.api.ApiException;
import io.berth.api.FieldError;
import io.berth.kinds.meta.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A label selector as `labelSelector=` spells it: `app=web,tier in (a,b),!canary`.
///
/// A hand-written scanner with one token of look-ahead, and Kubernetes' words when it fails.
public record LabelSelector(List<Requirement> requirements) {

  public static final LabelSelector ALL = new LabelSelector(List.of());

  /// One clause.
  public record Requirement(String key, Operator operator, Set<String> values) {

    boolean matches(@Nullable String value) {
      return switch (operator) {
        case IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
        case GREATER, LESS -> value != null && compares(value);
      };
    }

    private boolean compares(String value) {
      try {
        long actual = Long.parseLong(value);
        long wanted = Long.parseLong(values.iterator().next());
        return operator == Operator.GREATER ? actual > wanted : actual < wanted;
      } catch (NumberFormatException e) {
        return false;
      }
    }
  }

  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST,
    GREATER,
    LESS
  }

  public static LabelSelector parse(String text) {
    if (text.isBlank()) {
      return ALL;
    }
    return new LabelSelector(new Parser(text).parse());
  }

  public boolean isAll() {
    return requirements.isEmpty();
  }

  public boolean matches(Map<String, String> labels) {
    for (var requirement : requirements) {
      if (!requirement.matches(labels.get(requirement.key()))) {
        return false;
      }
    }
    return true;
  }

  private enum Kind {
    IDENTIFIER,
    OPEN,
    CLOSE,
    COMMA,
    OPERATOR,
    END
  }

  private record Token(Kind kind, String text) {}

  private static final class Parser {

    private static final String SPECIAL = "=!(),><";
    private static final Set<String> OPERATORS = Set.of("=", "==", "!=", ">", "<", "in", "notin");

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    Parser(String text) {
      this.text = text;
      scan();
    }

    List<Requirement> parse() {
      var requirements = new ArrayList<Requirement>();
      while (true) {
        var next = peek();
        if (next.kind() == Kind.END) {
          return requirements;
        }
        if (next.kind() != Kind.IDENTIFIER && !isWord(next) && !next.text().equals("!")) {
          throw bad(
              "found '%s', expected: !, identifier, or 'end of string'".formatted(next.text()));
        }
        requirements.add(requirement());
        var separator = take();
        if (separator.kind() == Kind.END) {
          return requirements;
        }
        if (separator.kind() != Kind.COMMA) {
          throw bad("found '%s', expected: ',' or 'end of string'".formatted(separator.text()));
        }
        var after = peek();
        if (after.kind() != Kind.IDENTIFIER && !isWord(after) && !after.text().equals("!")) {
          throw bad("found '%s', expected: identifier after ','".formatted(after.text()));
        }
      }
    }

    private Requirement requirement() {
      boolean absent = false;
      if (peek().text().equals("!")) {
        take();
        absent = true;
      }
      var key = take();
      if (key.kind() != Kind.IDENTIFIER && !isWord(key)) {
        throw unparsable("found '%s', expected: identifier".formatted(key.text()));
      }
      var problem = problem(Names.qualifiedName(key.text()));
      if (problem != null) {
        throw unparsable(
            "<nil>: Invalid value: %s: %s".formatted(FieldError.quoted(key.text()), problem));
      }
      if (absent) {
        return new Requirement(key.text(), Operator.DOES_NOT_EXIST, Set.of());
      }
      var next = peek();
      if (next.kind() == Kind.END || next.kind() == Kind.COMMA) {
        return new Requirement(key.text(), Operator.EXISTS, Set.of());
      }
      return comparison(key.text());
    }

    private Requirement comparison(String key) {
      var operator = take();
      if (!OPERATORS.contains(operator.text())) {
        throw unparsable(
            "found '%s', expected: in, notin, =, ==, !=, gt, lt".formatted(operator.text()));
      }
      var values =
          switch (operator.text()) {
            case "in", "notin" -> valueList();
            default -> Set.of(exactValue());
          };
      var kind =
          switch (operator.text()) {
            case "in", "=", "==" -> Operator.IN;
            case "notin", "!=" -> Operator.NOT_IN;
            case ">" -> Operator.GREATER;
            default -> Operator.LESS;
          };
      checkValues(key, kind, values);
      return new Requirement(key, kind, values);
    }

    private void checkValues(String key, Operator operator, Set<String> values) {
      if (operator == Operator.GREATER || operator == Operator.LESS) {
        for (var value : values) {
          if (!value.matches("[-+]?[0-9]{1,18}")) {
            throw unparsable(
                "values[0]: Invalid value: %s: for 'Gt', 'Lt' operators, the value must be an integer"
                    .formatted(FieldError.quoted(value)));
          }
        }
      }
      int index = 0;
      for (var value : values) {
        var problem = problem(Names.labelValue(value));
        if (problem != null) {
          throw unparsable(
              "values[%d][%s]: Invalid value: %s: %s"
                  .formatted(index, key, FieldError.quoted(value), problem));
        }
        index++;
      }
    }

    private Set<String> valueList() {
      var open = take();
      if (open.kind() != Kind.OPEN) {
        throw unparsable("found '%s' expected: '('".formatted(open.text()));
      }
      var values = new TreeSet<String>();
      while (true) {
        var next = peek();
        switch (next.kind()) {
          case IDENTIFIER, OPERATOR -> {
            values.add(take().text());
            var separator = take();
            if (separator.kind() == Kind.CLOSE) {
              return values;
            }
            if (separator.kind() != Kind.COMMA) {
              throw unparsable("found '%s', expected: ',' or ')'".formatted(separator.text()));
            }
            if (peek().kind() == Kind.CLOSE) {
              take();
              values.add("");
              return values;
            }
          }
          case CLOSE -> {
            take();
            values.add("");
            return values;
          }
          case COMMA -> {
            take();
            values.add("");
            if (peek().kind() == Kind.CLOSE) {
              take();
              return values;
            }
          }
          default ->
              throw unparsable(
                  "found '%s', expected: ',', ')' or identifier".formatted(next.text()));
        }
      }
    }

    private String exactValue() {
      var next = peek();
      if (next.kind() == Kind.END || next.kind() == Kind.COMMA) {
        return "";
      }
      take();
      if (next.kind() == Kind.IDENTIFIER || isWord(next)) {
        return next.text();
      }
      throw unparsable("found '%s', expected: identifier".formatted(next.text()));
    }

    private static @Nullable String problem(List<String> complaints) {
      return complaints.isEmpty() ? null : String.join("; ", complaints);
    }

    private static boolean isWord(Token token) {
      return token.text().equals("in") || token.text().equals("notin");
    }

    private Token peek() {
      return tokens.get(Math.min(at, tokens.size() - 1));
    }

    private Token take() {
      var token = peek();
      at++;
      // Words after an operator or inside parentheses are values, even when they read "in".
      return token;
    }

    /// As in Go, a zero character ends the text.
    private void scan() {
      int end = text.indexOf(0);
      int length = end < 0 ? text.length() : end;
      int i = 0;
      while (i < length) {
        char c = text.charAt(i);
        if (isSpace(c)) {
          i++;
        } else if (SPECIAL.indexOf(c) >= 0) {
          i = scanSymbol(i);
        } else {
          int behind = wordEnd(i, length);
          var word = text.substring(i, behind);
          tokens.add(new Token(OPERATORS.contains(word) ? Kind.OPERATOR : Kind.IDENTIFIER, word));
          i = behind;
        }
      }
      tokens.add(new Token(Kind.END, ""));
    }

    /// Behind the first character at least: what begins a word is no space.
    private int wordEnd(int begin, int length) {
      int end = begin + 1;
      while (end < length && SPECIAL.indexOf(text.charAt(end)) < 0 && !isSpace(text.charAt(end))) {
        end++;
      }
      return end;
    }

    /// What parts words; other blanks, such as a line separator, are letters of one.
    private static boolean isSpace(char c) {
      return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private int scanSymbol(int i) {
      char c = text.charAt(i);
      var pair = i + 1 < text.length() ? text.substring(i, i + 2) : "";
      if (pair.equals("==") || pair.equals("!=")) {
        tokens.add(new Token(Kind.OPERATOR, pair));
        return i + 2;
      }
      var kind =
          switch (c) {
            case '(' -> Kind.OPEN;
            case ')' -> Kind.CLOSE;
            case ',' -> Kind.COMMA;
            default -> Kind.OPERATOR;
          };
      tokens.add(new Token(kind, String.valueOf(c)));
      return i + 1;
    }

    private static ApiException unparsable(String why) {
      return bad("unable to parse requirement: " + why);
    }

    private static ApiException bad(String why) {
      return ApiException.badRequest(why);
    }
  }

  /// Selects what `metadata.labels` of the selector object (`matchLabels`, `matchExpressions`) do.
  public static LabelSelector ofObject(io.berth.api.Tree selector) {
    var requirements = new ArrayList<Requirement>();
    selector
        .texts("matchLabels")
        .forEach(
            (key, value) -> requirements.add(new Requirement(key, Operator.IN, Set.of(value))));
    for (var expression : selector.trees("matchExpressions")) {
      var values = new HashSet<String>();
      for (var value : expression.list("values")) {
        if (value instanceof String text) {
          values.add(text);
        }
      }
      var operator =
          switch (expression.textOrEmpty("operator")) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            default -> Operator.DOES_NOT_EXIST;
          };
      requirements.add(new Requirement(expression.textOrEmpty("key"), operator, values));
    }
    return new LabelSelector(requirements);
  }
}
