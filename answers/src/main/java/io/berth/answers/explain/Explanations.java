package io.berth.answers.explain;

import io.berth.answers.explain.PodExplanation.Opening;
import io.berth.answers.remedy.Question;
import io.berth.answers.remedy.Suggester;
import io.berth.answers.remedy.Suggestion;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Explanation;
import io.berth.engine.Plan;
import io.berth.engine.Preemption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Explains pods of a survey, on one engine that is left as it was after each.
///
/// One thread owns it.
public final class Explanations {

  private final Survey survey;
  private final Engine engine;
  private final @Nullable Plan within;
  private final Prospects prospects;

  public Explanations(Survey survey) {
    this(survey, survey.engine());
  }

  /// With an engine that knows the survey, and perhaps pods beyond it.
  public Explanations(Survey survey, Engine engine) {
    this(survey, engine, null);
  }

  /// While a plan over the engine is open: it is left as it was too. Nothing can be suggested then.
  public Explanations(Survey survey, Engine engine, @Nullable Plan within) {
    this.survey = survey;
    this.engine = engine;
    this.within = within;
    this.prospects = new Prospects(survey);
  }

  /// What is wanted beside the causes. `elsewhere` asks of a pod that has a node why not on others.
  public record Wish(boolean suggestions, boolean scores, boolean elsewhere) {

    public static final Wish CAUSES = new Wish(false, false, false);
    public static final Wish SUGGESTIONS = new Wish(true, false, false);
    public static final Wish ALL = new Wish(true, true, true);
  }

  public PodExplanation explain(SurveyedPod subject, Wish wish) {
    var pod = subject.pod();
    var draft = new Draft(survey, pod, engine.nodeCount());
    if (!pod.nodeName().isEmpty()) {
      return bound(pod, draft, wish);
    }
    if (!survey.isServed(pod)) {
      return draft.plain(Outlook.UNSERVED, unserved(pod));
    }
    if (!pod.spec().schedulingGates().isEmpty()) {
      return draft.plain(Outlook.GATED, "Scheduling is blocked due to non-empty scheduling gates");
    }
    engine.unnominate(pod.namespace(), pod.name());
    try {
      return waiting(subject, draft, wish);
    } finally {
      if (!pod.status().nominatedNodeName().isEmpty()) {
        engine.nominate(pod, pod.status().nominatedNodeName());
      }
    }
  }

  private PodExplanation waiting(SurveyedPod subject, Draft draft, Wish wish) {
    var pod = subject.pod();
    var explanation = engine.explain(pod);
    draft.causes = Obstructions.of(pod, explanation);
    return switch (explanation.decision()) {
      case Decision.Placed(var node, _) -> {
        draft.node = node;
        draft.scores = scores(pod, wish);
        yield draft.plain(Outlook.FITS, "");
      }
      case Decision.Failed(var error) -> draft.plain(Outlook.FAILED, error);
      case Decision.Unschedulable no -> {
        draft.preemption = preemption(no.preemption());
        planning(plan -> draft.opening = new Openings(plan, explanation).find(pod));
        draft.suggestions = suggestions(subject, explanation, wish);
        boolean ever = prospects.canEverFit(pod);
        yield draft.plain(ever ? Outlook.NOT_NOW : Outlook.NEVER, no.message());
      }
    };
  }

  private void planning(Consumer<Plan> question) {
    var open = within;
    if (open == null) {
      try (var plan = engine.plan()) {
        question.accept(plan);
      }
      return;
    }
    int mark = open.checkpoint();
    try {
      question.accept(open);
    } finally {
      open.rollback(mark);
    }
  }

  private List<Suggestion> suggestions(SurveyedPod subject, Explanation found, Wish wish) {
    return wish.suggestions()
        ? Suggester.find(new Question(survey, subject, found), engine)
        : List.of();
  }

  /// Judged now, without the pod itself.
  private PodExplanation bound(Pod pod, Draft draft, Wish wish) {
    draft.node = pod.nodeName();
    if (survey.isServed(pod) && (wish.scores() || wish.elsewhere())) {
      planning(plan -> {
        plan.remove(pod.reference());
        var unbound = pod.withNodeName("");
        draft.causes = Obstructions.of(unbound, engine.explain(unbound));
        draft.scores = scores(unbound, wish);
      });
    }
    return draft.plain(Outlook.BOUND, "judged now, without the pod itself");
  }

  private List<ScoreSheet> scores(Pod pod, Wish wish) {
    return wish.scores() ? ScoreSheets.of(engine.examineWithSummands(pod)) : List.of();
  }

  private String unserved(Pod pod) {
    var names =
        survey.settings().configuration().profiles().stream()
            .map(profile -> profile.schedulerName())
            .toList();
    return "no scheduler is called \"%s\"; there %s %s"
        .formatted(
            pod.spec().schedulerName(), names.size() == 1 ? "is" : "are", String.join(", ", names));
  }

  private static Tree preemption(@Nullable Preemption preemption) {
    var tree = new Tree();
    if (preemption != null && preemption.node() != null) {
      var candidate = preemption.candidates().get(preemption.node());
      tree.put("node", preemption.node());
      tree.put("victims", candidate == null ? List.of() : candidate.victims());
    }
    return tree;
  }

  /// What is known of an answer so far.
  private static final class Draft {
    private final Survey survey;
    private final Pod pod;
    private final int nodes;
    private String node = "";
    private @Nullable Opening opening;
    private List<Obstruction> causes = List.of();
    private List<Suggestion> suggestions = List.of();
    private Tree preemption = new Tree();
    private List<ScoreSheet> scores = List.of();

    Draft(Survey survey, Pod pod, int nodes) {
      this.survey = survey;
      this.pod = pod;
      this.nodes = nodes;
    }

    PodExplanation plain(Outlook outlook, String message) {
      var unread = new ArrayList<>(survey.unread());
      if (pod.group() != null) {
        unread.add(
            "the other pods of group %s: it is judged by itself".formatted(pod.group().name()));
      }
      return new PodExplanation(
          pod.key(),
          outlook,
          node,
          unread.isEmpty(),
          unread,
          survey.settings().revision(),
          message,
          nodes,
          opening,
          causes,
          suggestions,
          preemption,
          scores);
    }
  }
}
