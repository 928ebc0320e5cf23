package io.berth.controllers.kubelet;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.kubelet.Admission.Rejection;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Meta;
import java.util.List;

/// The events a kubelet records about pods, in its words.
final class KubeletEvents {

  private final Events events;

  KubeletEvents(Events events) {
    this.events = events;
  }

  void started(Tree pod, NodeAgent agent, String container) {
    var source = source(agent);
    var involved = reference(pod, container);
    var image = "";
    for (var list : List.of("containers", "initContainers", "ephemeralContainers")) {
      for (var candidate : pod.trees("spec", list)) {
        if (candidate.textOrEmpty("name").equals(container)) {
          image = candidate.textOrEmpty("image");
        }
      }
    }
    source.record(
        involved,
        "Normal",
        "Pulled",
        "Container image \"%s\" already present on machine".formatted(image));
    source.record(involved, "Normal", "Created", "Container created");
    source.record(involved, "Normal", "Started", "Container started");
  }

  void killing(Tree pod, NodeAgent agent) {
    for (var container : pod.trees("spec", "containers")) {
      var name = container.textOrEmpty("name");
      source(agent)
          .record(
              reference(pod, name), "Normal", "Killing", "Stopping container %s".formatted(name));
    }
  }

  void rejected(Tree pod, NodeAgent agent, Rejection rejection) {
    source(agent).warning(Resource.PODS, pod, rejection.reason(), rejection.message());
  }

  void preempting(Tree pod, NodeAgent agent) {
    source(agent)
        .warning(Resource.PODS, pod, "Preempting", "Preempted in order to admit critical pod");
  }

  private Events.Source source(NodeAgent agent) {
    return events.from("kubelet", Meta.name(agent.node()));
  }

  private static Tree reference(Tree pod, String container) {
    var list = "containers";
    for (var candidate : pod.trees("spec", "initContainers")) {
      if (candidate.textOrEmpty("name").equals(container)) {
        list = "initContainers";
      }
    }
    return Tree.of("kind", "Pod", "namespace", Meta.namespace(pod))
        .put("name", Meta.name(pod))
        .put("uid", Meta.uid(pod))
        .put("apiVersion", "v1")
        .put("resourceVersion", Meta.revision(pod))
        .put("fieldPath", "spec.%s{%s}".formatted(list, container));
  }
}
