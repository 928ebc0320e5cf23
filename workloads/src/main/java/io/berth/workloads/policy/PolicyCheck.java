package io.berth.workloads.policy;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Judges a policy that somebody is about to set: every problem, in words.
public final class PolicyCheck {

  private static final Set<String> PARTS = Set.of("defaults", "rules", "imposedAssets");
  private static final Set<String> FLAGS = Set.of("required", "canEdit", "blocked", "final");

  private final PolicyFields fields;
  private final List<String> problems = new ArrayList<>();

  private PolicyCheck(PolicyFields fields) {
    this.fields = fields;
  }

  /// Problems of the policy itself.
  public static List<String> problems(PolicyFields fields, Tree policy) {
    var check = new PolicyCheck(fields);
    for (var name : policy.names()) {
      if (!PARTS.contains(name)) {
        check.unknown(name);
      }
    }
    check.walk(policy.treeOrEmpty("defaults"), "", false);
    check.walk(policy.treeOrEmpty("rules"), "", true);
    check.problems.addAll(ImposedAssets.problems(policy.get("imposedAssets"), fields.roles()));
    if (check.problems.isEmpty()) {
      check.checkDefaults(Policy.of(policy));
    }
    return List.copyOf(check.problems);
  }

  /// Rules that a broader scope has already set where the broadest wins.
  public static List<String> conflicts(
      PolicyFields fields, Policy policy, List<Policy.At> broader) {
    var conflicts = new ArrayList<String>();
    for (var field : fields.all()) {
      if (!field.isBroadestFirst() || field.in(policy.rules()) == null) {
        continue;
      }
      for (var at : broader) {
        if (field.in(at.policy().rules()) != null) {
          conflicts.add(
              "Field \"%s\" already has rules in %s%s"
                  .formatted(
                      field.path(),
                      at.scope().text(),
                      at.unit().isEmpty() ? "" : ": \"%s\"".formatted(at.unit())));
        }
      }
    }
    return conflicts;
  }

  private void walk(Tree tree, String above, boolean rules) {
    tree.fields()
        .forEach((name, value) -> {
          var path = above.isEmpty() ? name : above + "." + name;
          if (value == null) {
            return;
          }
          if (fields.has(path)) {
            if (rules) {
              checkRules(fields.get(path), value);
            } else {
              checkDefault(fields.get(path), value);
            }
          } else if (fields.isAbove(path) && value instanceof Tree below) {
            walk(below, path, rules);
          } else if (fields.isAbove(path)) {
            problems.add("Field \"%s\" must be an object".formatted(path));
          } else {
            unknown(name);
          }
        });
  }

  private void unknown(String name) {
    problems.add("json: unknown field \"%s\"".formatted(name));
  }

  // ---- defaults ------------------------------------------------------------------------------

  private void checkDefault(PolicyField field, Object value) {
    if (field.kind() != Kind.ITEMS) {
      checkValue(field.path(), field.kind(), value);
      return;
    }
    if (!(value instanceof Tree items)) {
      problems.add(
          "Field \"%s\" must be an object of instances and attributes".formatted(field.path()));
      return;
    }
    for (var name : items.names()) {
      if (!Kind.ITEMS.allows(name)) {
        unknown(name);
      }
    }
    for (var instance : items.trees("instances")) {
      if (instance.get(field.key()) == null) {
        problems.add(
            "Field \"%s\": every instance needs a %s".formatted(field.path(), field.key()));
      }
    }
    field
        .attributes()
        .forEach((name, kind) -> {
          var given = items.treeOrEmpty("attributes").at(name.split("\\.", -1));
          if (given != null) {
            checkValue(field.path() + "." + name, kind, given);
          }
        });
  }

  private void checkValue(String path, Kind kind, Object value) {
    var fits =
        switch (kind) {
          case BOOLEAN -> value instanceof Boolean;
          case STRING -> value instanceof String;
          case INTEGER, NUMBER, QUANTITY -> Values.isNumber(kind, value);
          case ARRAY -> value instanceof List<?>;
          case OBJECT, ITEMS -> value instanceof Tree;
        };
    if (!fits) {
      problems.add("Field \"%s\" must be %s".formatted(path, article(kind)));
    }
  }

