package io.berth.kinds.core;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Events, stored in their core form; `events.k8s.io` writes them under stricter rules.
///
/// Mirrors: registry/core/event.eventStrategy, core/validation.ValidateEventCreate
public final class EventStrategy extends PlainStrategy {

  private static final String[] FIXED = {
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
    "reportingInstance"
  };
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
  public void validateCreate(Cursor event) {
    validateAny(event);
    if (!strict) {
      return;
    }
    ObjectMeta.validate(event, true, Names.Rule.DNS_SUBDOMAIN);
    series(event);
    event.require("eventTime");
    var type = event.text("type");
    if (!type.equals("Normal") && !type.equals("Warning")) {
      event.at("type").invalid("", "has invalid value: " + type);
    }
    unset(event.at("firstTimestamp"), event.has("firstTimestamp"));
    unset(event.at("lastTimestamp"), event.has("lastTimestamp"));
    unset(event.at("count"), event.number("count") != 0);
    unset(event.at("source"), !event.at("source").tree().isEmpty());
  }

  private static void unset(Cursor field, boolean isSet) {
    if (isSet) {
      field.invalid("", "needs to be unset");
    }
  }

  private void validateAny(Cursor event) {
    var namespace = event.at("metadata").text("namespace");
    var involved = event.at("involvedObject").text("namespace");
    boolean old = !event.has("eventTime");
    boolean matches =
        old
            ? involved.isEmpty()
                ? namespace.isEmpty() || namespace.equals("default")
                : namespace.equals(involved)
            : !involved.isEmpty() || namespace.equals("default") || namespace.equals("kube-system");
    if (!matches) {
      event.at("involvedObject", "namespace").invalidText("does not match event.namespace");
    }
    if (!old) {
      validateNew(event);
    }
  }

  private void validateNew(Cursor event) {
    var controller =
        event
            .at(strict ? "reportingController" : "reportingComponent")
            .with(event.text("reportingComponent"));
    controller.required();
    controller.follows(Names::qualifiedName);
    for (var field : event.fields("reportingInstance", "action", "reason")) {
      atMost(MAX_NAME, field.required());
    }
    atMost(MAX_NOTE, event.at("message"));
  }

  private static void atMost(int max, Cursor field) {
    if (Names.bytes(field.text()) > max) {
      field.invalid("", "can have at most " + max + " characters");
    }
  }

  private static void series(Cursor event) {
    var series = event.at("series").ifSet();
    if (series.isSet() && series.number("count") < 2) {
      event.at("series.count").invalid("", "should be at least 2");
    }
    if (series.isSet() && !series.has("lastObservedTime")) {
      event.at("series.lastObservedTime").missing();
    }
  }

  @Override
  public void validateUpdate(Cursor event, Tree old) {
    validateAny(event);
    if (!strict) {
      return;
    }
    ObjectMeta.validateUpdate(event, old);
    if (Fields.differs(event.tree(), old, "series")) {
      series(event);
    }
    for (var field : event.fields(FIXED)) {
      if (!Fields.isSame(field.value(), old.get(field.name()))) {
        var name = field.name().equals("reportingComponent") ? "reportingController" : field.name();
        event.at(name).invalid(field.value(), Checks.IMMUTABLE);
      }
    }
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
