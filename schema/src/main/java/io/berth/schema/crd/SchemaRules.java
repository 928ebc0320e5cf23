package io.berth.schema.crd;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.berth.api.FieldError;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.Patterns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What one node of an `openAPIV3Schema` asks of values, compiled once.
///
/// The order of checks, the words and what counts as a check are those of Kubernetes.
public final class SchemaRules {

  private final List<String> types;
  private final boolean nullable;
  private final String format;
  private final NumberRules numbers;
  private final Tree schema;
  private final List<@Nullable Object> enumeration;
  private final @Nullable Pattern pattern;
  private final Map<String, SchemaRules> properties = new LinkedHashMap<>();
  private final @Nullable SchemaRules additional;
  private final @Nullable SchemaRules items;
  private final List<String> required = new ArrayList<>();
  private final List<SchemaRules> allOf;
  private final List<SchemaRules> anyOf;
  private final List<SchemaRules> oneOf;
  private final @Nullable SchemaRules not;
  private final List<String> listMapKeys = new ArrayList<>();

  private SchemaRules(Tree schema) {
    this.schema = schema;
    var type = schema.textOrEmpty("type");
    this.types =
        schema.flag("x-kubernetes-int-or-string")
            ? List.of("integer", "string")
            : type.isEmpty() ? List.of() : List.of(type);
    this.nullable = schema.flag("nullable");
    this.format = Formats.supported(types, schema.textOrEmpty("format"));
    this.numbers = new NumberRules(schema, types, format);
    this.enumeration = schema.list("enum");
    this.pattern = pattern(schema.textOrEmpty("pattern"));
    schema
        .treeOrEmpty("properties")
        .fields()
        .forEach((name, each) ->
            properties.put(name, of(each instanceof Tree inner ? inner : new Tree())));
    this.additional = child("additionalProperties");
    this.items = child("items");
    schema.list("required").forEach(name -> required.add(String.valueOf(name)));
    this.allOf = schema.trees("allOf").stream().map(SchemaRules::of).toList();
    this.anyOf = schema.trees("anyOf").stream().map(SchemaRules::of).toList();
    this.oneOf = schema.trees("oneOf").stream().map(SchemaRules::of).toList();
    this.not = child("not");
    schema.list("x-kubernetes-list-map-keys").forEach(key -> listMapKeys.add(String.valueOf(key)));
  }

  public static SchemaRules of(Tree schema) {
    return new SchemaRules(schema);
  }

  private @Nullable SchemaRules child(String field) {
    return schema.get(field) instanceof Tree inner ? of(inner) : null;
  }

  private static @Nullable Pattern pattern(String text) {
    try {
      return text.isEmpty() ? null : Patterns.compile(text);
    } catch (PatternSyntaxException e) {
      // Definitions with such a pattern are refused; one stored before that refuses everything.
      return Pattern.compile("[^\\x00-\\x{10FFFF}]");
    }
  }

  /// The rules of what stands in this field, or `null` when there are none.
  @Nullable SchemaRules at(String name) {
    var property = properties.get(name);
    return property == null ? additional : property;
  }

  @Nullable SchemaRules property(String name) {
    return properties.get(name);
  }

  @Nullable SchemaRules items() {
    return items;
  }

  String listType() {
    return schema.textOrEmpty("x-kubernetes-list-type");
  }

  List<String> listMapKeys() {
    return listMapKeys;
  }

  /// Objections to a value; what an update leaves as it was is forgiven.
  Findings check(@Nullable Object value, String path, @Nullable Correlation before) {
    var findings = all(value, path, before);
    return !findings.isEmpty() && before != null && before.isSame()
        ? findings.forgiven()
        : findings;
  }

  private Findings all(@Nullable Object value, String path, @Nullable Correlation before) {
    var findings = new Findings();
    if (value == null) {
      checkType(null, path, findings);
      checkEnumeration(null, path, findings);
      return findings;
    }
    if (!types.isEmpty() || !format.isEmpty()) {
      checkType(value, path, findings);
      findings.count();
    }
    checkAlternatives(value, path, before, findings);
    findings.count();
    switch (value) {
      case String text -> checkText(text, path, findings);
      case Long number -> numbers.check(number, path, findings);
      case Double number -> numbers.check(number, path, findings);
      case List<?> list -> checkList(list, path, before, findings);
      default -> {}
    }
    checkEnumeration(value, path, findings);
    findings.count();
    if (value instanceof Tree tree) {
      checkObject(tree, path, before, findings);
      findings.count();
    }
    findings.count();
    return findings;
  }

  private void checkType(@Nullable Object value, String path, Findings findings) {
    if (value == null) {
      if (!types.isEmpty() && !nullable) {
        findings.wrongType(path, String.join(",", types), "null");
      } else {
        findings.count();
      }
      return;
    }
    var type = typeOf(value);
    boolean fits =
        types.contains(type)
            || (value instanceof Double number
                && types.contains("integer")
                && NumberRules.isWhole(number))
            || (value instanceof Long && types.contains("number"));
    boolean textual = value instanceof String || value instanceof List<?>;
    boolean numeric = types.contains("number") || types.contains("integer");
    if (!textual && !format.isEmpty() && !fits) {
      findings.wrongType(path, format, formatOf(value));
    } else if (!fits && !(textual && !numeric && !format.isEmpty())) {
      findings.wrongType(path, String.join(",", types), type);
    } else {
      findings.count();
    }
  }

  static String typeOf(Object value) {
    return switch (value) {
      case Tree _ -> "object";
      case List<?> _ -> "array";
      case String _ -> "string";
      case Boolean _ -> "boolean";
      case Long _ -> "integer";
      default -> "number";
    };
  }

