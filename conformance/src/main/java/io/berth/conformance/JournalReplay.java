package io.berth.conformance;

import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.ClusterKind;
import io.berth.codec.PodReader;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Examination;
import io.berth.engine.Preemption;
import io.berth.engine.VolumeReservation;
import io.berth.engine.rule.RuleCatalog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Decides again what a scheduler's journal says was decided, on what it knew at that moment.
///
/// The journal is followed, never the engine's own answer: one difference does not cause the next.
/// Another node with the same, best score is a tie: a journal that does not begin with the process
/// does not know how earlier ties fell. Extenders are not asked again: they say what they said.
/// Whom a group evicts is the scheduler's affair, not the engine's, and not looked at.
public final class JournalReplay {

  private final Engine engine;
  private final Map<String, Tree> pods = new HashMap<>();
  private final Map<String, VolumeReservation> reservations = new HashMap<>();
  private final List<String> differences = new ArrayList<>();
  private final @Nullable Consumer<Told> listener;
  private int decisions;
  private int ties;

  /// `head` is the first line of a journal.
  public JournalReplay(Tree head) {
    this(head, RuleCatalog.NONE);
  }

  /// With the rules beside Kubernetes' own that the scheduler had.
  public JournalReplay(Tree head, RuleCatalog rules) {
    this(head, rules, null);
  }

  /// Tells of each decision, as it is made now.
  public JournalReplay(Tree head, RuleCatalog rules, @Nullable Consumer<Told> listener) {
    this.engine = new Engine(configuration(head), head.number(1, "seed"), rules);
    this.listener = listener;
  }

  /// A decision in words, and everything behind it.
  public record Told(String pod, String decision, Examination examined) {}

  /// Whether this is the first line of a journal.
  public static boolean isHead(Tree line) {
    return line.number(0, "journal") == 1;
  }

  private static SchedulerConfiguration configuration(Tree head) {
    var config = head.tree("config");
    var read =
        config == null ? SchedulerConfiguration.DEFAULT : SchedulerConfigurationReader.read(config);
    var name = head.textOrEmpty("schedulerName");
    return name.isEmpty() ? read : read.withSchedulerName(name);
  }

  /// What came of it.
  public record Outcome(int decisions, int ties, List<String> differences) {}

  public Outcome outcome() {
    return new Outcome(decisions, ties, List.copyOf(differences));
  }

  /// Takes one line after the first.
  public void take(Tree line) {
    if (line.get("put") instanceof Tree object) {
      put(object);
    } else if (line.has("removed")) {
      remove(line.textOrEmpty("removed"));
    } else if (line.has("decided")) {
      decide(line, engine::decide);
    } else if (line.has("group")) {
      decideGroup(line.trees("group"));
    } else if (line.has("assumed")) {
      assume(pod(line.textOrEmpty("assumed")), line.textOrEmpty("node"));
    } else if (line.has("forgotten")) {
      forget(line.textOrEmpty("forgotten"));
    } else if (line.has("nominated")) {
      nominate(line.textOrEmpty("nominated"), line.textOrEmpty("node"));
    } else {
      throw new IllegalArgumentException("no line of a journal: " + line);
    }
  }

  private void put(Tree object) {
    var kind = object.textOrEmpty("kind");
    if (kind.equals(Pod.KIND)) {
      putPod(object);
    } else {
      ClusterKind.find(kind).ifPresent(found -> engine.put(found.read(object)));
    }
  }

  private void putPod(Tree object) {
    var pod = PodReader.read(object);
    pods.put(pod.key(), object);
    if (pod.isFinished()) {
      removePod(pod.key());
    } else if (!pod.nodeName().isEmpty()) {
      reservations.remove(pod.key());
      engine.put(pod);
    }
  }

  private void remove(String object) {
    var reference = ClusterObjects.reference(object);
    if (reference.kind().equals(Pod.KIND)) {
      removePod(reference.key());
    } else {
      engine.remove(reference);
    }
  }

  private void removePod(String key) {
    var object = pods.remove(key);
    release(key);
    if (object != null) {
      engine.remove(ObjectReference.pod(namespace(key), name(key)));
    }
  }

  private Pod pod(String key) {
    var object = pods.get(key);
    if (object == null) {
      throw new IllegalArgumentException(
          "the journal speaks of pod %s, which it does not hold".formatted(key));
    }
    return PodReader.read(object);
  }

  private void assume(Pod pod, String node) {
    var reservation = engine.reserve(pod, node);
    if (!reservation.isEmpty()) {
      reservations.put(pod.key(), reservation);
    }
    engine.assume(pod, node);
  }

  private void forget(String key) {
    release(key);
    engine.forget(namespace(key), name(key));
  }

  private void release(String key) {
    var reservation = reservations.remove(key);
    if (reservation != null) {
      engine.release(reservation);
    }
  }

  private void nominate(String key, String node) {
    if (node.isEmpty()) {
      engine.unnominate(namespace(key), name(key));
    } else {
      engine.nominate(pod(key), node);
    }
  }

  private void decide(Tree line, Function<Pod, Decision> decide) {
    decisions++;
    var pod = pod(line.textOrEmpty("decided"));
    if (!line.has("extended")) {
      compare(line, pod, decide.apply(pod), () -> engine.examine(pod));
    } else if (!line.treeOrEmpty("extended").isEmpty()) {
      var examined = engine.examine(pod, AnswersTree.read(line.treeOrEmpty("extended")));
      compare(line, pod, examined.decision(), () -> examined);
    }
  }

  // What is kept of a group's plan is assumed pod by pod, by lines of their own.
  private void decideGroup(List<Tree> members) {
    try (var plan = engine.plan()) {
      for (var line : members) {
        decide(line, plan::decide);
        if (line.has("node")) {
          plan.place(pod(line.textOrEmpty("decided")), line.textOrEmpty("node"));
        }
      }
    }
  }

  private void compare(Tree line, Pod pod, Decision decision, Supplier<Examination> examined) {
    var recorded = JournalLine.text(line);
    var again = JournalLine.text(pod, decision);
    if (listener != null) {
      listener.accept(new Told(pod.key(), again, examined.get()));
    }
    if (recorded.equals(again)) {
      return;
    }
    if (isTie(line, decision, examined)) {
      ties++;
    } else {
      differences.add("pod %s: recorded %s, now %s".formatted(pod.key(), recorded, again));
    }
  }

  private static boolean isTie(Tree line, Decision decision, Supplier<Examination> examined) {
    return switch (decision) {
      case Decision.Placed placed ->
          placed.feasible() == line.number(-1, "feasible")
              && examined.get().best().contains(line.textOrEmpty("node"));
      case Decision.Unschedulable no ->
          no.message().equals(line.textOrEmpty("message"))
              && isTie(line.treeOrEmpty("preempts"), examined.get().preemption());
      case Decision.Failed _ -> false;
    };
  }

  /// Whether evicting the recorded victims is as good as what is chosen now.
  private static boolean isTie(Tree preempts, @Nullable Preemption preemption) {
    var node = preempts.textOrEmpty("node");
    var candidate = preemption == null ? null : preemption.candidates().get(node);
    return preemption != null
        && candidate != null
        && preemption.chosen().contains(node)
        && candidate.victims().equals(preempts.list("victims"));
  }

  private static String namespace(String key) {
    return key.substring(0, key.indexOf('/'));
  }

  private static String name(String key) {
    return key.substring(key.indexOf('/') + 1);
  }
}
