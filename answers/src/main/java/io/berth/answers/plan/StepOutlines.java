package io.berth.answers.plan;

import static io.berth.answers.outline.Field.optional;
import static io.berth.answers.outline.Field.required;

import io.berth.answers.outline.Field;
import io.berth.answers.outline.Outline;
import io.berth.answers.outline.Outline.Anything;
import io.berth.answers.outline.Outline.Choice;
import io.berth.answers.outline.Outline.Count;
import io.berth.answers.outline.Outline.Either;
import io.berth.answers.outline.Outline.Fields;
import io.berth.answers.outline.Outline.Flag;
import io.berth.answers.outline.Outline.ListOf;
import io.berth.answers.outline.Outline.Named;
import io.berth.answers.outline.Outline.Text;
import java.util.List;

/// What steps look like: the one table for `berth plan --steps` and placement tests.
public final class StepOutlines {

  public static final Text NAME =
      Text.of("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?", "a name of small letters, digits and dashes");

  public static final Text DURATION =
      Text.of(
          "(?=[0-9])([0-9]{1,6}h)?([0-9]{1,6}m)?([0-9]{1,6}(\\.[0-9]{1,3})?s)?([0-9]{1,6}ms)?",
          "a time, such as 90s or 1h30m");

  public static final Outline QUANTITY =
      Either.of(
          Text.of(
              "[0-9]{1,15}(\\.[0-9]{1,9})?(m|k|M|G|T|P|Ki|Mi|Gi|Ti|Pi)?",
              "an amount, such as 500m or 2Gi"),
          new Outline.Amount());

  /// One file or several; paths begin where the file with the step is.
  public static final Outline FILES = Either.of(Text.ANY, new ListOf(Text.ANY, 1));

  private static final Outline TAINT =
      Fields.of(
          "a taint",
          required("key", Text.ANY, "such as spot"),
          optional("value", Text.of("[\\s\\S]*", "text"), "Its value."),
          required(
              "effect",
              Choice.of("NoSchedule", "PreferNoSchedule", "NoExecute"),
              "What it does to pods that do not tolerate it."));

  public static final Fields FLEET =
      Fields.of(
          "a fleet",
          optional("name", Text.ANY, "Names of the nodes; {n} counts."),
          optional("count", new Count(0, 100_000), "How many nodes (default: 1)."),
          optional("zones", new ListOf(Text.ANY, 0), "Zones, taken in turn."),
          optional("region", Text.of("[\\s\\S]*", "text"), "The region of all."),
          optional("instanceType", Text.ANY, "The type of all."),
          optional("labels", new Named(Text.of("[\\s\\S]*", "text"), "labels", 0), "Labels."),
          optional("taints", new ListOf(TAINT, 0), "Taints."),
          optional("capacity", new Named(QUANTITY, "amounts", 0), "What each node has."),
          optional("allocatable", new Named(QUANTITY, "amounts", 0), "What pods may take of it."),
          optional("images", new ListOf(new Anything(), 0), "Images that are there."),
          optional("operatingSystem", Text.ANY, "The operating system of all."),
          optional("architecture", Text.ANY, "The architecture of all."),
          optional("unschedulable", new Flag(), "Whether the nodes are cordoned."));

  public static final Fields POD =
      Fields.of(
          "a pod",
          required("name", NAME, "the name of the pod"),
          optional("namespace", NAME, "Its namespace."),
          optional("labels", new Named(Text.of("[\\s\\S]*", "text"), "labels", 0), "Its labels."),
          optional("cpu", QUANTITY, "What it asks for."),
          optional("memory", QUANTITY, "What it asks for."),
          optional("gpu", QUANTITY, "How many nvidia.com/gpu it asks for."),
          optional("spec", new Anything(), "The rest of its spec."));

  public static final List<Field> ALL =
      List.of(
          optional("apply", FILES, "What kubectl apply does with these files."),
          optional("delete", reference(false), "Deletes an object."),
          optional("scale", reference(true), "Sets how many pods an owner has."),
          optional("lose", choice(), "What 'berth zone|node fail' does: nodes fall silent."),
          optional("drain", choice(), "What kubectl drain does, within budgets."),
          optional("cordon", choice(), "Closes nodes to new pods."),
          optional("uncordon", choice(), "Opens nodes again."),
          optional(
              "label",
              change(new Named(Text.of("[\\s\\S]*", "text"), "labels", 0)),
              "Changes labels of a node."),
          optional("taint", change(new ListOf(TAINT, 0)), "Changes taints of a node."),
          optional("addNodes", FILES, "Adds the Nodes and NodeFleets of these files."),
          optional("fleet", FLEET, "Adds nodes: the spec of a NodeFleet."),
          optional("pod", POD, "Adds a pod."),
          optional("passes", DURATION, "Lets time pass."));

  static final Fields STEP = Fields.oneOf("step", ALL);

  private StepOutlines() {}

  private static Outline reference(boolean replicas) {
    var kind = required("kind", Text.ANY, "such as Deployment");
    var namespace = optional("namespace", NAME, "Where it is.");
    var name = required("name", NAME, "the name of the object");
    return replicas
        ? Fields.of(
            "scale", kind, namespace, name, required("replicas", Count.ANY, "how many pods"))
        : Fields.of("delete", kind, namespace, name);
  }

  private static Outline choice() {
    return Fields.oneOf(
        "choice",
        List.of(
            optional("zone", Text.ANY, "All nodes of this topology.kubernetes.io/zone."),
            optional("node", NAME, "This node."),
            optional("labels", Named.LABELS, "All nodes with these labels.")));
  }

  private static Outline change(Outline set) {
    return Fields.of(
        "a change of a node",
        required("node", NAME, "the name of the node"),
        optional("set", set, "What it has from now on."),
        optional("remove", new ListOf(Text.ANY, 0), "What it has no longer."));
  }
}
