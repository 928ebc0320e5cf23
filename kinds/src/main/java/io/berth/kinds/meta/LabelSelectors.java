package io.berth.kinds.meta;

import io.berth.api.FieldErrors;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Label selectors of objects: their rules and their text form.
///
/// Mirrors: apimachinery/pkg/apis/meta/v1/validation.ValidateLabelSelector
public final class LabelSelectors {

  private LabelSelectors() {}

  /// `allowBadValues` when the stored object already had values that are no label values.
  public static void validate(Cursor selector, boolean allowBadValues) {
    ObjectMeta.validateLabels(selector.at("matchLabels"));
    for (var requirement : selector.each("matchExpressions")) {
      validateRequirement(requirement, allowBadValues);
    }
  }

  /// One clause of a selector.
  public static void validateRequirement(Cursor requirement, boolean allowBadValues) {
    var values = requirement.at("values");
    switch (requirement.text("operator")) {
      case "In", "NotIn" -> values.required("must be specified when `operator` is 'In' or 'NotIn'");
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
      }
      default -> requirement.at("operator").invalidText("not a valid selector operator");
    }
    validateKeyAndValues(requirement, allowBadValues);
  }

  /// The label a clause is about, whatever its operator says of it.
  public static void validateKeyAndValues(Cursor requirement, boolean allowBadValues) {
    requirement.at("key").follows(Names::qualifiedName);
    if (!allowBadValues) {
      requirement.each("values", value -> value.follows(Names::labelValue));
    }
  }

  /// Whether the selector can be asked at all.
  public static boolean isWellFormed(Tree selector) {
    var errors = new FieldErrors();
    validate(Cursor.of(selector, errors), false);
    return errors.isEmpty();
  }

  /// The selector as messages show it: labels in order, key and operator also when they are empty.
  public static Tree shown(Tree selector) {
    var shown = new Tree();
    var labels = selector.texts("matchLabels");
    if (!labels.isEmpty()) {
      var sorted = new Tree();
      new TreeMap<>(labels).forEach(sorted::put);
      shown.put("matchLabels", sorted);
    }
    var expressions = new ArrayList<Tree>();
    for (var expression : selector.trees("matchExpressions")) {
      var each =
          Tree.of(
              "key", expression.textOrEmpty("key"), "operator", expression.textOrEmpty("operator"));
      if (!expression.list("values").isEmpty()) {
        each.put("values", expression.list("values"));
      }
      expressions.add(each);
    }
    if (!expressions.isEmpty()) {
      shown.put("matchExpressions", expressions);
    }
    return shown;
  }

  /// Whether some value is no label value; such objects exist from before this was checked.
  public static boolean hasBadValues(@Nullable Tree selector) {
    if (selector == null) {
      return false;
    }
    for (var expression : selector.trees("matchExpressions")) {
      for (var value : expression.list("values")) {
        if (!Names.labelValue(String.valueOf(value)).isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whether the selector names no label at all.
  public static boolean isEmpty(@Nullable Tree selector) {
    return selector == null
        || (selector.texts("matchLabels").isEmpty()
            && selector.trees("matchExpressions").isEmpty());
  }

  /// The selector as a query, keys in order: `app=web,tier in (a,b)`; `<none>` when it is empty.
  public static String format(@Nullable Tree selector) {
    if (selector == null) {
      return "<none>";
    }
    var terms = new TreeMap<String, List<String>>();
    selector.texts("matchLabels").forEach((key, value) -> add(terms, key, key + "=" + value));
    for (var expression : selector.trees("matchExpressions")) {
      var key = expression.textOrEmpty("key");
      add(terms, key, term(key, expression));
    }
    if (terms.isEmpty()) {
      return "<none>";
    }
    var all = new ArrayList<String>();
    terms.values().forEach(all::addAll);
    return String.join(",", all);
  }

  private static void add(Map<String, List<String>> terms, String key, String term) {
    terms.computeIfAbsent(key, each -> new ArrayList<>()).add(term);
  }

  private static String term(String key, Tree expression) {
    var values = new TreeSet<String>();
    expression.list("values").forEach(value -> values.add(String.valueOf(value)));
    var joined = String.join(",", values);
    return switch (expression.textOrEmpty("operator")) {
      case "In" -> key + " in (" + joined + ")";
      case "NotIn" -> key + " notin (" + joined + ")";
      case "Exists" -> key;
      case "DoesNotExist" -> "!" + key;
      default -> "<error>";
    };
  }
}
