package io.berth.kinds.core;

import io.berth.api.Quantity;
import io.berth.api.Resource;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Limit ranges: bounds and defaults must not contradict each other.
///
/// Mirrors: registry/core/limitrange.limitrangeStrategy, core/validation.ValidateLimitRange
public final class LimitRangeStrategy extends PlainStrategy {

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
  protected void validate(Cursor range, @Nullable Tree old) {
    var types = new HashSet<String>();
    for (var limit : range.at("spec").each("limits")) {
      type(limit.at("type"));
      limit.at("type").unique(types);
      new Item(limit).validate();
    }
  }

  private static void type(Cursor type) {
    type.follows(Names::qualifiedName);
    if (Names.qualifiedName(type.text()).isEmpty()
        && type.text().indexOf('/') < 0
        && !List.of("Pod", "Container", "PersistentVolumeClaim").contains(type.text())) {
      type.invalid("must be a standard limit type or fully qualified");
    }
  }

  @Override
  public void validateUpdate(Cursor range, Tree old) {
    validateCreate(range);
    ObjectMeta.validateUpdate(range, old);
  }

  /// One entry of `spec.limits`.
  private record Item(
      String type,
      Cursor limit,
      Map<String, Quantity> max,
      Map<String, Quantity> min,
      Map<String, Quantity> defaults,
      Map<String, Quantity> requests,
      Map<String, Quantity> ratios) {

    Item(Cursor limit) {
      this(
          limit.text("type"),
          limit,
          ResourceList.read(limit.at("max").treeOrNull()),
          ResourceList.read(limit.at("min").treeOrNull()),
          ResourceList.read(limit.at("default").treeOrNull()),
          ResourceList.read(limit.at("defaultRequest").treeOrNull()),
          ResourceList.read(limit.at("maxLimitRequestRatio").treeOrNull()));
    }

    void validate() {
      names("max");
      names("min");
      if (type.equals("Pod")) {
        forbid(defaults, "default");
        forbid(requests, "defaultRequest");
      } else {
        names("default");
        names("defaultRequest");
      }
      if (type.equals("PersistentVolumeClaim")
          && !min.containsKey("storage")
          && !max.containsKey("storage")) {
        limit
            .at("limits")
            .missing(
                "either minimum or maximum storage value is required, but neither was provided");
      }
      names("maxLimitRequestRatio");
      var all = new TreeSet<>(max.keySet());
      all.addAll(min.keySet());
      all.addAll(ratios.keySet());
      if (!type.equals("Pod")) {
        all.addAll(defaults.keySet());
        all.addAll(requests.keySet());
      }
      all.forEach(this::compare);
    }

    private void names(String field) {
      for (var amount : limit.at(field).entries()) {
        if (type.equals("Pod") || type.equals("Container")) {
          ResourceNames.validateOfContainer(amount.name(), amount);
        } else {
          ResourceNames.validate(amount.name(), amount);
        }
      }
    }

    private void forbid(Map<String, Quantity> list, String field) {
      if (!list.isEmpty()) {
        limit.at(field).forbidden("may not be specified when `type` is 'Pod'");
      }
    }

    private void compare(String name) {
      var lower = min.get(name);
      var upper = max.get(name);
      var preset = type.equals("Pod") ? null : defaults.get(name);
      var request = type.equals("Pod") ? null : requests.get(name);
      var minField = limit.at("min").key(name);
      var presetField = limit.at("default").key(name);
      var requestField = limit.at("defaultRequest").key(name);
      greater(minField, lower, lower, upper, "min value %s is greater than max value %s");
      greater(
          requestField,
          request,
          lower,
          request,
          "min value %s is greater than default request value %s");
      greater(
          requestField,
          request,
          request,
          upper,
          "default request value %s is greater than max value %s");
      greater(
          requestField,
          request,
          request,
          preset,
          "default request value %s is greater than default limit value %s");
      greater(presetField, lower, lower, preset, "min value %s is greater than default value %s");
      greater(presetField, upper, preset, upper, "default value %s is greater than max value %s");
      ratio(limit.at("maxLimitRequestRatio").key(name), lower, upper);
      if (preset != null
          && request != null
          && !ResourceNames.isOvercommitAllowed(name)
          && preset.compareTo(request) != 0) {
        requestField.invalid(
            request.toString(),
            "default value %s must equal to defaultRequest value %s in %s"
                .formatted(preset, request, name));
      }
    }

    private static void greater(
        Cursor field,
        @Nullable Quantity shown,
        @Nullable Quantity a,
        @Nullable Quantity b,
        String message) {
      if (a != null && b != null && a.compareTo(b) > 0) {
        field.invalid(String.valueOf(shown), message.formatted(a, b));
      }
    }

    private void ratio(Cursor field, @Nullable Quantity lower, @Nullable Quantity upper) {
      var ratio = ratios.get(field.name());
      if (ratio == null) {
        return;
      }
      if (ratio.compareTo(Quantity.of(1)) < 0) {
        field.invalid(ratio.toString(), "ratio " + ratio + " is less than 1");
      }
      if (lower != null && upper != null) {
        double bound = upper.amount().doubleValue() / lower.amount().doubleValue();
        if (ratio.amount().doubleValue() > bound) {
          field.invalid(
              ratio.toString(), "ratio %s is greater than max/min = %f".formatted(ratio, bound));
        }
      }
    }
  }
}