  private static String formatOf(Object value) {
    return value instanceof Long ? "int64" : value instanceof Double ? "float64" : "";
  }

  private void checkAlternatives(
      Object value, String path, @Nullable Correlation before, Findings findings) {
    checkAnyOf(value, path, before, findings);
    checkOneOf(value, path, before, findings);
    checkAllOf(value, path, before, findings);
    if (not != null && not.all(value, path, before).isEmpty()) {
      findings.whole(FieldError.quoted(path) + " must not validate the schema (not)");
    }
    findings.count();
  }

  private void checkAnyOf(
      Object value, String path, @Nullable Correlation before, Findings findings) {
    Findings best = null;
    for (var alternative : anyOf) {
      var result = alternative.all(value, path, before);
      if (result.isEmpty()) {
        findings.merge(result);
        return;
      }
      best = best == null || result.checks() > best.checks() ? result : best;
    }
    if (best != null) {
      findings.whole(FieldError.quoted(path) + " must validate at least one schema (anyOf)");
      findings.merge(best);
    }
  }

  private void checkOneOf(
      Object value, String path, @Nullable Correlation before, Findings findings) {
    if (oneOf.isEmpty()) {
      return;
    }
    Findings best = null;
    Findings first = null;
    int valid = 0;
    for (var alternative : oneOf) {
      var result = alternative.all(value, path, before);
      if (result.isEmpty()) {
        valid++;
        first = first == null ? result : first;
      } else if (best == null || result.checks() > best.checks()) {
        best = result;
      }
    }
    if (valid == 1 && first != null) {
      findings.merge(first);
      return;
    }
    findings.whole(
        "%s must validate one and only one schema (oneOf). %s"
            .formatted(
                FieldError.quoted(path),
                valid == 0 ? "Found none valid" : "Found " + valid + " valid alternatives"));
    if (valid == 0 && best != null) {
      findings.merge(best);
    }
  }

  private void checkAllOf(
      Object value, String path, @Nullable Correlation before, Findings findings) {
    int valid = 0;
    for (var each : allOf) {
      var result = each.all(value, path, before);
      valid += result.isEmpty() ? 1 : 0;
      findings.merge(result);
    }
    if (valid != allOf.size()) {
      findings.whole(
          "%s must validate all the schemas (allOf)%s"
              .formatted(FieldError.quoted(path), valid == 0 ? ". None validated" : ""));
    }
  }

  private void checkText(String text, String path, Findings findings) {
    checkLength(text, path, findings);
    findings.count();
    if (!format.isEmpty() && Formats.isKnown(format)) {
      if (!Formats.matches(format, text)) {
        findings.wrongType(path, format, text);
      }
      findings.count();
    }
  }

  private void checkLength(String text, String path, Findings findings) {
    int length = text.codePointCount(0, text.length());
    if (schema.get("maxLength") instanceof Long most && length > most) {
      findings.tooLong(path, most);
    } else if (schema.get("minLength") instanceof Long least && length < least) {
      findings.invalid(path, text, "should be at least " + least + " chars long");
    } else if (pattern != null && !Patterns.isFound(pattern, text)) {
      findings.invalid(path, text, "should match '%s'".formatted(schema.textOrEmpty("pattern")));
    }
  }

  private void checkList(
      List<?> list, String path, @Nullable Correlation before, Findings findings) {
    for (int i = 0; i < list.size() && items != null; i++) {
      var earlier = before == null ? null : before.element(i);
      findings.merge(items.check(list.get(i), path + "[" + i + "]", earlier));
    }
    if (schema.get("minItems") instanceof Long least && list.size() < least) {
      findings.invalid(path, (long) list.size(), "should have at least " + least + " items");
    }
    if (schema.get("maxItems") instanceof Long most && list.size() > most) {
      findings.tooMany(path, "items", list.size(), most);
    }
    findings.count();
    findings.count();
  }

  private void checkEnumeration(@Nullable Object value, String path, Findings findings) {
    if (enumeration.isEmpty()) {
      return;
    }
    var supported = new ArrayList<String>();
    for (var each : enumeration) {
      if (value != null && same(each, value)) {
        return;
      }
      supported.add(each instanceof String text ? text : Json.text(each));
    }
    findings.notSupported(path, value, supported);
  }

  private static boolean same(@Nullable Object a, Object b) {
    return (a instanceof Number one && b instanceof Number other)
        ? one.doubleValue() == other.doubleValue()
        : b.equals(a);
  }

  private void checkObject(
      Tree tree, String path, @Nullable Correlation before, Findings findings) {
    if (schema.get("minProperties") instanceof Long least && tree.size() < least) {
      findings.invalid(path, (long) tree.size(), "should have at least " + least + " properties");
    }
    if (schema.get("maxProperties") instanceof Long most && tree.size() > most) {
      findings.tooMany(path, "properties", tree.size(), most);
    }
    tree.fields()
        .forEach((name, value) -> {
          if (properties.containsKey(name)) {
            return;
          }
          if (additional != null) {
            findings.merge(additional.check(value, path + "." + name, earlier(before, path, name)));
          }
        });
    properties.forEach((name, rules) -> {
      if (tree.has(name)) {
        var below = path.isEmpty() ? name : path + "." + name;
        findings.merge(rules.check(tree.get(name), below, earlier(before, path, name)));
      }
    });
    for (var name : required) {
      if (!tree.has(name)) {
        findings.required(path + "." + name);
      }
    }
  }

  /// The type of an object is never the old one: both versions are shown in the same.
  private static @Nullable Correlation earlier(
      @Nullable Correlation before, String path, String name) {
    boolean typeMeta = path.isEmpty() && (name.equals("kind") || name.equals("apiVersion"));
    return before == null || typeMeta ? null : before.field(name);
  }
}
