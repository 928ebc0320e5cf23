package io.berth.schema.crd;

import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a schema has against a value, each objection once, and how many of its checks were made: of
/// several alternatives, the one that got furthest tells what is wrong.
final class Findings {

  private final Map<String, Finding> found = new LinkedHashMap<>();
  private int checks;

  /// One objection; `name` is the path below the object, `message` tells it from others.
  private record Finding(String name, String message, Shape shape) {}

  /// How an objection becomes a field error.
  private interface Shape {
    FieldError at(FieldPath path);
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  int checks() {
    return checks;
  }

  void count() {
    checks++;
  }

  void merge(Findings others) {
    others.found.forEach(found::putIfAbsent);
    checks += others.checks;
  }

  /// Nothing, but with the checks that were made.
  Findings forgiven() {
    var forgiven = new Findings();
    forgiven.checks = checks;
    return forgiven;
  }

  private void note(String name, String message, Shape shape) {
    found.putIfAbsent(message, new Finding(name, message, shape));
  }

  void required(String name) {
    note(name, name + " in body is required", path -> FieldError.required(path, ""));
  }

  void notSupported(String name, @Nullable Object value, List<String> supported) {
    note(
        name,
        name + " in body should be one of " + supported,
        path -> FieldError.notSupported(path, value, supported));
  }

  void tooLong(String name, long most) {
    note(
        name,
        name + " in body should be at most " + most + " chars long",
        path -> FieldError.tooLong(path, (int) most));
  }

  void tooMany(String name, String what, long actual, long most) {
    note(
        name,
        name + " in body should have at most " + most + " " + what,
        path -> FieldError.tooMany(path, (int) actual, (int) most));
  }

  void wrongType(String name, String wanted, String actual) {
    var message =
        "%s in body must be of type %s: %s".formatted(name, wanted, FieldError.quoted(actual));
    note(name, message, path -> FieldError.typeInvalid(path, actual, message));
  }

  void add(String name, String message, @Nullable Object value) {
    note(name, message, path -> FieldError.invalid(path, value, message));
  }

  void invalid(String name, @Nullable Object value, String problem) {
    add(name, name + " in body " + problem, value);
  }

  /// An objection to the whole, which names no field.
  void whole(String message) {
    note("", message, path -> FieldError.invalid(path, "", message));
  }

  void addTo(FieldPath base, FieldErrors errors) {
    for (var each : new ArrayList<>(found.values())) {
      var name = each.name.startsWith(".") ? each.name.substring(1) : each.name;
      errors.add(each.shape.at(name.isEmpty() ? base : base.child(name)));
    }
  }
}
