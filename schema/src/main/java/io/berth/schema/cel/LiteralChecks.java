package io.berth.schema.cel;

import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelMutableAst;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.SimpleType;
import io.berth.schema.Patterns;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Objections to literals that make no sense: patterns, times and durations that are none, and
/// lists and maps of mixed types.
final class LiteralChecks {

  private static final java.util.regex.Pattern DURATION =
      java.util.regex.Pattern.compile(
          "[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))++)");

  private final CelAbstractSyntaxTree tree;
  private final Set<Long> formatted = new HashSet<>();
  private final List<CelIssue> issues = new ArrayList<>();

  private LiteralChecks(CelAbstractSyntaxTree tree) {
    this.tree = tree;
  }

  /// What is wrong, with the place shown, or `""`.
  static String problems(CelAbstractSyntaxTree tree) {
    var checks = new LiteralChecks(tree);
    var root = CelMutableAst.fromCelAst(tree).expr();
    Walk.through(root, checks::exempt);
    for (var function : List.of("duration", "timestamp", "matches")) {
      Walk.through(root, each -> checks.arguments(each, function));
    }
    Walk.through(root, checks::lists);
    Walk.through(root, checks::maps);
    return checks.issues.isEmpty() ? "" : Issues.shown(checks.issues, tree.getSource());
  }

  /// What `format` is given may be mixed.
  private void exempt(CelMutableExpr expression) {
    if (expression.getKind() == Kind.CALL && expression.call().function().equals("format")) {
      Walk.through(expression, inner -> formatted.add(inner.id()));
    }
  }

  private void arguments(CelMutableExpr expression, String function) {
    if (expression.getKind() != Kind.CALL || !expression.call().function().equals(function)) {
      return;
    }
    var arguments = expression.call().args();
    var last = arguments.isEmpty() ? null : arguments.getLast();
    if (last == null
        || last.getKind() != Kind.CONSTANT
        || last.constant().getKind() != CelConstant.Kind.STRING_VALUE) {
      return;
    }
    if (!isValid(function, last.constant().stringValue())) {
      report(last.id(), "invalid %s argument".formatted(function));
    }
  }

  private static boolean isValid(String function, String text) {
    try {
      switch (function) {
        case "matches" -> Patterns.compile(text);
        case "timestamp" -> OffsetDateTime.parse(text);
        default -> {
          return DURATION.matcher(text).matches();
        }
      }
      return true;
    } catch (PatternSyntaxException | DateTimeException e) {
      return false;
    }
  }

  private void lists(CelMutableExpr expression) {
    if (expression.getKind() != Kind.LIST || formatted.contains(expression.id())) {
      return;
    }
    var list = expression.list();
    CelType first = null;
    for (int i = 0; i < list.elements().size(); i++) {
      var type = typeOf(list.elements().get(i), list.optionalIndices().contains(i));
      if (first == null) {
        first = type;
      } else if (!first.equals(type)) {
        mismatch(list.elements().get(i), first, type);
        return;
      }
    }
  }

  private void maps(CelMutableExpr expression) {
    if (expression.getKind() != Kind.MAP || formatted.contains(expression.id())) {
      return;
    }
    CelType keys = null;
    CelType values = null;
    for (var entry : expression.map().entries()) {
      var key = typeOf(entry.key(), false);
      var value = typeOf(entry.value(), entry.optionalEntry());
      if (keys == null || values == null) {
        keys = key;
        values = value;
        continue;
      }
      if (!keys.equals(key)) {
        mismatch(entry.key(), keys, key);
      }
      if (!values.equals(value)) {
        mismatch(entry.value(), values, value);
      }
    }
  }

  private CelType typeOf(CelMutableExpr expression, boolean optional) {
    @Nullable CelType type = tree.getType(expression.id()).orElse(null);
    if (type == null) {
      return SimpleType.DYN;
    }
    return optional && !type.parameters().isEmpty() ? type.parameters().getFirst() : type;
  }

  private void mismatch(CelMutableExpr expression, CelType expected, CelType actual) {
    report(
        expression.id(),
        "expected type '%s' but found '%s'"
            .formatted(CelTypes.format(expected), CelTypes.format(actual)));
  }

  private void report(long id, String message) {
    var offset = tree.getSource().getPositionsMap().getOrDefault(id, 0);
    tree.getSource()
        .getOffsetLocation(offset)
        .ifPresent(
            place -> issues.add(CelIssue.formatError(place.getLine(), place.getColumn(), message)));
  }
}
