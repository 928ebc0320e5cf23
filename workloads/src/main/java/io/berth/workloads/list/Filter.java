package io.berth.workloads.list;

import io.berth.api.Tree;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.Columns.Column;
import io.berth.workloads.list.Columns.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One condition of a list: `name=@train`, `allocatedGPU>=2`. All conditions must hold.
record Filter(Column column, Operator operator, String operand) {

  private static final Pattern ENTRY =
      Pattern.compile("(\\w+)(==|!=|<=|>=|=@|!@|=\\^|=\\$)(.+)", Pattern.DOTALL);
  // Values may hold commas themselves: only one that is followed by a condition separates.
  private static final Pattern SEPARATOR =
      Pattern.compile(",(?=\\w+(?:==|!=|<=|>=|=@|!@|=\\^|=\\$))");
  private static final int MAX_FILTERS = 64;

  static List<Filter> parse(List<String> parameters, Columns columns) {
    var filters = new ArrayList<Filter>();
    for (var parameter : parameters) {
      if (parameter.isEmpty()) {
        continue;
      }
      for (var entry : SEPARATOR.split(parameter, -1)) {
        filters.add(filter(entry, columns));
      }
    }
    if (filters.size() > MAX_FILTERS) {
      throw Refusal.badRequest("filterBy: at most %d conditions".formatted(MAX_FILTERS));
    }
    return filters;
  }

  private static Filter filter(String entry, Columns columns) {
    var matcher = ENTRY.matcher(entry);
    if (!matcher.matches()) {
      throw Refusal.badRequest(
          "filterBy: \"%s\" is no condition; write FIELD OPERATOR VALUE with one of == != <= >= =@ !@ =^ =$"
              .formatted(entry));
    }
    var column = columns.named(matcher.group(1), "filterBy");
    var operator = Operator.of(matcher.group(2));
    var operand = matcher.group(3);
    if (column.kind() == Kind.TIME && operator.ofText()) {
      throw Refusal.badRequest(
          "filterBy: %s is a time; use one of == != <= >=".formatted(column.name()));
    }
    if (column.kind() != Kind.TEXT && !operator.ofText()) {
      Values.operand(column, operand);
    }
    return new Filter(column, operator, operand);
  }

  /// An absent value equals nothing, contains nothing, and is neither small nor large.
  boolean holds(Tree object) {
    var value = column.value().apply(object);
    if (value instanceof List<?> list) {
      boolean any = list.stream().anyMatch(each -> holdsFor(each, operator.positive()));
      return operator.isNegative() != any;
    }
    return holdsFor(value, operator);
  }

  private boolean holdsFor(@Nullable Object value, Operator operator) {
    if (value == null) {
      return operator.isNegative();
    }
    var text = Values.text(value);
    return switch (operator) {
      case EQUALS -> Values.compare(column, value, operand) == 0;
      case NOT_EQUALS -> Values.compare(column, value, operand) != 0;
      case AT_MOST -> Values.compare(column, value, operand) <= 0;
      case AT_LEAST -> Values.compare(column, value, operand) >= 0;
      case CONTAINS -> text.contains(operand);
      case LACKS -> !text.contains(operand);
      case STARTS -> text.startsWith(operand);
      case ENDS -> text.endsWith(operand);
    };
  }

  enum Operator {
    EQUALS("=="),
    NOT_EQUALS("!="),
    AT_MOST("<="),
    AT_LEAST(">="),
    CONTAINS("=@"),
    LACKS("!@"),
    STARTS("=^"),
    ENDS("=$");

    private final String sign;

    Operator(String sign) {
      this.sign = sign;
    }

    static Operator of(String sign) {
      for (var operator : values()) {
        if (operator.sign.equals(sign)) {
          return operator;
        }
      }
      throw new IllegalArgumentException(sign);
    }

    boolean ofText() {
      return switch (this) {
        case CONTAINS, LACKS, STARTS, ENDS -> true;
        case EQUALS, NOT_EQUALS, AT_MOST, AT_LEAST -> false;
      };
    }

    boolean isNegative() {
      return this == NOT_EQUALS || this == LACKS;
    }

    Operator positive() {
      return switch (this) {
        case NOT_EQUALS -> EQUALS;
        case LACKS -> CONTAINS;
        default -> this;
      };
    }
  }
}
