package io.berth.kinds.core;

import io.berth.api.FieldPath;
import io.berth.api.QosClass;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `pods/resize`: cpu and memory of a pod that exists.
///
/// Mirrors: registry/core/pod.podResizeStrategy, core/validation.ValidatePodResize
final class PodResizeRules implements UpdateRules {

  @Override
  public void prepareForUpdate(Tree pod, Tree old, Write write) {
    keepAllButResources(pod, old);
    PodStrategy.keepPodResources(pod, old);
    PodLevelDefaults.apply(pod.child("spec"));
    Fields.countGeneration(pod, old, "spec");
  }

  private static void keepAllButResources(Tree pod, Tree old) {
    var spec = pod.child("spec");
    for (var list : List.of("containers", "initContainers")) {
      if (spec.trees(list).size() != old.trees("spec", list).size()) {
        return; // validation says so
      }
    }
    var containers = merged(spec.trees("containers"), old.trees("spec", "containers"));
    var initContainers = merged(spec.trees("initContainers"), old.trees("spec", "initContainers"));
    var resources = spec.get("resources");
    Fields.keep(pod, old, "spec");
    Fields.keep(pod, old, "status");
    Fields.keepMetadata(pod, old);
    var kept = pod.child("spec");
    kept.put("containers", containers);
    if (!initContainers.isEmpty()) {
      kept.put("initContainers", initContainers);
    }
    kept.remove("resources");
    if (resources != null) {
      kept.put("resources", resources);
    }
  }

  private static List<Tree> merged(List<Tree> containers, List<Tree> old) {
    var merged = new ArrayList<Tree>();
    for (int i = 0; i < containers.size(); i++) {
      var container = containers.get(i);
      if (!container.textOrEmpty("name").equals(old.get(i).textOrEmpty("name"))) {
        return new ArrayList<>(containers);
      }
      var kept = old.get(i).copy();
      Fields.keep(kept, container, "resources");
      Fields.keep(kept, container, "resizePolicy");
      merged.add(kept);
    }
    return merged;
  }

  @Override
  public void validateUpdate(Cursor pod, Tree old) {
    var errors = pod.errors();
    if (old.texts("metadata", "annotations").containsKey(PodAnnotations.MIRROR)) {
      errors.forbidden(FieldPath.of(""), "static pods cannot be resized");
      return;
    }
    if (old.textOrEmpty("spec", "os", "name").equals("windows")) {
      errors.forbidden(FieldPath.of(""), "windows pods cannot be resized");
      return;
    }
    int before = errors.size();
    ObjectMeta.validateUpdate(pod, old);
    PodStrategy.validateMetadataAndSpec(pod, PodOptions.forPod(old));
    var spec = pod.at("spec");
    var oldClass = old.textOrEmpty("status", "qosClass");
    if (!(oldClass.isEmpty() ? QosClass.of(old.treeOrEmpty("spec")).word() : oldClass)
        .equals(QosClass.of(spec.tree()).word())) {
      spec.invalid(
          pod.at("status").text("qosClass"),
          "Pod QOS Class may not change as a result of resizing");
    }
    if (!isSupported(old)) {
      spec.forbidden("Pod running on node without support for resize");
    }
    podResources(spec, old.tree("spec", "resources"));
    if (ordering(spec, old.treeOrEmpty("spec"))) {
      contents(spec, old.treeOrEmpty("spec"));
      if (errors.size() == before && !isResizeOnlySpec(spec.tree(), old.treeOrEmpty("spec"))) {
        spec.forbidden("only cpu and memory resources are mutable");
      }
    }
  }

  private static boolean isSupported(Tree old) {
    for (var status : old.trees("status", "containerStatuses")) {
      if (status.at("state", "running") != null) {
        return status.get("resources") != null;
      }
    }
    return true;
  }

