package io.berth.placement.document;

import io.berth.api.Tree;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// As much of JSON schema as our schemas use, read as editors read it.
final class SchemaValidator {

  private SchemaValidator() {}

  static boolean accepts(Tree schema, @Nullable Object value) {
    for (var keyword : schema.names()) {
      if (!accepts(schema, keyword, value)) {
        return false;
      }
    }
    return true;
  }

  private static boolean accepts(Tree schema, String keyword, @Nullable Object value) {
    return switch (keyword) {
          case "$schema", "$id", "title", "description", "additionalProperties" -> true;
          case "type" -> isA(schema.textOrEmpty("type"), value);
          case "pattern" ->
              !(value instanceof String text)
                  || Pattern.compile(schema.textOrEmpty("pattern")).matcher(text).find();
          case "enum" -> value != null && schema.list("enum").contains(value);
          case "minimum" ->
              !(value instanceof Number number) || number.doubleValue() >= limit(schema, keyword);
          case "maximum" ->
              !(value instanceof Number number) || number.doubleValue() <= limit(schema, keyword);
          case "minProperties" ->
              !(value instanceof Tree tree) || tree.names().size() >= limit(schema, keyword);
          case "minItems" ->
              !(value instanceof List<?> list) || list.size() >= limit(schema, keyword);
          case "items" ->
              !(value instanceof List<?> list)
                  || list.stream().allMatch(each -> accepts(schema.treeOrEmpty("items"), each));
          case "anyOf" -> schema.trees("anyOf").stream().anyMatch(form -> accepts(form, value));
          case "oneOf" ->
              schema.trees("oneOf").stream().filter(form -> accepts(form, value)).count() == 1;
          case "required" ->
              !(value instanceof Tree tree)
                  || schema.list("required").stream()
                      .allMatch(name -> tree.has(String.valueOf(name)));
          case "properties" -> !(value instanceof Tree tree) || properties(schema, tree);
          default ->
              throw new IllegalArgumentException("keyword " + keyword + " is not known here");
        }
        && additional(schema, keyword, value);
  }

  private static boolean properties(Tree schema, Tree value) {
    var known = schema.treeOrEmpty("properties");
    return value.names().stream()
        .filter(known::has)
        .allMatch(name -> accepts(known.treeOrEmpty(name), value.get(name)));
  }

  private static boolean additional(Tree schema, String keyword, @Nullable Object value) {
    if (!keyword.equals("additionalProperties") || !(value instanceof Tree tree)) {
      return true;
    }
    var known = schema.treeOrEmpty("properties");
    var others = tree.names().stream().filter(name -> !known.has(name)).toList();
    return schema.get("additionalProperties") instanceof Tree each
        ? others.stream().allMatch(name -> accepts(each, tree.get(name)))
        : others.isEmpty();
  }

  private static double limit(Tree schema, String keyword) {
    return schema.get(keyword) instanceof Number number ? number.doubleValue() : 0;
  }

  private static boolean isA(String type, @Nullable Object value) {
    return switch (type) {
      case "object" -> value instanceof Tree;
      case "array" -> value instanceof List<?>;
      case "string" -> value instanceof String;
      case "boolean" -> value instanceof Boolean;
      case "number" -> value instanceof Number;
      case "integer" ->
          value instanceof Number number && number.doubleValue() == Math.rint(number.doubleValue());
      default -> throw new IllegalArgumentException("type " + type);
    };
  }
}