  private static String article(Kind kind) {
    return switch (kind) {
      case BOOLEAN -> "true or false";
      case STRING -> "a string";
      case INTEGER -> "an integer";
      case NUMBER -> "a number";
      case QUANTITY -> "a quantity such as \"500M\" or \"2Gi\"";
      case ARRAY -> "a list";
      case OBJECT, ITEMS -> "an object";
    };
  }

  /// A default that breaks its own rules would refuse every workload.
  private void checkDefaults(Policy policy) {
    for (var field : fields.all()) {
      var value = field.in(policy.defaults());
      if (value == null
          || field.kind() == Kind.ITEMS
          || !(field.in(policy.rules()) instanceof Tree rules)) {
        continue;
      }
      for (var issue : ValueRules.issues(field.path(), field.kind(), rules, value)) {
        problems.add(
            "The default of field \"%s\" breaks its own rule: %s"
                .formatted(field.path(), issue.details()));
      }
    }
  }

  // ---- rules ---------------------------------------------------------------------------------

  private void checkRules(PolicyField field, Object value) {
    if (!(value instanceof Tree rules)) {
      problems.add("Rules of field \"%s\" must be an object".formatted(field.path()));
      return;
    }
    if (field.kind() != Kind.ITEMS) {
      checkRules(field.path(), field.kind(), field.parent(), rules);
      return;
    }
    for (var name : rules.names()) {
      if (!Kind.ITEMS.allows(name)) {
        unknown(name);
      }
    }
    var instances = rules.treeOrEmpty("instances");
    for (var name : instances.names()) {
      if (!Set.of("canAdd", "locked", "final", "sourceOfRule").contains(name)) {
        unknown(name);
      }
    }
    field
        .attributes()
        .forEach((name, kind) -> {
          if (rules.treeOrEmpty("attributes").at(name.split("\\.", -1)) instanceof Tree each) {
            checkRules(field.path() + "." + name, kind, null, each);
          }
        });
  }

  /// `section` is where the field of `defaultFrom` must be; `null` within items.
  private void checkRules(String path, Kind kind, @Nullable String section, Tree rules) {
    for (var name : rules.names()) {
      var rule = rules.get(name);
      if (!kind.allows(name)) {
        unknown(name);
      } else if (rule != null) {
        checkRule(path, kind, name, rule);
      }
    }
    if (problems.isEmpty()) {
      checkRange(path, rules);
      checkSource(path, section, rules);
    }
  }

  private void checkRule(String path, Kind kind, String name, Object rule) {
    if (FLAGS.contains(name) && !(rule instanceof Boolean)) {
      problems.add("Field \"%s\": rule %s must be true or false".formatted(path, name));
    } else if (name.equals("merge") && !List.of("and", "replace").contains(rule)) {
      problems.add("Field \"%s\": rule merge must be \"and\" or \"replace\"".formatted(path));
    } else if (Set.of("min", "max", "step").contains(name) && !Values.isNumber(kind, rule)) {
      problems.add("Field \"%s\": rule %s must be %s".formatted(path, name, article(kind)));
    } else if (name.equals("options") && !(rule instanceof List<?>)) {
      problems.add("Field \"%s\": rule options must be a list of values".formatted(path));
    }
  }

  private void checkRange(String path, Tree rules) {
    var min = rules.get("min");
    var max = rules.get("max");
    var step = rules.get("step");
    if (min != null && max != null && Values.number(min).compareTo(Values.number(max)) > 0) {
      problems.add("Field \"%s\": min %s is more than max %s".formatted(path, min, max));
    }
    if (step != null && Values.number(step).signum() <= 0) {
      problems.add("Field \"%s\": step %s must be more than 0".formatted(path, step));
    }
  }

  private void checkSource(String path, @Nullable String section, Tree rules) {
    var from = rules.tree("defaultFrom");
    if (from == null || section == null) {
      return;
    }
    var name = from.textOrEmpty("field");
    var source = section.isEmpty() ? name : section + "." + name;
    if (!fields.has(source) || !fields.get(source).kind().isNumeric()) {
      problems.add(
          "Field \"%s\": defaultFrom must name a number of the same section, not \"%s\""
              .formatted(path, name));
    }
  }
}