  private static void podResources(Cursor spec, @Nullable Tree before) {
    var resources = spec.at("resources");
    if (!resources.isSet()) {
      if (before != null) {
        resources.forbidden("pod-level resources cannot be removed");
      }
      return;
    }
    for (var list : resources.fields("requests", "limits")) {
      if (before != null && isRemoved(list.treeOrNull(), before.tree(list.name()))) {
        list.forbidden("pod-level resource " + list.name() + " cannot be removed");
      }
    }
    if (!Fields.isSame(withoutCpuAndMemory(resources.tree()), withoutCpuAndMemory(before))) {
      spec.forbidden("only cpu and memory resources are mutable at pod-level");
    }
  }

  private static boolean isRemoved(@Nullable Tree list, @Nullable Tree old) {
    return old != null && !(list == null ? new Tree() : list).names().containsAll(old.names());
  }

  private static boolean ordering(Cursor spec, Tree old) {
    boolean same = true;
    for (var list : spec.fields("containers", "initContainers")) {
      var kept = old.trees(list.name());
      if (list.list().size() != kept.size()) {
        list.forbidden(list.name() + " may not be added or removed on resize");
        same = false;
        continue;
      }
      for (var container : list.each()) {
        if (!container.text("name").equals(kept.get(container.index()).textOrEmpty("name"))) {
          container
              .at("name")
              .forbidden(list.name() + " may not be renamed or reordered on resize");
          same = false;
        }
      }
    }
    return same;
  }

  private static void contents(Cursor spec, Tree old) {
    var oldInit = old.trees("initContainers");
    var oldContainers = old.trees("containers");
    spec.each("initContainers", each -> removals(each, oldInit.get(each.index())));
    spec.each("containers", each -> removals(each, oldContainers.get(each.index())));
    for (var container : spec.each("containers")) {
      if (!isResizeOnly(container.tree(), oldContainers.get(container.index()))) {
        spec.forbidden("only cpu and memory resources are mutable");
      }
    }
    spec.each("initContainers", each -> initContainer(each, oldInit.get(each.index())));
  }

  private static void removals(Cursor container, Tree old) {
    for (var list : container.at("resources").fields("requests", "limits")) {
      if (isRemoved(list.treeOrNull(), old.tree("resources", list.name()))) {
        list.forbidden("resource " + list.name() + " cannot be removed");
      }
    }
  }

  private static void initContainer(Cursor container, Tree old) {
    if (!isResizeOnly(container.tree(), old)) {
      container.forbidden(
          "only cpu and memory resources for init or sidecar containers are mutable");
    }
    boolean sidecar = container.text("restartPolicy").equals("Always");
    if (!sidecar && !Fields.isSame(container.tree(), old)) {
      for (var policy : container.each("resizePolicy")) {
        if (policy.text("restartPolicy").equals("RestartContainer")) {
          container.forbidden(
              "non-sidecar init containers with a resize policy of RestartContainer cannot be"
                  + " resized");
        }
      }
    }
  }

  private static boolean isResizeOnly(Tree container, Tree old) {
    var a = container.copy();
    var b = old.copy();
    a.put("resources", withoutCpuAndMemory(container.tree("resources")));
    b.put("resources", withoutCpuAndMemory(old.tree("resources")));
    return Fields.isSame(a, b);
  }

  private static boolean isResizeOnlySpec(Tree spec, Tree old) {
    var rest = spec.copy();
    for (var field : List.of("containers", "initContainers", "resources")) {
      Fields.keep(rest, old, field);
    }
    return Fields.isSame(rest, old);
  }

  private static Tree withoutCpuAndMemory(@Nullable Tree resources) {
    var copy = resources == null ? new Tree() : resources.copy();
    for (var list : List.of("requests", "limits")) {
      if (copy.get(list) instanceof Tree amounts) {
        amounts.remove("cpu");
        amounts.remove("memory");
        if (amounts.isEmpty()) {
          copy.remove(list);
        }
      }
    }
    return copy;
  }
}
