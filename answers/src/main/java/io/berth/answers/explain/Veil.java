package io.berth.answers.explain;

import io.berth.answers.explain.Obstruction.Shortage;
import io.berth.answers.explain.Obstruction.Source;
import io.berth.answers.explain.PodExplanation.Opening;
import io.berth.answers.remedy.Suggestion;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Takes out of an answer what its reader may not see, and leaves that something is there: reasons,
/// counts and verdicts stay as they are.
///
/// Suggestions that cannot be followed without a hidden name are left out.
final class Veil {

  static final String POD = "a pod you may not see";
  static final String NODE = "a node you may not see";

  // Names of pods, with their namespaces, and of nodes are such words.
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]([-./A-Za-z0-9]*[A-Za-z0-9])?");

  private final PodExplanation answer;
  private final Sight sight;
  private final Set<String> hiddenPods = new HashSet<>();
  private final Set<String> hiddenNodes = new HashSet<>();

  private Veil(PodExplanation answer, Sight sight) {
    this.answer = answer;
    this.sight = sight;
    hide(answer);
  }

  static PodExplanation over(PodExplanation answer, Sight sight) {
    return new Veil(answer, sight).veiled();
  }

  private void hide(PodExplanation all) {
    hideNodes(List.of(all.node(), all.preemption().textOrEmpty("node")));
    hidePods(all.preemption().list("victims").stream().map(String::valueOf).toList());
    if (all.opening() != null) {
      hideNodes(List.of(all.opening().node()));
      hidePods(all.opening().without());
    }
    for (var cause : all.causes()) {
      hideNodes(cause.nodes());
      hidePods(cause.blame());
      hidePods(isOfPod(cause) ? List.of(cause.source().name()) : List.of());
    }
    for (var suggestion : all.suggestions()) {
      hideNodes(List.of(suggestion.lands()));
      hidePods(suggestion.evicts());
    }
  }

  private void hideNodes(List<String> names) {
    if (!sight.nodes()) {
      hiddenNodes.addAll(names);
    }
  }

  private void hidePods(List<String> keys) {
    keys.stream().filter(key -> !sight.pod(key)).forEach(hiddenPods::add);
  }

  private static boolean isOfPod(Obstruction cause) {
    return cause.source().kind().equals("pod");
  }

  private PodExplanation veiled() {
    return new PodExplanation(
        answer.pod(),
        answer.verdict(),
        node(answer.node()),
        answer.complete(),
        answer.unread(),
        answer.revision(),
        text(answer.message()),
        answer.nodes(),
        opening(answer.opening()),
        answer.causes().stream().map(this::cause).toList(),
        answer.suggestions().stream().filter(this::canBeFollowed).map(this::suggestion).toList(),
        preemption(answer.preemption()),
        sight.nodes() ? answer.scores() : List.of());
  }

  private Obstruction cause(Obstruction cause) {
    boolean hidden = isOfPod(cause) && hiddenPods.contains(cause.source().name());
    return new Obstruction(
        cause.rule(),
        cause.reason(),
        cause.field(),
        hidden ? new Source("pod", POD) : cause.source(),
        // Whom a stranger avoids is written in its own manifest.
        hidden ? POD + " keeps it away" : text(cause.why()),
        nodes(cause.nodes()),
        cause.first(),
        pods(cause.blame()),
        shortage(cause.shortage()));
  }

  private @Nullable Shortage shortage(@Nullable Shortage shortage) {
    return shortage == null
        ? null
        : new Shortage(
            shortage.resource(),
            shortage.asked(),
            shortage.freeUnits(),
            shortage.free(),
            node(shortage.node()));
  }

  private @Nullable Opening opening(@Nullable Opening opening) {
    return opening == null ? null : new Opening(node(opening.node()), pods(opening.without()));
  }

  private boolean canBeFollowed(Suggestion suggestion) {
    return suggestion.evicts().stream().noneMatch(hiddenPods::contains)
        && !namesHidden(suggestion.what())
        && !namesHidden(String.valueOf(suggestion.patch()))
        && (suggestion.command() == null || !namesHidden(suggestion.command()));
  }

  private Suggestion suggestion(Suggestion suggestion) {
    return new Suggestion(
        suggestion.target(),
        suggestion.what(),
        suggestion.size(),
        suggestion.object(),
        suggestion.patch(),
        suggestion.command(),
        node(suggestion.lands()),
        suggestion.evicts());
  }

  private Tree preemption(Tree preemption) {
    if (preemption.isEmpty()) {
      return preemption;
    }
    var victims = preemption.list("victims").stream().map(String::valueOf).toList();
    return Tree.of("node", node(preemption.textOrEmpty("node")), "victims", pods(victims));
  }

  private String node(String name) {
    return sight.nodes() || name.isEmpty() ? name : NODE;
  }

  private List<String> nodes(List<String> names) {
    return sight.nodes() || names.isEmpty() ? names : List.of(NODE);
  }

  /// Several that are hidden are one entry: how many strangers there are is nobody's business.
  private List<String> pods(List<String> keys) {
    var shown = new LinkedHashSet<String>();
    keys.forEach(key -> shown.add(sight.pod(key) ? key : POD));
    return new ArrayList<>(shown);
  }

  private boolean namesHidden(String text) {
    return !text(text).equals(text);
  }

  private String text(String text) {
    return WORD.matcher(text)
        .replaceAll(found -> {
          var word = found.group();
          return hiddenPods.contains(word) ? POD : hiddenNodes.contains(word) ? NODE : word;
        });
  }
}
