package io.berth.codec;

import io.berth.api.LabelSelector;
import io.berth.api.Namespace;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.PodGroup;
import io.berth.api.SelectorOwner;
import io.berth.api.Tree;

/// Reads the smaller objects scheduling looks at.
public final class ObjectReader {

  private ObjectReader() {}

  public static Namespace readNamespace(Tree tree) {
    var meta = Fields.of(tree).object("metadata");
    return new Namespace(meta.text("name"), meta.map("labels"));
  }

  public static PodDisruptionBudget readBudget(Tree tree) {
    var budget = Fields.of(tree);
    var meta = budget.object("metadata");
    var status = budget.object("status");
    return new PodDisruptionBudget(
        meta.textOr("namespace", "default"),
        meta.text("name"),
        SelectorReader.labelSelector(budget.object("spec"), "selector"),
        status.integer("disruptionsAllowed", 0),
        status.map("disruptedPods").keySet());
  }

  public static PodGroup readPodGroup(Tree tree) {
    var group = Fields.of(tree);
    var meta = group.object("metadata");
    var spec = group.object("spec");
    var gang = spec.object("schedulingPolicy").objectOrNull("gang");
    return new PodGroup(
        meta.textOr("namespace", "default"),
        meta.text("name"),
        meta.text("uid"),
        meta.number("generation", 0),
        gang != null,
        gang == null ? 1 : gang.integer("minCount", 1),
        spec.object("disruptionMode").has("all"),
        spec.integer("priority", 0),
        group.object("status").objects("conditions", condition -> condition).stream()
            .anyMatch(condition ->
                condition.text("type").equals("PodGroupInitiallyScheduled")
                    && condition.text("status").equals("True")));
  }

  /// A Service or ReplicationController, whose selector is a plain map.
  public static SelectorOwner readMapOwner(String kind, Tree tree) {
    var owner = Fields.of(tree);
    var meta = owner.object("metadata");
    var labels = owner.object("spec").map("selector");
    return new SelectorOwner(
        kind,
        meta.textOr("namespace", "default"),
        meta.text("name"),
        labels.isEmpty() ? null : LabelSelector.of(labels));
  }

  /// A ReplicaSet or StatefulSet, whose selector is a label selector.
  public static SelectorOwner readSelectorOwner(String kind, Tree tree) {
    var owner = Fields.of(tree);
    var meta = owner.object("metadata");
    return new SelectorOwner(
        kind,
        meta.textOr("namespace", "default"),
        meta.text("name"),
        SelectorReader.labelSelector(owner.object("spec"), "selector"));
  }
}
