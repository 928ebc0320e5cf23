package io.berth.controllers.runtime;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A label selector: all its requirements must hold. Without any it matches everything.
public record Selector(List<Requirement> requirements) {

  /// Matches every set of labels.
  public static final Selector EVERYTHING = new Selector(List.of());

  /// Matches no set of labels, as an absent selector does in Kubernetes.
  public static final Selector NOTHING =
      new Selector(List.of(new Requirement("", Operator.IN, Set.of())));

  public Selector {
    requirements = List.copyOf(requirements);
  }

  /// Of a `LabelSelector` object; `null` selects nothing, `{}` everything.
  public static Selector of(@Nullable Tree selector) {
    if (selector == null) {
      return NOTHING;
    }
    var requirements = new ArrayList<Requirement>();
    selector
        .texts("matchLabels")
        .forEach(
            (key, value) -> requirements.add(new Requirement(key, Operator.IN, Set.of(value))));
    for (var expression : selector.trees("matchExpressions")) {
      requirements.add(Requirement.of(expression));
    }
    return new Selector(requirements);
  }

  /// Of a map of labels, as Services and ReplicationControllers have it.
  public static Selector ofLabels(Map<String, String> labels) {
    var requirements = new ArrayList<Requirement>();
    labels.forEach(
        (key, value) -> requirements.add(new Requirement(key, Operator.IN, Set.of(value))));
    return new Selector(requirements);
  }

  public boolean isEmpty() {
    return requirements.isEmpty();
  }

  public boolean matches(Map<String, String> labels) {
    for (var requirement : requirements) {
      if (!requirement.matches(labels)) {
        return false;
      }
    }
    return true;
  }

  public boolean matches(Tree object) {
    return matches(Meta.labels(object));
  }

  /// The operators of label selectors.
  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST
  }

  /// One clause.
  public record Requirement(String key, Operator operator, Set<String> values) {

    static Requirement of(Tree expression) {
      var values = new ArrayList<String>();
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
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            default ->
                throw new IllegalArgumentException(
                    "label selector operator \"%s\" is not one of In, NotIn, Exists, DoesNotExist"
                        .formatted(expression.textOrEmpty("operator")));
          };
      return new Requirement(expression.textOrEmpty("key"), operator, Set.copyOf(values));
    }

    boolean matches(Map<String, String> labels) {
      var value = labels.get(key);
      return switch (operator) {
        case IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
      };
    }
  }
}
