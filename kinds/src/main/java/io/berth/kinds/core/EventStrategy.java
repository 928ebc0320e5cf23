package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Events, stored in their core form; `events.k8s.io` writes them under stricter rules.
public final class EventStrategy extends PlainStrategy {

  private static final int MAX_NAME = 128;
  private static final int MAX_NOTE = 1024;

  private static final List<String> OBJECT_FIELDS =
      List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath");

  private final boolean strict;

  /// `strict`: the rules of `events.k8s.io/v1`.
  public EventStrategy(boolean strict) {
    super(Resource.CORE_EVENTS);
    this.strict = strict;
  }

  @Override
  public void setDefaults(Tree event) {
    event.child("involvedObject");
    event.child("source");
    for (var field : List.of("firstTimestamp", "lastTimestamp", "eventTime")) {
      if (!event.has(field)) {
        event.put(field, null);
      }
    }
    event.putIfAbsent("reportingComponent", "");
    event.putIfAbsent("reportingInstance", "");
  }

  @Override
  public void validateCreate(Tree event, FieldErrors errors) {
    validateAny(event, errors);
    if (!strict) {
      return;
    }
    ObjectMeta.validate(event, true, Names.Rule.DNS_SUBDOMAIN, errors);
    series(event, errors);
    if (event.get("eventTime") == null) {
      errors.required(FieldPath.of("eventTime"));
    }
    var type = event.textOrEmpty("type");
    if (!type.equals("Normal") && !type.equals("Warning")) {
      errors.invalid(FieldPath.of("type"), "", "has invalid value: " + type);
    }
    for (var field : List.of("firstTimestamp", "lastTimestamp")) {
      if (event.get(field) != null) {
        errors.invalid(FieldPath.of(field), "", "needs to be unset");
      }
    }
    if (event.number(0, "count") != 0) {
      errors.invalid(FieldPath.of("count"), "", "needs to be unset");
    }
    if (!event.treeOrEmpty("source").isEmpty()) {
      errors.invalid(FieldPath.of("source"), "", "needs to be unset");
    }
  }

  private void validateAny(Tree event, FieldErrors errors) {
    var namespace = event.textOrEmpty("metadata", "namespace");
    var involved = event.textOrEmpty("involvedObject", "namespace");
    boolean old = event.get("eventTime") == null;
    boolean matches =
        old
            ? involved.isEmpty()
                ? namespace.isEmpty() || namespace.equals("default")
                : namespace.equals(involved)
            : !involved.isEmpty() || namespace.equals("default") || namespace.equals("kube-system");
    if (!matches) {
      errors.invalid(
          FieldPath.of("involvedObject", "namespace"), involved, "does not match event.namespace");
    }
    if (!old) {
      validateNew(event, errors);
    }
  }

  private void validateNew(Tree event, FieldErrors errors) {
    var controller = FieldPath.of(strict ? "reportingController" : "reportingComponent");
    var component = event.textOrEmpty("reportingComponent");
    Checks.required(controller, component, errors);
    Checks.qualifiedName(controller, component, errors);
    for (var field : List.of("reportingInstance", "action", "reason")) {
      var value = event.textOrEmpty(field);
      Checks.required(FieldPath.of(field), value, errors);
      atMost(MAX_NAME, value, FieldPath.of(field), errors);
    }
    atMost(MAX_NOTE, event.textOrEmpty("message"), FieldPath.of("message"), errors);
  }

  private static void atMost(int max, String value, FieldPath path, FieldErrors errors) {
    if (Names.bytes(value) > max) {
      errors.invalid(path, "", "can have at most " + max + " characters");
    }
  }

  private static void series(Tree event, FieldErrors errors) {
    if (event.get("series") instanceof Tree series) {
      if (series.number(0, "count") < 2) {
        errors.invalid(FieldPath.of("series.count"), "", "should be at least 2");
      }
      if (series.get("lastObservedTime") == null) {
        errors.required(FieldPath.of("series.lastObservedTime"));
      }
    }
  }

  @Override
  public void validateUpdate(Tree event, Tree old, FieldErrors errors) {
    validateAny(event, errors);
    if (!strict) {
      return;
    }
    ObjectMeta.validateUpdate(event, old, errors);
    if (Fields.differs(event, old, "series")) {
      series(event, errors);
    }
    for (var field :
        List.of(
            "involvedObject",
            "reason",
            "message",
            "source",
            "firstTimestamp",
            "lastTimestamp",
            "count",
            "reason",
            "type",
            "eventTime",
            "action",
            "related",
            "reportingComponent",
            "reportingInstance")) {
      var name = field.equals("reportingComponent") ? "reportingController" : field;
      if (Fields.differs(event, old, field)) {
        errors.invalid(FieldPath.of(name), event.get(field), Checks.IMMUTABLE);
      }
    }
  }

  @Override
  public boolean allowCreateOnUpdate() {
    return true;
  }

  @Override
  public List<@Nullable Object> cells(Tree event, Instant now) {
    var eventTime = event.text("eventTime");
    var first = event.text("firstTimestamp");
    var firstSeen = Cells.since(first == null ? eventTime : first, now);
    var last = event.text("lastTimestamp");
    var lastSeen = last == null ? firstSeen : Cells.since(last, now);
    long count = Math.max(1, event.number(0, "count"));
    if (event.get("series") instanceof Tree series) {
      lastSeen = Cells.since(series.text("lastObservedTime"), now);
      count = series.number(0, "count");
    }
    var kind = event.textOrEmpty("involvedObject", "kind").toLowerCase(Locale.ROOT);
    var name = event.textOrEmpty("involvedObject", "name");
    return Cells.row(
        lastSeen,
        event.textOrEmpty("type"),
        event.textOrEmpty("reason"),
        name.isEmpty() ? kind : kind + "/" + name,
        event.textOrEmpty("involvedObject", "fieldPath"),
        source(event),
        event.textOrEmpty("message").strip(),
        firstSeen,
        count,
        Cells.name(event));
  }

  private static String source(Tree event) {
    var component = either(event, "component", "reportingComponent");
    var instance = either(event, "host", "reportingInstance");
    return instance.isEmpty() ? component : component + ", " + instance;
  }

  private static String either(Tree event, String sourceField, String field) {
    var value = event.textOrEmpty("source", sourceField);
    return value.isEmpty() ? event.textOrEmpty(field) : value;
  }

  @Override
  public Set<String> fieldLabels() {
    var labels = new LinkedHashSet<String>();
    OBJECT_FIELDS.forEach(field -> labels.add((strict ? "regarding." : "involvedObject.") + field));
    labels.addAll(List.of("reason", "source", "type"));
    labels.add(strict ? "reportingController" : "reportingComponent");
    return labels;
  }

  @Override
  public String fieldValue(Tree event, String label) {
    return switch (label) {
      case "source" -> either(event, "component", "reportingComponent");
      case "reportingController" -> event.textOrEmpty("reportingComponent");
      default -> super.fieldValue(event, label.replace("regarding.", "involvedObject."));
    };
  }
}
