package io.berth.kinds.core;

import io.berth.api.ApiException;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `pods/binding`: a pod gets its node, once.
public final class PodBinding {

  private PodBinding() {}

  /// Refuses a binding that names no node. As in Kubernetes, this is a 500 without a reason.
  public static void validate(Tree binding) {
    var errors = new FieldErrors();
    var target = FieldPath.of("target");
    var kind = binding.textOrEmpty("target", "kind");
    if (!kind.isEmpty() && !kind.equals("Node")) {
      errors.notSupported(target.child("kind"), kind, List.of("Node", "<empty>"));
    }
    var name = binding.textOrEmpty("target", "name");
    if (Checks.required(target.child("name"), name, errors)
        && (kind.isEmpty() || kind.equals("Node"))) {
      Checks.dnsSubdomain(target.child("name"), name, errors);
    }
    if (!errors.isEmpty()) {
      throw new ApiException(500, "", errors.message());
    }
  }

  /// Assigns the node of the binding to a mutable copy of the stored pod, or refuses with 409.
  public static void apply(Tree pod, Tree binding, Write write) {
    var name = pod.textOrEmpty("metadata", "name");
    var node = binding.textOrEmpty("target", "name");
    if (pod.at("metadata", "deletionTimestamp") != null) {
      throw conflict(name, "pod " + name + " is being deleted, cannot be assigned to a host");
    }
    var assigned = pod.textOrEmpty("spec", "nodeName");
    if (!assigned.isEmpty()) {
      throw conflict(name, "pod %s is already assigned to node \"%s\"".formatted(name, assigned));
    }
    if (!pod.list("spec", "schedulingGates").isEmpty()) {
      throw conflict(name, "pod " + name + " has non-empty .spec.schedulingGates");
    }
    pod.child("spec").put("nodeName", node);
    pod.child("status").remove("nominatedNodeName");
    merge(pod, binding, "annotations");
    merge(pod, binding, "labels");
    setScheduled(pod, write);
  }

  private static void merge(Tree pod, Tree binding, String field) {
    var added = binding.texts("metadata", field);
    if (!added.isEmpty()) {
      var kept = pod.child("metadata").child(field);
      added.forEach(kept::put);
    }
  }

  private static void setScheduled(Tree pod, Write write) {
    var now = write.now().truncatedTo(ChronoUnit.SECONDS).toString();
    var conditions = new ArrayList<@Nullable Object>(pod.list("status", "conditions"));
    var found =
        pod.trees("status", "conditions").stream()
            .filter(each -> each.textOrEmpty("type").equals("PodScheduled"))
            .findFirst();
    var transition = found.map(each -> each.textOrEmpty("status")).orElse("").equals("True");
    var condition =
        Tree.of(
            "type",
            "PodScheduled",
            "status",
            "True",
            "lastProbeTime",
            null,
            "lastTransitionTime",
            transition ? found.get().get("lastTransitionTime") : now);
    int at = found.map(conditions::indexOf).orElse(-1);
    if (at < 0) {
      conditions.add(condition);
    } else {
      conditions.set(at, condition);
    }
    pod.child("status").put("conditions", conditions);
  }

  private static ApiException conflict(String name, String why) {
    var binding = new Resource("", "v1", "pods/binding", "Binding", true);
    return ApiException.conflict(binding, name, why);
  }
}
