package io.berth.engine.rule;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The arguments of a plugin, or an object among them, read with defaults. What is wrong is
/// collected, with the paths and in the words of kube-scheduler, so that all of it is told at once.
public final class Args {

  private final Tree tree;
  private final String path;
  private final List<String> problems;

  Args(Tree tree, String path, List<String> problems) {
    this.tree = tree;
    this.path = path;
    this.problems = problems;
  }

  /// Problems as one text, as Kubernetes prints several errors.
  static String together(List<String> problems) {
    var distinct = List.copyOf(new LinkedHashSet<>(problems));
    return distinct.size() == 1 ? distinct.getFirst() : "[" + String.join(", ", distinct) + "]";
  }

  public Tree tree() {
    return tree;
  }

  public boolean has(String field) {
    return tree.get(field) != null;
  }

  public int integer(String field, int absent) {
    long number = number(field, absent);
    if (number != (int) number) {
      wrong(field, number + " does not fit 32 bits");
      return absent;
    }
    return (int) number;
  }

  public long number(String field, long absent) {
    var value = tree.get(field);
    if (value instanceof Long number) {
      return number;
    }
    expect(field, value, "an integer");
    return absent;
  }

  public boolean flag(String field) {
    var value = tree.get(field);
    if (value instanceof Boolean flag) {
      return flag;
    }
    expect(field, value, "a boolean");
    return false;
  }

  /// The text, which is empty when there is none.
  public String text(String field) {
    var value = tree.get(field);
    if (value instanceof String text) {
      return text;
    }
    expect(field, value, "a string");
    return "";
  }

  public List<String> texts(String field) {
    var texts = new ArrayList<String>();
    var elements = elements(field);
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof String text) {
        texts.add(text);
      } else {
        expect(field + "[" + i + "]", elements.get(i), "a string");
      }
    }
    return texts;
  }

  /// The object of a field, which is empty when there is none.
  public Args object(String field) {
    var value = tree.get(field);
    if (!(value instanceof Tree)) {
      expect(field, value, "an object");
    }
    return new Args(value instanceof Tree found ? found : new Tree(), at(field), problems);
  }

  public List<Args> objects(String field) {
    var objects = new ArrayList<Args>();
    var elements = elements(field);
    for (int i = 0; i < elements.size(); i++) {
      var name = field + "[" + i + "]";
      if (elements.get(i) instanceof Tree found) {
        objects.add(new Args(found, at(name), problems));
      } else {
        expect(name, elements.get(i), "an object");
      }
    }
    return objects;
  }

  /// The same object, whose problems are told as if it stood where `other` does.
  public Args inPlaceOf(Args other) {
    return new Args(tree, other.path, problems);
  }

  private List<@Nullable Object> elements(String field) {
    if (!(tree.get(field) instanceof List)) {
      expect(field, tree.get(field), "a list");
    }
    return tree.list(field);
  }

  private void expect(String field, @Nullable Object value, String type) {
    if (value != null) {
      wrong(field, "expected " + type + ", found " + (value instanceof Tree ? "an object" : value));
    }
  }

  /// Notes `Invalid value` unless the condition holds.
  public void check(boolean holds, String field, Object value, String why) {
    if (!holds) {
      var shown = value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
      wrong(field, "Invalid value: " + shown + ": " + why);
    }
  }

  /// Notes `Unsupported value` unless it is one of these.
  public void checkOneOf(String field, String value, List<String> supported) {
    if (!supported.contains(value)) {
      wrong(
          field,
          "Unsupported value: \"%s\": supported values: \"%s\""
              .formatted(value, String.join("\", \"", supported)));
    }
  }

  /// Notes a problem with a field, or with the object itself if the name is empty.
  public void wrong(String field, String problem) {
    problems.add((field.isEmpty() ? path : at(field)) + ": " + problem);
  }

  private String at(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }
}
