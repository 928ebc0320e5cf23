package io.berth.admission;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Gives pods the overhead, node selector and tolerations of their runtime class.
///
/// Mirrors: plugin/pkg/admission/runtimeclass.RuntimeClass
final class RuntimeClass implements AdmissionPlugin {

  private static final String MISMATCH =
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

  @Override
  public String name() {
    return "RuntimeClass";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!Pods.isCreatedBy(request)) {
      return;
    }
    var runtime = classOf(request, lookup);
    if (runtime == null) {
      return;
    }
    var spec = request.object().child("spec");
    setOverhead(request, spec, runtime);
    setScheduling(request, spec, runtime);
  }

  private static @Nullable Tree classOf(Attributes request, Lookup lookup) {
    var name = request.object().text("spec", "runtimeClassName");
    if (name == null) {
      return null;
    }
    var found = lookup.find(Others.RUNTIME_CLASSES, "", name);
    if (found == null) {
      throw request.forbidden("pod rejected: RuntimeClass \"%s\" not found".formatted(name));
    }
    return found;
  }

  private static void setOverhead(Attributes request, Tree spec, Tree runtime) {
    var overhead = runtime.tree("overhead");
    if (overhead == null) {
      return;
    }
    var fixed = overhead.treeOrEmpty("podFixed");
    if (spec.has("overhead") && !equal(fixed, spec.treeOrEmpty("overhead"))) {
      throw request.forbidden(MISMATCH);
    }
    if (!fixed.isEmpty()) {
      spec.put("overhead", fixed.copy());
    }
  }

  private static boolean equal(Tree one, Tree other) {
    Map<String, String> left = Tree.of("q", one).texts("q");
    Map<String, String> right = Tree.of("q", other).texts("q");
    return left.keySet().equals(right.keySet())
        && left.entrySet().stream()
            .allMatch(entry ->
                Quantity.parse(entry.getValue())
                        .compareTo(Quantity.parse(right.getOrDefault(entry.getKey(), "0")))
                    == 0);
  }

  private static void setScheduling(Attributes request, Tree spec, Tree runtime) {
    var scheduling = runtime.tree("scheduling");
    if (scheduling == null) {
      return;
    }
    var own = spec.texts("nodeSelector");
    scheduling
        .texts("nodeSelector")
        .forEach((key, value) -> {
          var given = own.get(key);
          if (given != null && !given.equals(value)) {
            throw request.forbidden(
                "conflict: runtimeClass.scheduling.nodeSelector[%s] = %s; pod.spec.nodeSelector[%s] = %s"
                    .formatted(key, value, key, given));
          }
          spec.child("nodeSelector").put(key, value);
        });
    var merged = Tolerations.merge(spec.trees("tolerations"), scheduling.trees("tolerations"));
    if (!merged.isEmpty()) {
      var copies = new ArrayList<@Nullable Object>();
      merged.forEach(toleration -> copies.add(toleration.copy()));
      spec.put("tolerations", copies);
    }
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (!Pods.isCreatedBy(request)) {
      return;
    }
    var runtime = classOf(request, lookup);
    var spec = request.object().treeOrEmpty("spec");
    var overhead = runtime == null ? null : runtime.tree("overhead");
    if (overhead == null) {
      if (spec.has("overhead")) {
        throw request.forbidden(
            "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
      }
    } else if (!equal(overhead.treeOrEmpty("podFixed"), spec.treeOrEmpty("overhead"))) {
      throw request.forbidden(MISMATCH);
    }
  }
}
