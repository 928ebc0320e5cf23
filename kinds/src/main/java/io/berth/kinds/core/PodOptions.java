package io.berth.kinds.core;

import io.berth.api.Tree;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import org.jspecify.annotations.Nullable;

/// What validation of a pod spec lets pass: rules that came later do not strike stored objects.
///
/// @param isPod whether this is a pod and not a template
/// @param badSelectorValues selectors may hold values that are no label values
/// @param badNodeAffinityValues required node affinity may hold values that are no label values
/// @param indivisibleHugePages amounts of huge pages need not be multiples of the page
///
///   Mirrors: api/pod.GetValidationOptionsFromPodSpecAndMeta
public record PodOptions(
    boolean isPod,
    boolean badSelectorValues,
    boolean badNodeAffinityValues,
    boolean indivisibleHugePages) {

  /// For a new pod.
  public static final PodOptions POD = new PodOptions(true, false, false, false);

  /// For a new template.
  public static final PodOptions TEMPLATE = new PodOptions(false, false, false, false);

  /// For a template that replaces another one; both are pod templates, the old one may be absent.
  public static PodOptions forTemplate(@Nullable Tree old) {
    return old == null ? TEMPLATE : forSpec(old.treeOrEmpty("spec"), false);
  }

  /// For a pod that replaces another one.
  static PodOptions forPod(Tree old) {
    return forSpec(old.treeOrEmpty("spec"), true);
  }

  private static PodOptions forSpec(Tree old, boolean isPod) {
    return new PodOptions(
        isPod, hasBadSelector(old), hasBadNodeAffinity(old), hasIndivisiblePages(old));
  }

  private static boolean hasBadSelector(Tree spec) {
    for (var kind : new String[] {"podAffinity", "podAntiAffinity"}) {
      var affinity = spec.treeOrEmpty("affinity", kind);
      for (var term : affinity.trees("requiredDuringSchedulingIgnoredDuringExecution")) {
        if (hasBadTerm(term)) {
          return true;
        }
      }
      for (var term : affinity.trees("preferredDuringSchedulingIgnoredDuringExecution")) {
        if (hasBadTerm(term.treeOrEmpty("podAffinityTerm"))) {
          return true;
        }
      }
    }
    return spec.trees("topologySpreadConstraints").stream()
        .anyMatch(each -> LabelSelectors.hasBadValues(each.tree("labelSelector")));
  }

  private static boolean hasBadTerm(Tree term) {
    return LabelSelectors.hasBadValues(term.tree("labelSelector"))
        || LabelSelectors.hasBadValues(term.tree("namespaceSelector"));
  }

  private static boolean hasBadNodeAffinity(Tree spec) {
    var terms =
        spec.treeOrEmpty("affinity", "nodeAffinity")
            .trees("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");
    for (var term : terms) {
      for (var expression : term.trees("matchExpressions")) {
        for (var value : expression.list("values")) {
          if (!Names.labelValue(String.valueOf(value)).isEmpty()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean hasIndivisiblePages(Tree spec) {
    for (var list : new String[] {"containers", "initContainers"}) {
      for (var container : spec.trees(list)) {
        if (ResourceValidation.hasIndivisiblePages(container.treeOrEmpty("resources"))) {
          return true;
        }
      }
    }
    return false;
  }
}
