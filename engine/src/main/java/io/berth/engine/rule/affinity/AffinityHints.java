package io.berth.engine.rule.affinity;

import io.berth.api.Pod;
import io.berth.api.PodAffinityTerm;
import io.berth.engine.ClusterEvent;
import io.berth.engine.model.Scope;
import io.berth.engine.model.Terms;
import java.util.List;

/// Which event can help a pod that its own terms, or those of others, kept from a node.
final class AffinityHints {

  private final Terms terms;

  AffinityHints(Terms terms) {
    this.terms = terms;
  }

  boolean help(Pod pod, ClusterEvent event) {
    var affinity = pod.spec().podAffinity().required();
    var anti = pod.spec().podAntiAffinity().required();
    return switch (event.kind()) {
      case ASSIGNED_POD_ADD -> !affinity.isEmpty() && matchesAll(affinity, pod, event.pod());
      case ASSIGNED_POD_UPDATE_LABEL -> {
        var before = event.oldPod();
        yield before == null
            || (!affinity.isEmpty()
                && !matchesAll(affinity, pod, before)
                && matchesAll(affinity, pod, event.pod()))
            || (matchesAny(anti, pod, before) && !matchesAny(anti, pod, event.pod()));
      }
      case ASSIGNED_POD_DELETE ->
          matchesAny(anti, pod, event.pod())
              || matchesAny(event.pod().spec().podAntiAffinity().required(), event.pod(), pod);
      case NODE_ADD, NODE_UPDATE_LABEL -> nodeChangesTerms(affinity, anti, event);
      case NAMESPACE_UPDATE ->
          (affinity.isEmpty() && anti.isEmpty())
              || affinity.stream().anyMatch(term -> term.namespaceSelector() != null)
              || anti.stream().anyMatch(term -> term.namespaceSelector() != null);
      default -> true;
    };
  }

  private static boolean nodeChangesTerms(
      List<PodAffinityTerm> affinity, List<PodAffinityTerm> anti, ClusterEvent event) {
    var before = event.oldNode();
    var after = event.node();
    if (before == null) {
      return !anti.isEmpty()
          || affinity.isEmpty()
          || affinity.stream().anyMatch(t -> after.labels().containsKey(t.topologyKey()));
    }
    for (var term : affinity) {
      var value = after.labels().get(term.topologyKey());
      if (value != null && !value.equals(before.labels().get(term.topologyKey()))) {
        return true;
      }
    }
    for (var term : anti) {
      var was = before.labels().get(term.topologyKey());
      if (was != null && !was.equals(after.labels().get(term.topologyKey()))) {
        return true;
      }
    }
    // Terms of other pods may be what keeps this one off: any label may be their topology.
    return affinity.isEmpty() && anti.isEmpty();
  }

  private boolean matchesAll(List<PodAffinityTerm> wanted, Pod owner, Pod other) {
    return wanted.stream().allMatch(term -> matches(term, owner, other));
  }

  private boolean matchesAny(List<PodAffinityTerm> unwanted, Pod owner, Pod other) {
    return unwanted.stream().anyMatch(term -> matches(term, owner, other));
  }

  private boolean matches(PodAffinityTerm term, Pod owner, Pod other) {
    var scope = Scope.of(term, owner.namespace());
    return scope.selects(other.labels()) && terms.covers(scope, other.namespace());
  }
}
