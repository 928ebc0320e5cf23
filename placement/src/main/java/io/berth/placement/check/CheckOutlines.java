package io.berth.placement.check;

import static io.berth.answers.outline.Field.optional;
import static io.berth.answers.outline.Field.required;

import io.berth.answers.outline.Field;
import io.berth.answers.outline.Outline;
import io.berth.answers.outline.Outline.Choice;
import io.berth.answers.outline.Outline.Count;
import io.berth.answers.outline.Outline.Either;
import io.berth.answers.outline.Outline.Fields;
import io.berth.answers.outline.Outline.Flag;
import io.berth.answers.outline.Outline.ListOf;
import io.berth.answers.outline.Outline.Named;
import io.berth.answers.outline.Outline.Text;
import io.berth.answers.plan.StepOutlines;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/// All checks: what they look like, and who reads them.
public final class CheckOutlines {

  private static final Field PODS =
      required("pods", Named.LABELS, "labels of the pods it is about");
  private static final Field ANY_PODS =
      optional("pods", Named.LABELS, "Only pods with these labels.");
  private static final Field BY = required("by", Text.ANY, "a label of nodes");
  private static final Field AT_MOST = required("atMost", Count.ANY, "how many are allowed");
  private static final Field NAMESPACE =
      optional("namespace", StepOutlines.NAME, "Only pods of this namespace.");
  private static final Field MAY_BE_EMPTY =
      optional("mayBeEmpty", new Flag(), "Whether it holds when it is about nothing.");
  private static final Outline NODES = Either.of(new ListOf(StepOutlines.NAME, 1), Named.LABELS);

  private static final Map<String, Function<Object, Check>> READERS = new LinkedHashMap<>();
  private static final List<Field> ALL = new ArrayList<>();

  static {
    add(
        "skew",
        "Most minus least pods over domains with a ready node.",
        Skew::of,
        PODS,
        BY,
        AT_MOST);
    add("nothingPending", "Every pod has a node.", NothingPending::of, ANY_PODS);
    add("apart", "No two pods share a domain.", Apart::of, PODS, BY);
    add(
        "together",
        "Pods share a domain with others, or all with each other.",
        Together::of,
        PODS,
        BY,
        optional("with", Named.LABELS, "Labels of the others."));
    add(
        "never",
        "No pod is on such a node.",
        Never::of,
        PODS,
        required("on", NODES, "names or labels of nodes"));
    add("moved", "How many pods changed their node.", Moved::of, ANY_PODS, AT_MOST);
    addOfPod(
        "pending",
        "Pods wait, for the right reason.",
        Pending::of,
        optional("because", Text.ANY, "The rule that stands in the way."),
        optional(
            "verdict",
            Choice.of("never", "notNow", "gated", "unserved", "failed", "fits"),
            "How it stands with the pod."));
    addOfPod(
        "placed",
        "Pods have a node.",
        Placed::of,
        optional("on", NODES, "Names or labels of the nodes they may be on."));
    var expression = Text.of("[\\s\\S]+", "an expression in CEL");
    ALL.add(
        optional(
            "cel",
            Either.of(
                expression,
                Fields.of(
                    "cel", required("expression", expression, "what shall be true"), MAY_BE_EMPTY)),
            "An expression in CEL about pods and nodes."));
    READERS.put("cel", CheckOutlines::cel);
  }

  public static final Fields CHECK = Fields.oneOf("check", List.copyOf(ALL));

  public static final Outline CHECKS = new ListOf(CHECK, 1);

  private CheckOutlines() {}

  private static void add(
      String name, String description, Function<Tree, Check> reader, Field... fields) {
    var all = new ArrayList<>(List.of(fields));
    all.add(NAMESPACE);
    all.add(MAY_BE_EMPTY);
    ALL.add(optional(name, new Fields(name, List.copyOf(all), false), description));
    READERS.put(name, value -> reader.apply((Tree) value));
  }

  /// A check of one pod by name, or of pods by labels.
  private static void addOfPod(
      String name, String description, Function<Tree, Check> reader, Field... fields) {
    var byName = new ArrayList<>(List.of(fields));
    byName.add(0, required("pod", StepOutlines.NAME, "the name of the pod"));
    byName.add(NAMESPACE);
    byName.add(MAY_BE_EMPTY);
    var byLabels = new ArrayList<>(byName);
    byLabels.set(0, PODS);
    ALL.add(
        optional(
            name,
            Either.of(
                new Fields(name, List.copyOf(byName), false),
                new Fields(name, List.copyOf(byLabels), false)),
            description));
    READERS.put(name, value -> reader.apply((Tree) value));
  }

  private static Check cel(Object value) {
    return value instanceof Tree tree
        ? new Cel(tree.textOrEmpty("expression"), tree.flag("mayBeEmpty"))
        : new Cel(String.valueOf(value), false);
  }

  /// Reads a check that looks as [#CHECK] says.
  public static Check read(Tree check) {
    var word = check.names().iterator().next();
    return Objects.requireNonNull(READERS.get(word)).apply(Objects.requireNonNull(check.get(word)));
  }
}
