package io.berth.answers.remedy;

import io.berth.answers.source.SurveyedPod;
import io.berth.api.CsiNode;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.PodStatus;
import io.berth.api.Tree;
import io.berth.codec.NodeReader;
import io.berth.codec.PodReader;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Plan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Takes remedies on an engine, one at a time, and takes them back.
final class Trial {

  private static final int SMALL = 100;

  private final Question question;
  private final Engine engine;
  private int count;

  Trial(Question question, Engine engine) {
    this.question = question;
    this.engine = engine;
  }

  /// Where the pod goes, and who goes for it.
  record Landing(String node, List<String> evicts) {}

  /// How many remedies were tried on all nodes.
  int count() {
    return count;
  }

  Optional<Landing> attempt(Remedy remedy) {
    try (var plan = engine.plan()) {
      var attempt = new Attempt(plan);
      if (!attempt.apply(remedy)) {
        return Optional.empty();
      }
      var pod = PodReader.read(attempt.pod);
      // In a large cluster it is first asked whether the node itself takes the pod, which is cheap.
      if (question.nodes().size() > SMALL && !attempt.nodes.isEmpty() && !attempt.fits(pod)) {
        return Optional.empty();
      }
      count++;
      return landing(plan.decide(pod), remedy, attempt.evicted);
    }
  }

  private static Optional<Landing> landing(Decision decision, Remedy remedy, List<String> evicted) {
    if (decision instanceof Decision.Placed(var node, _)) {
      return Optional.of(new Landing(node, evicted));
    }
    // Only who asks for priority means others to make room.
    if (asksForPriority(remedy)
        && decision instanceof Decision.Unschedulable no
        && no.preemption() != null
        && no.preemption().node() != null) {
      var node = no.preemption().node();
      var candidate = no.preemption().candidates().get(node);
      return Optional.of(new Landing(node, candidate == null ? List.of() : candidate.victims()));
    }
    return Optional.empty();
  }

  private static boolean asksForPriority(Remedy remedy) {
    return remedy instanceof Priorities.Raise
        || (remedy instanceof Remedy.Both(var first, var second)
            && (asksForPriority(first) || asksForPriority(second)));
  }

  /// What has been changed so far: several steps may change one object.
  private final class Attempt {

    private final Plan plan;
    private final Tree pod = question.subject().tree().copy();
    private final Map<String, Tree> nodes = new HashMap<>();
    private final List<String> evicted = new ArrayList<>();

    Attempt(Plan plan) {
      this.plan = plan;
    }

    boolean apply(Remedy remedy) {
      return switch (remedy) {
        case Remedy.OfPod step -> step.edit(pod.child("spec"));
        case Remedy.OfNode step -> change(step);
        case Remedy.AddNode(var like) -> addNode(like);
        case Remedy.Evict(var pods, _) -> evict(pods);
        // The second is the later of a list, and must not find its place taken.
        case Remedy.Both(var first, var second) -> apply(second) && apply(first);
      };
    }

    /// Whether a node that was changed takes the pod.
    boolean fits(Pod asked) {
      return nodes.keySet().stream().anyMatch(node -> plan.fits(asked, node));
    }

    private boolean change(Remedy.OfNode step) {
      var written = question.nodeTree(step.node());
      if (written.isEmpty()) {
        return false;
      }
      var node = nodes.computeIfAbsent(step.node(), _ -> written.get().copy());
      step.edit(node);
      plan.put(NodeReader.read(node));
      return true;
    }

    private boolean addNode(String like) {
      var tree = question.nodeTree(like);
      if (tree.isEmpty()) {
        return false;
      }
      var name = "one-more-like-" + like;
      plan.put(NodeReader.read(another(tree.get().copy(), name)));
      for (var object : question.survey().surroundings()) {
        if (object instanceof CsiNode csi && csi.name().equals(like)) {
          plan.put(new CsiNode(name, csi.limits(), csi.migratedPlugins()));
        }
      }
      return true;
    }

    /// A node of another name that has just come: open, and with no taint of Kubernetes' own.
    private static Tree another(Tree node, String name) {
      var meta = node.child("metadata");
      meta.put("name", name);
      if (meta.treeOrEmpty("labels").has(MoreNodes.HOSTNAME)) {
        meta.child("labels").put(MoreNodes.HOSTNAME, name);
      }
      var spec = node.child("spec");
      spec.remove("unschedulable");
      if (spec.has("taints")) {
        spec.childList("taints")
            .removeIf(each ->
                each instanceof Tree taint
                    && taint.textOrEmpty("key").startsWith(Tolerations.BY_KUBERNETES));
      }
      return node;
    }

    /// Evicts within budgets; what owners make anew takes its place before the pod does.
    private boolean evict(List<String> keys) {
      if (!plan.exceedingBudgets(keys).isEmpty()) {
        return false;
      }
      var victims = new ArrayList<SurveyedPod>();
      for (var key : keys) {
        int slash = key.indexOf('/');
        var found = question.survey().findPod(key.substring(0, slash), key.substring(slash + 1));
        if (found.isEmpty() || isOfNode(found.get().pod())) {
          return false;
        }
        victims.add(found.get());
        plan.remove(ObjectReference.pod(found.get().pod().namespace(), found.get().pod().name()));
      }
      victims.sort(
          Comparator.<SurveyedPod>comparingInt(each -> -each.pod().priority())
              .thenComparing(each -> each.pod().key()));
      victims.stream()
          .filter(each -> each.pod().controller() != null)
          .forEach(each -> {
            var anew = each.pod().withNodeName("").withStatus(PodStatus.NONE);
            if (plan.decide(anew) instanceof Decision.Placed(var node, _)) {
              plan.place(anew, node);
            }
          });
      evicted.addAll(keys);
      return true;
    }

    // A static pod comes back where it was.
    private static boolean isOfNode(Pod pod) {
      return pod.controller() != null && pod.controller().kind().equals("Node");
    }
  }
}
