package io.berth.answers.remedy;

import io.berth.answers.source.Manifest;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.codec.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Says a remedy as a patch and as one line for a POSIX shell that has kubectl and nothing else.
///
/// A pod that somebody made is changed where it was made; a bare one is replaced under its name.
final class Commands {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

  private static final Pattern REQUEST =
      Pattern.compile("/spec/template/spec/containers/(\\d+)/resources/requests/([^/]+)");

  /// Owners that make new pods by themselves when their template changes.
  private static final Set<String> ROLLING = Set.of("Deployment", "DaemonSet");

  /// Owners that use a new template for the next pod only.
  private static final Set<String> LAZY =
      Set.of("ReplicaSet", "StatefulSet", "ReplicationController");

  private final Question question;
  private final ObjectReference owner;
  private final @Nullable Manifest written;

  Commands(Question question) {
    this.question = question;
    this.owner = question.survey().topOwner(question.subject());
    this.written = question.survey().find(owner).orElse(null);
  }

  /// What [#patch] is to be applied to.
  @Nullable ObjectReference object(Remedy remedy) {
    return switch (remedy.target()) {
      case POD -> hasTemplate() ? owner : question.subject().source().reference();
      case NODE -> ObjectReference.node(nodeOf(remedy));
      case PODS -> null;
    };
  }

  /// What the remedy changes of its target; empty where it is not known or nothing to patch.
  List<Tree> patch(Remedy remedy) {
    return switch (remedy) {
      case Remedy.OfPod _ -> podPatch(remedy);
      case Remedy.OfNode _ -> nodePatch(remedy);
      case Remedy.Both(var first, _) ->
          first instanceof Remedy.OfNode ? nodePatch(remedy) : podPatch(remedy);
      case Remedy.AddNode _, Remedy.Evict _ -> List.of();
    };
  }

  @Nullable String command(Remedy remedy) {
    return switch (remedy) {
      case Remedy.OfPod _ -> podCommand(remedy);
      case Remedy.OfNode step -> step.command();
      case Remedy.AddNode _ -> null;
      case Remedy.Evict(var pods, _) -> evict(pods);
      case Remedy.Both(Remedy.OfPod _, _) -> podCommand(remedy);
      case Remedy.Both(var first, var second) -> {
        var one = command(first);
        var other = command(second);
        yield one == null || other == null ? null : one + " && " + other;
      }
    };
  }

  /// Of the owner's template; of the pod itself where that is not known.
  private List<Tree> podPatch(Remedy remedy) {
    var object = hasTemplate() ? written : question.subject().source();
    var path = templatePath(object == null ? "" : object.kind());
    var old = object == null ? null : spec(object.tree(), path);
    if (old == null) {
      return List.of();
    }
    var changed = old.copy();
    return edit(remedy, changed)
        ? PatchDiff.between(old, changed, "/" + String.join("/", path))
        : List.of();
  }

  private boolean hasTemplate() {
    return written != null && spec(written.tree(), templatePath(written.kind())) != null;
  }

  private static boolean edit(Remedy remedy, Tree spec) {
    return switch (remedy) {
      case Remedy.OfPod step -> step.editTemplate(spec);
      case Remedy.Both(var first, var second) -> edit(second, spec) && edit(first, spec);
      case Remedy.OfNode _, Remedy.AddNode _, Remedy.Evict _ -> false;
    };
  }

  private static List<String> templatePath(String kind) {
    return switch (kind) {
      case Pod.KIND -> List.of("spec");
      case "CronJob" -> List.of("spec", "jobTemplate", "spec", "template", "spec");
      default -> List.of("spec", "template", "spec");
    };
  }

  private static @Nullable Tree spec(Tree object, List<String> path) {
    return object.tree(path.toArray(String[]::new));
  }

  private List<Tree> nodePatch(Remedy remedy) {
    var name = nodeOf(remedy);
    var old = question.nodeTree(name);
    if (old.isEmpty()) {
      return List.of();
    }
    var changed = old.get().copy();
    editNode(remedy, changed);
    return PatchDiff.between(old.get(), changed, "");
  }

  private static String nodeOf(Remedy remedy) {
    return switch (remedy) {
      case Remedy.OfNode step -> step.node();
      case Remedy.Both(var first, _) -> nodeOf(first);
      default -> "";
    };
  }

  private static void editNode(Remedy remedy, Tree node) {
    switch (remedy) {
      case Remedy.OfNode step -> step.edit(node);
      case Remedy.Both(var first, var second) -> {
        editNode(first, node);
        editNode(second, node);
      }
      default -> {}
    }
  }

