package io.berth.server.registry;

import io.berth.admission.Attributes;
import io.berth.admission.Operation;
import io.berth.api.ApiException;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.meta.Names;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `POST …/pods/{name}/binding`: gives a pod its node, once.
final class BindPod {

  private final Storage storage;

  BindPod(Storage storage) {
    this.storage = storage;
  }

  void bind(String namespace, String name, Tree binding, Context context) {
    Metadata.checkPlace(namespace, binding);
    var attributes =
        new Attributes(
            Operation.CREATE,
            Resource.PODS,
            "binding",
            namespace,
            name,
            binding,
            null,
            context.user(),
            context.dryRun(),
            Resource.PODS,
            context.options().tree("CreateOptions"));
    storage.mutate(attributes, context);
    if (!binding.textOrEmpty("metadata", "name").equals(name)) {
      throw ApiException.badRequest("name in URL does not match name in Binding object");
    }
    check(binding);
    var key = storage.key(Resource.PODS, namespace, name);
    storage.review(attributes, context);
    storage.transact(
        Resource.PODS,
        transaction -> {
          var current =
              transaction.find(key).orElseThrow(() -> ApiException.notFound(Resource.PODS, name));
          storage.admission().validate(attributes, storage.lookup(transaction));
          var pod = bound(current.object(), binding, context);
          return context.dryRun() ? current : transaction.put(key, pod);
        });
    storage.written(Resource.PODS);
  }

  /// As in Kubernetes, these come as errors of the server without a reason.
  private static void check(Tree binding) {
    var errors = new FieldErrors();
    var target = FieldPath.of("target");
    var kind = binding.textOrEmpty("target", "kind");
    if (!kind.isEmpty() && !kind.equals("Node")) {
      errors.notSupported(target.child("kind"), kind, List.of("Node", "<empty>"));
    }
    var node = binding.textOrEmpty("target", "name");
    if (node.isEmpty()) {
      errors.required(target.child("name"));
    } else {
      for (var problem : Names.dnsSubdomain(node)) {
        errors.invalid(target.child("name"), node, problem);
      }
    }
    if (!errors.isEmpty()) {
      throw new ApiException(500, "", errors.message());
    }
  }

  private static Tree bound(Tree old, Tree binding, Context context) {
    var meta = binding.treeOrEmpty("metadata");
    var name = old.textOrEmpty("metadata", "name");
    checkPrecondition("UID", meta.text("uid"), old.textOrEmpty("metadata", "uid"), old);
    checkPrecondition(
        "ResourceVersion",
        meta.text("resourceVersion"),
        old.textOrEmpty("metadata", "resourceVersion"),
        old);
    if (old.at("metadata", "deletionTimestamp") != null) {
      throw refused(name, "pod %s is being deleted, cannot be assigned to a host".formatted(name));
    }
    var node = old.textOrEmpty("spec", "nodeName");
    if (!node.isEmpty()) {
      throw refused(name, "pod %s is already assigned to node \"%s\"".formatted(name, node));
    }
    if (!old.list("spec", "schedulingGates").isEmpty()) {
      throw refused(name, "pod %s has non-empty .spec.schedulingGates".formatted(name));
    }
    var pod = old.shallowCopy();
    thawed(pod, "spec").put("nodeName", binding.textOrEmpty("target", "name"));
    thawed(pod, "status").remove("nominatedNodeName");
    copyInto(pod, binding, "annotations");
    copyInto(pod, binding, "labels");
    setScheduled(pod, context);
    return pod;
  }

  /// The object in this field to be changed; all others stay those of the pod that was stored.
  private static Tree thawed(Tree tree, String field) {
    var child = tree.child(field);
    if (!child.isFrozen()) {
      return child;
    }
    var copy = child.shallowCopy();
    tree.put(field, copy);
    return copy;
  }

  private static void copyInto(Tree pod, Tree binding, String field) {
    var texts = binding.texts("metadata", field);
    if (!texts.isEmpty()) {
      var own = thawed(thawed(pod, "metadata"), field);
      texts.forEach(own::put);
    }
  }

  private static void setScheduled(Tree pod, Context context) {
    var conditions = new ArrayList<@Nullable Object>();
    Tree scheduled = null;
    for (var condition : pod.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("PodScheduled")) {
        scheduled = condition;
      }
      conditions.add(condition);
    }
    if (scheduled != null && scheduled.textOrEmpty("status").equals("True")) {
      return;
    }
    conditions.remove(scheduled);
    var condition =
        Tree.of(
            "type",
            "PodScheduled",
            "status",
            "True",
            "lastProbeTime",
            null,
            "lastTransitionTime",
            Metadata.time(context.now()));
    conditions.add(condition);
    pod.child("status").put("conditions", conditions);
  }

  private static void checkPrecondition(
      String what, @Nullable String wanted, String actual, Tree pod) {
    if (wanted == null || wanted.isEmpty() || wanted.equals(actual)) {
      return;
    }
    var name = pod.textOrEmpty("metadata", "name");
    throw ApiException.conflict(
        Resource.PODS,
        name,
        "StorageError: invalid object, Code: 4, Key: /registry/pods/%s/%s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: %s in precondition: %s, %s in object meta: %s"
            .formatted(pod.textOrEmpty("metadata", "namespace"), name, what, wanted, what, actual));
  }

  private static ApiException refused(String name, String why) {
    return new ApiException(
        409,
        "Conflict",
        "Operation cannot be fulfilled on pods/binding \"%s\": %s".formatted(name, why),
        Tree.of("name", name, "kind", "pods/binding"));
  }
}
