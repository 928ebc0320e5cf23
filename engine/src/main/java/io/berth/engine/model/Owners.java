package io.berth.engine.model;

import io.berth.api.LabelSelector;
import io.berth.api.Requirement;
import io.berth.api.SelectorOwner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Services and controllers, from whose selectors default spreading deduces its own.
public final class Owners {

  private final Map<String, Map<String, SelectorOwner>> byNamespace = new HashMap<>();
  private final SelectedKeys selected;
  private int changes;

  Owners(SelectedKeys selected) {
    this.selected = selected;
  }

  /// Grows whenever anything here changes.
  public int changes() {
    return changes;
  }

  void change(@Nullable SelectorOwner before, @Nullable SelectorOwner after) {
    changes++;
    if (before != null) {
      remove(before);
    }
    if (after != null) {
      byNamespace
          .computeIfAbsent(after.namespace(), _ -> new TreeMap<>())
          .put(after.kind() + "/" + after.name(), after);
      selected.add(after.selector());
    }
  }

  private void remove(SelectorOwner owner) {
    var owners = Objects.requireNonNull(byNamespace.get(owner.namespace()));
    owners.remove(owner.kind() + "/" + owner.name());
    if (owners.isEmpty()) {
      byNamespace.remove(owner.namespace());
    }
    selected.remove(owner.selector());
  }

  /// What all services that select the pod, and its controller, select together; `null` if nothing.
  public @Nullable LabelSelector selectorFor(Shape shape) {
    var owners = byNamespace.get(shape.namespace());
    if (owners == null) {
      return null;
    }
    var labels = new HashMap<String, String>();
    for (var owner : owners.values()) {
      var selector = owner.selector();
      if (owner.kind().equals("Service") && selector != null && selector.matches(shape.labels())) {
        labels.putAll(selector.matchLabels());
      }
    }
    List<Requirement> expressions = new ArrayList<>();
    var controller = controllerOf(shape, owners);
    if (controller != null) {
      // The labels of a ReplicationController replace equal keys; those of sets are all required.
      if (controller.kind().equals("ReplicationController")) {
        var selector = controller.selector();
        if (selector != null) {
          labels.putAll(selector.matchLabels());
        }
      } else {
        expressions.addAll(clauses(controller.selector()));
      }
    }
    return labels.isEmpty() && expressions.isEmpty()
        ? null
        : new LabelSelector(labels, expressions);
  }

  private static @Nullable SelectorOwner controllerOf(
      Shape shape, Map<String, SelectorOwner> owners) {
    var controller = shape.controller();
    if (controller == null) {
      return null;
    }
    boolean supported =
        switch (controller.kind()) {
          case "ReplicationController" -> controller.apiVersion().equals("v1");
          case "ReplicaSet", "StatefulSet" -> controller.apiVersion().equals("apps/v1");
          default -> false;
        };
    return supported ? owners.get(controller.kind() + "/" + controller.name()) : null;
  }

  private static List<Requirement> clauses(@Nullable LabelSelector selector) {
    if (selector == null) {
      return List.of();
    }
    var clauses = new ArrayList<>(selector.matchExpressions());
    selector
        .matchLabels()
        .forEach((key, value) -> clauses.add(new Requirement(key, "In", List.of(value))));
    clauses.sort(java.util.Comparator.comparing(Requirement::key));
    return clauses;
  }
}
