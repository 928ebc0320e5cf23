package io.berth.workloads.policy;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.workloads.policy.Policies.Effective;
import io.berth.workloads.types.Type;
import io.berth.workloads.types.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Applies a policy to a submission: fills in what it presets, and lists everything that breaks it.
public final class Compliance {

  private final Effective policy;
  private final List<Tree> issues = new ArrayList<>();

  private Compliance(Effective policy) {
    this.policy = policy;
  }

  /// The specification with defaults, and what is wrong with it.
  public record Outcome(Tree spec, List<Tree> issues) {}

  public static Outcome apply(Effective policy, Tree request) {
    var compliance = new Compliance(policy);
    var spec = request.copy();
    fill(policy.type().defaultsType(), policy.defaults(), spec, List.of());
    for (var rule : Rule.all(policy.type().rulesType(), policy.rules())) {
      compliance.combine(rule, request, spec);
      compliance.derive(rule, spec);
      compliance.check(rule, request, spec);
    }
    return new Outcome(spec, compliance.issues);
  }

  // ---- defaults --------------------------------------------------------------------------------

  private static void fill(String type, Tree defaults, Tree spec, List<String> path) {
    for (var field : Types.REQUESTS.fields(type).values()) {
      var value = defaults.get(field.name());
      if (value == null) {
        continue;
      }
      var here = new ArrayList<>(path);
      here.add(field.name());
      if (field.type() instanceof Type.Ref(var below) && value instanceof Tree tree) {
        if (Rule.isItemized(below)) {
          var items = Items.merged(tree, spec.trees(field.name()), Items.keyOf(here));
          spec.put(field.name(), items);
        } else if (isSection(field.name())) {
          fill(below, tree, spec.child(field.name()), here);
        } else {
          spec.putIfAbsent(field.name(), tree.copy());
        }
      } else {
        spec.putIfAbsent(field.name(), Tree.copyOf(value));
      }
    }
  }

  private static boolean isSection(String name) {
    return switch (name) {
      case "compute",
          "security",
          "storage",
          "worker",
          "master",
          "leader",
          "servingPort",
          "autoscaling",
          "servingConfiguration" ->
          true;
      default -> false;
    };
  }

  /// `merge: and`: the policy's terms and the request's must both hold.
  private void combine(Rule rule, Tree request, Tree spec) {
    var path = rule.path().toArray(String[]::new);
    var preset = policy.defaults().tree(path);
    var asked = request.tree(path);
    if (!rule.body().textOrEmpty("merge").equals("and") || preset == null || asked == null) {
      return;
    }
    var terms = new ArrayList<Tree>();
    for (var outer : preset.trees("nodeSelectorTerms")) {
      for (var inner : asked.trees("nodeSelectorTerms")) {
        var term = new Tree();
        for (var list : List.of("matchExpressions", "matchFields")) {
          var all = new ArrayList<Object>(outer.trees(list));
          all.addAll(inner.trees(list));
          if (!all.isEmpty()) {
            term.put(list, all);
          }
        }
        terms.add(term);
      }
    }
    spec.putAt(Tree.of("nodeSelectorTerms", terms), path);
  }

  /// `defaultFrom`: a multiple of another field of the same section.
  private void derive(Rule rule, Tree spec) {
    var from = rule.body().tree("defaultFrom");
    var path = rule.path().toArray(String[]::new);
    if (from == null || spec.at(path) != null) {
      return;
    }
    var sibling = path.clone();
    sibling[path.length - 1] = from.textOrEmpty("field");
    var base = spec.at(sibling);
    double factor = from.get("factor") instanceof Number number ? number.doubleValue() : 1;
    if (base instanceof Number number) {
      double value = number.doubleValue() * factor;
      spec.putAt(
          base instanceof Long && value == Math.rint(value) ? (Object) (long) value : value, path);
    } else if (base instanceof String text) {
      var quantity = Quantity.parse(text);
      var scaled =
          new Quantity(
              quantity.amount().multiply(java.math.BigDecimal.valueOf(factor)), quantity.format());
      spec.putAt(scaled.toString(), path);
    }
  }

  // ---- rules -----------------------------------------------------------------------------------

