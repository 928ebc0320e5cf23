package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Quantity;
import io.berth.api.Resource;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Limit ranges: bounds and defaults must not contradict each other.
public final class LimitRangeStrategy extends PlainStrategy {

  private static final FieldPath LIMITS = FieldPath.of("spec", "limits");

  public LimitRangeStrategy() {
    super(Resource.LIMIT_RANGES);
  }

  @Override
  public void setDefaults(Tree range) {
    for (var limit : range.trees("spec", "limits")) {
      for (var list : List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")) {
        ResourceList.roundUp(limit.tree(list));
      }
      if (limit.textOrEmpty("type").equals("Container")) {
        fill(limit, "default", "max");
        fill(limit, "defaultRequest", "default");
        fill(limit, "defaultRequest", "min");
      }
    }
  }

  private static void fill(Tree limit, String list, String source) {
    limit
        .treeOrEmpty(source)
        .fields()
        .forEach((name, amount) -> limit.child(list).putIfAbsent(name, amount));
  }

  /// A range without a name is called after its uid.
  @Override
  public void prepareForCreate(Tree range, Write write) {
    var meta = range.child("metadata");
    if (meta.textOrEmpty("name").isEmpty()) {
      meta.put("name", meta.textOrEmpty("uid"));
    }
  }

  @Override
  public boolean allowCreateOnUpdate() {
    return true;
  }

  @Override
  public void validateCreate(Tree range, FieldErrors errors) {
    super.validateCreate(range, errors);
    var types = new HashSet<String>();
    var limits = range.trees("spec", "limits");
    for (int i = 0; i < limits.size(); i++) {
      var type = limits.get(i).textOrEmpty("type");
      type(type, LIMITS.index(i).child("type"), errors);
      if (!types.add(type)) {
        errors.duplicate(LIMITS.index(i).child("type"), type);
      }
      new Item(limits.get(i), LIMITS.index(i), errors).validate();
    }
  }

  private static void type(String type, FieldPath path, FieldErrors errors) {
    var wrong = Names.qualifiedName(type);
    Checks.complaints(path, type, wrong, errors);
    if (wrong.isEmpty()
        && type.indexOf('/') < 0
        && !List.of("Pod", "Container", "PersistentVolumeClaim").contains(type)) {
      errors.invalid(path, type, "must be a standard limit type or fully qualified");
    }
  }

  @Override
  public void validateUpdate(Tree range, Tree old, FieldErrors errors) {
    validateCreate(range, errors);
    ObjectMeta.validateUpdate(range, old, errors);
  }

  /// One entry of `spec.limits`.
  private record Item(
      String type,
      FieldPath path,
      FieldErrors errors,
      Map<String, Quantity> max,
      Map<String, Quantity> min,
      Map<String, Quantity> defaults,
      Map<String, Quantity> requests,
      Map<String, Quantity> ratios) {

    Item(Tree limit, FieldPath path, FieldErrors errors) {
      this(
          limit.textOrEmpty("type"),
          path,
          errors,
          ResourceList.read(limit.tree("max")),
          ResourceList.read(limit.tree("min")),
          ResourceList.read(limit.tree("default")),
          ResourceList.read(limit.tree("defaultRequest")),
          ResourceList.read(limit.tree("maxLimitRequestRatio")));
    }

    void validate() {
      names(max, "max");
      names(min, "min");
      if (type.equals("Pod")) {
        forbid(defaults, "default");
        forbid(requests, "defaultRequest");
      } else {
        names(defaults, "default");
        names(requests, "defaultRequest");
      }
      if (type.equals("PersistentVolumeClaim")
          && !min.containsKey("storage")
          && !max.containsKey("storage")) {
        errors.required(
            path.child("limits"),
            "either minimum or maximum storage value is required, but neither was provided");
      }
      names(ratios, "maxLimitRequestRatio");
      var all = new TreeSet<>(max.keySet());
      all.addAll(min.keySet());
      all.addAll(ratios.keySet());
      if (!type.equals("Pod")) {
        all.addAll(defaults.keySet());
        all.addAll(requests.keySet());
      }
      all.forEach(this::compare);
    }

    private void names(Map<String, Quantity> list, String field) {
      for (var name : list.keySet()) {
        if (type.equals("Pod") || type.equals("Container")) {
          ResourceNames.validateOfContainer(name, path.child(field).key(name), errors);
        } else {
          ResourceNames.validate(name, path.child(field).key(name), errors);
        }
      }
    }

    private void forbid(Map<String, Quantity> list, String field) {
      if (!list.isEmpty()) {
        errors.forbidden(path.child(field), "may not be specified when `type` is 'Pod'");
      }
    }

    private void compare(String name) {
      var lower = min.get(name);
      var upper = max.get(name);
      var limit = type.equals("Pod") ? null : defaults.get(name);
      var request = type.equals("Pod") ? null : requests.get(name);
      greater(lower, upper, "min", lower, "min value %s is greater than max value %s", name);
      greater(
          lower,
          request,
          "defaultRequest",
          request,
          "min value %s is greater than default request value %s",
          name);
      greater(
          request,
          upper,
          "defaultRequest",
          request,
          "default request value %s is greater than max value %s",
          name);
      greater(
          request,
          limit,
          "defaultRequest",
          request,
          "default request value %s is greater than default limit value %s",
          name);
      greater(
          lower, limit, "default", lower, "min value %s is greater than default value %s", name);
      greater(
          limit, upper, "default", upper, "default value %s is greater than max value %s", name);
      ratio(name, lower, upper);
      if (limit != null
          && request != null
          && !ResourceNames.isOvercommitAllowed(name)
          && limit.compareTo(request) != 0) {
        errors.invalid(
            path.child("defaultRequest").key(name),
            request.toString(),
            "default value %s must equal to defaultRequest value %s in %s"
                .formatted(limit, request, name));
      }
    }

    private void greater(
        @Nullable Quantity a,
        @Nullable Quantity b,
        String field,
        @Nullable Quantity shown,
        String message,
        String name) {
      if (a != null && b != null && a.compareTo(b) > 0) {
        errors.invalid(path.child(field).key(name), String.valueOf(shown), message.formatted(a, b));
      }
    }

    private void ratio(String name, @Nullable Quantity lower, @Nullable Quantity upper) {
      var ratio = ratios.get(name);
      if (ratio == null) {
        return;
      }
      var at = path.child("maxLimitRequestRatio").key(name);
      if (ratio.compareTo(Quantity.of(1)) < 0) {
        errors.invalid(at, ratio.toString(), "ratio " + ratio + " is less than 1");
      }
      if (lower != null && upper != null) {
        double bound = upper.amount().doubleValue() / lower.amount().doubleValue();
        if (ratio.amount().doubleValue() > bound) {
          errors.invalid(
              at,
              ratio.toString(),
              "ratio %s is greater than max/min = %f".formatted(ratio, bound));
        }
      }
    }
  }
}