  private @Nullable String podCommand(Remedy remedy) {
    var patch = podPatch(remedy);
    if (patch.isEmpty() || !hasTemplate()) {
      return null;
    }
    var change = change(patch);
    return change == null ? null : classCommand(remedy) + change;
  }

  private @Nullable String change(List<Tree> patch) {
    var pod = question.pod();
    var delete =
        question.subject().isOfTemplate()
            ? ""
            : " && " + kubectl() + "delete pod " + quoted(pod.name());
    if (ROLLING.contains(owner.kind())) {
      return apply(owner, patch);
    }
    return switch (owner.kind()) {
      case Pod.KIND -> replace(owner, patch);
      case "Job" -> replace(owner, withoutWhatJobsAreGiven(patch));
      case "CronJob" -> apply(owner, patch) + again();
      default -> LAZY.contains(owner.kind()) ? apply(owner, patch) + delete : null;
    };
  }

  /// As short as kubectl has it: requests of one container have a command of their own.
  private String apply(ObjectReference object, List<Tree> patch) {
    var request = patch.size() == 1 ? REQUEST.matcher(patch.getFirst().textOrEmpty("path")) : null;
    return request != null && request.matches() && written != null
        ? setResources(object, request, patch.getFirst().textOrEmpty("value"), written)
        : patch(object, patch);
  }

  private String setResources(
      ObjectReference object, Matcher request, String amount, Manifest owner) {
    var containers = owner.tree().trees("spec", "template", "spec", "containers");
    var container = containers.get(Integer.parseInt(request.group(1))).textOrEmpty("name");
    return "%sset resources %s %s%s --requests=%s"
        .formatted(
            kubectl(),
            object.kind().toLowerCase(Locale.ROOT),
            quoted(object.name()),
            containers.size() == 1 ? "" : " -c " + quoted(container),
            quoted(request.group(2).replace("~1", "/") + "=" + amount));
  }

  private String patch(ObjectReference object, List<Tree> patch) {
    return "%spatch %s %s --type=json -p %s"
        .formatted(
            kubectl(),
            object.kind().toLowerCase(Locale.ROOT),
            quoted(object.name()),
            quoted(Json.text(new ArrayList<>(patch))));
  }

  private String replace(ObjectReference object, List<Tree> patch) {
    return patch(object, patch)
        + " --dry-run=client -o json | "
        + kubectl()
        + "replace --force -f -";
  }

  // A Job gets its selector and the labels that go with it when it is made.
  private List<Tree> withoutWhatJobsAreGiven(List<Tree> patch) {
    var all = new ArrayList<>(patch);
    var tree = written == null ? new Tree() : written.tree();
    if (tree.tree("spec", "selector") != null && !tree.flag("spec", "manualSelector")) {
      all.add(Tree.of("op", "remove", "path", "/spec/selector"));
      for (var label : List.of("batch.kubernetes.io/controller-uid", "controller-uid")) {
        if (tree.text("spec", "template", "metadata", "labels", label) != null) {
          var path = "/spec/template/metadata/labels/" + label.replace("/", "~1");
          all.add(Tree.of("op", "remove", "path", path));
        }
      }
    }
    return all;
  }

  /// The Job of a CronJob is made anew, of its new template.
  private String again() {
    var controller = question.pod().controller();
    if (question.subject().isOfTemplate() || controller == null) {
      return "";
    }
    var job = quoted(controller.name());
    return " && %sdelete job %s && %screate job %s --from=cronjob/%s"
        .formatted(kubectl(), job, kubectl(), job, quoted(owner.name()));
  }

  private String classCommand(Remedy remedy) {
    if (remedy instanceof Remedy.Both(var first, var second)) {
      return classCommand(first) + classCommand(second);
    }
    return remedy instanceof Priorities.Raise raise && raise.known() == null
        ? "kubectl create priorityclass %s --value=%d && "
            .formatted(raise.className(), raise.value())
        : "";
  }

  private static String evict(List<String> pods) {
    var commands = new ArrayList<String>();
    for (var key : pods) {
      int slash = key.indexOf('/');
      commands.add(
          "kubectl -n %s delete pod %s"
              .formatted(quoted(key.substring(0, slash)), quoted(key.substring(slash + 1))));
    }
    return String.join(" && ", commands);
  }

  private String kubectl() {
    return "kubectl -n " + quoted(question.pod().namespace()) + " ";
  }

  /// The word as a shell reads it.
  static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
