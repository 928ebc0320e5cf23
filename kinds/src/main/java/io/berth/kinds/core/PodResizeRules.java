package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.QosClass;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `pods/resize`: cpu and memory of a pod that exists.
final class PodResizeRules implements UpdateRules {

  private static final FieldPath SPEC = PodStrategy.SPEC;

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
  public void validateUpdate(Tree pod, Tree old, FieldErrors errors) {
    if (old.texts("metadata", "annotations").containsKey(PodAnnotations.MIRROR)) {
      errors.forbidden(FieldPath.of(""), "static pods cannot be resized");
      return;
    }
    if (old.textOrEmpty("spec", "os", "name").equals("windows")) {
      errors.forbidden(FieldPath.of(""), "windows pods cannot be resized");
      return;
    }
    int before = errors.size();
    ObjectMeta.validateUpdate(pod, old, errors);
    PodStrategy.validateMetadataAndSpec(pod, PodOptions.forPod(old), errors);
    var oldClass = old.textOrEmpty("status", "qosClass");
    if (!(oldClass.isEmpty() ? QosClass.of(old.treeOrEmpty("spec")).word() : oldClass)
        .equals(QosClass.of(pod.treeOrEmpty("spec")).word())) {
      errors.invalid(
          SPEC,
          pod.textOrEmpty("status", "qosClass"),
          "Pod QOS Class may not change as a result of resizing");
    }
    if (!isSupported(old)) {
      errors.forbidden(SPEC, "Pod running on node without support for resize");
    }
    podResources(pod.treeOrEmpty("spec"), old.treeOrEmpty("spec"), errors);
    if (ordering(pod, old, errors)) {
      contents(pod.treeOrEmpty("spec"), old.treeOrEmpty("spec"), before, errors);
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

  private static void podResources(Tree spec, Tree old, FieldErrors errors) {
    var resources = spec.tree("resources");
    var before = old.tree("resources");
    if (resources == null && before == null) {
      return;
    }
    if (resources == null) {
      errors.forbidden(SPEC.child("resources"), "pod-level resources cannot be removed");
      return;
    }
    for (var list : List.of("requests", "limits")) {
      if (before != null && isRemoved(resources.tree(list), before.tree(list))) {
        errors.forbidden(
            SPEC.child("resources", list), "pod-level resource " + list + " cannot be removed");
      }
    }
    if (!Fields.isSame(withoutCpuAndMemory(resources), withoutCpuAndMemory(before))) {
      errors.forbidden(SPEC, "only cpu and memory resources are mutable at pod-level");
    }
  }

  private static boolean isRemoved(@Nullable Tree list, @Nullable Tree old) {
    return old != null && !(list == null ? new Tree() : list).names().containsAll(old.names());
  }

  private static boolean ordering(Tree pod, Tree old, FieldErrors errors) {
    int before = errors.size();
    for (var list : List.of("containers", "initContainers")) {
      var containers = pod.trees("spec", list);
      var kept = old.trees("spec", list);
      if (containers.size() != kept.size()) {
        errors.forbidden(SPEC.child(list), list + " may not be added or removed on resize");
        continue;
      }
      for (int i = 0; i < kept.size(); i++) {
        if (!containers.get(i).textOrEmpty("name").equals(kept.get(i).textOrEmpty("name"))) {
          errors.forbidden(
              SPEC.child(list).index(i).child("name"),
              list + " may not be renamed or reordered on resize");
        }
      }
    }
    return errors.size() == before;
  }

  private static void contents(Tree spec, Tree old, int before, FieldErrors errors) {
    for (var list : List.of("initContainers", "containers")) {
      var containers = spec.trees(list);
      for (int i = 0; i < containers.size(); i++) {
        removals(containers.get(i), old.trees(list).get(i), SPEC.child(list).index(i), errors);
      }
    }
    var containers = spec.trees("containers");
    for (int i = 0; i < containers.size(); i++) {
      if (!isResizeOnly(containers.get(i), old.trees("containers").get(i))) {
        errors.forbidden(SPEC, "only cpu and memory resources are mutable");
      }
    }
    var initContainers = spec.trees("initContainers");
    for (int i = 0; i < initContainers.size(); i++) {
      initContainer(
          initContainers.get(i),
          old.trees("initContainers").get(i),
          SPEC.child("initContainers").index(i),
          errors);
    }
    if (errors.size() == before && !isResizeOnlySpec(spec, old)) {
      errors.forbidden(SPEC, "only cpu and memory resources are mutable");
    }
  }

  private static void removals(Tree container, Tree old, FieldPath path, FieldErrors errors) {
    for (var list : List.of("requests", "limits")) {
      if (isRemoved(container.tree("resources", list), old.tree("resources", list))) {
        errors.forbidden(path.child("resources", list), "resource " + list + " cannot be removed");
      }
    }
  }

  private static void initContainer(Tree container, Tree old, FieldPath path, FieldErrors errors) {
    if (!isResizeOnly(container, old)) {
      errors.forbidden(
          path, "only cpu and memory resources for init or sidecar containers are mutable");
    }
    boolean sidecar = container.textOrEmpty("restartPolicy").equals("Always");
    if (!sidecar && !Fields.isSame(container, old)) {
      for (var policy : container.trees("resizePolicy")) {
        if (policy.textOrEmpty("restartPolicy").equals("RestartContainer")) {
          errors.forbidden(
              path,
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