  private void check(Rule rule, Tree request, Tree spec) {
    var path = rule.path().toArray(String[]::new);
    if (rule.itemized()) {
      checkItems(rule, request.trees(path), spec.trees(path));
      return;
    }
    var asked = request.at(path);
    var preset = policy.defaults().at(path);
    if (rule.body().flag("blocked") && asked != null) {
      issue(rule.field(), "the administrator prohibited setting this field", null);
      return;
    }
    boolean combined = rule.body().textOrEmpty("merge").equals("and");
    if (Boolean.FALSE.equals(rule.body().get("canEdit"))
        && asked != null
        && !combined
        && !same(asked, preset)) {
      issue(
          rule.field(), "the administrator prohibited changing the value of this field", "canEdit");
      return;
    }
    checkValue(rule.field(), rule.body(), spec.at(path));
  }

  private void checkItems(Rule rule, List<Tree> requested, List<Tree> items) {
    var key = Items.keyOf(rule.path());
    var presets =
        policy.defaults().trees(append(rule.path(), "instances")).stream()
            .map(item -> Items.key(item, key))
            .toList();
    var instances = rule.body().treeOrEmpty("instances");
    for (var item : requested) {
      var name = Items.key(item, key);
      if (Boolean.FALSE.equals(instances.get("canAdd")) && !presets.contains(name)) {
        issue(rule.field(), "the administrator prohibited adding new items", "canAdd");
      }
      if (instances.list("locked").contains(name) && !isPreset(rule, item, key)) {
        issue(
            rule.field(),
            "the administrator prohibited modifying item '%s'".formatted(name),
            "locked");
      }
    }
    var attributes = rule.body().treeOrEmpty("attributes");
    for (var item : items) {
      attributes
          .fields()
          .forEach((attribute, body) -> {
            if (body instanceof Tree each) {
              checkValue(rule.field() + "." + attribute, each, item.get(attribute));
            }
          });
    }
  }

  private boolean isPreset(Rule rule, Tree item, String key) {
    return policy.defaults().trees(append(rule.path(), "instances")).stream()
        .anyMatch(
            preset -> Items.key(preset, key).equals(Items.key(item, key)) && same(preset, item));
  }

  private void checkValue(String field, Tree rule, @Nullable Object value) {
    if (value == null || (value instanceof List<?> list && list.isEmpty())) {
      if (rule.flag("required")) {
        issue(field, "field is required", "required");
      }
      return;
    }
    var options = rule.trees("options").stream().map(option -> option.get("value")).toList();
    if (!options.isEmpty()) {
      var values = value instanceof List<?> list ? list : List.of(value);
      if (values.stream().anyMatch(each -> options.stream().noneMatch(o -> same(o, each)))) {
        issue(field, "value must be one of " + shown(options), "options");
      }
    }
    if (rule.get("min") != null && compare(value, rule.get("min")) < 0) {
      issue(field, "value must be no less than " + plain(rule.get("min")), "min");
    }
    if (rule.get("max") != null && compare(value, rule.get("max")) > 0) {
      issue(field, "value must be no more than " + plain(rule.get("max")), "max");
    }
    checkStep(field, rule, value);
  }

  /// Steps count from `min`, or from zero.
  private void checkStep(String field, Tree rule, Object value) {
    if (rule.get("step") instanceof Number step && value instanceof Number number) {
      double from = rule.get("min") instanceof Number min ? min.doubleValue() : 0;
      double steps = (number.doubleValue() - from) / step.doubleValue();
      if (Math.abs(steps - Math.rint(steps)) > 1e-9) {
        issue(
            field,
            "value must be %s plus a multiple of %s".formatted(plain(from), plain(step)),
            "step");
      }
    }
  }

  private static int compare(Object value, @Nullable Object bound) {
    if (value instanceof Number number && bound instanceof Number other) {
      return Double.compare(number.doubleValue(), other.doubleValue());
    }
    return Quantity.parse(String.valueOf(value)).compareTo(Quantity.parse(String.valueOf(bound)));
  }

  private static boolean same(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Number x && b instanceof Number y) {
      return x.doubleValue() == y.doubleValue();
    }
    return Objects.equals(a, b);
  }

  private static String shown(List<?> options) {
    return options.stream().map(Compliance::plain).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String plain(@Nullable Object value) {
    return value instanceof Double number && number == Math.rint(number)
        ? Long.toString(number.longValue())
        : String.valueOf(value);
  }

  private void issue(String field, String details, @Nullable String rule) {
    var issue = Tree.of("field", field, "details", details);
    issues.add(rule == null ? issue : issue.put("rule", rule));
  }

  private static String[] append(List<String> path, String last) {
    var longer = new ArrayList<>(path);
    longer.add(last);
    return longer.toArray(String[]::new);
  }
}
