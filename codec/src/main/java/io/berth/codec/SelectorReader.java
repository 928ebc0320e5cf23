package io.berth.codec;

import io.berth.api.LabelSelector;
import io.berth.api.NodeAffinity;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.PodAffinity;
import io.berth.api.PodAffinityTerm;
import io.berth.api.Requirement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Selectors and affinities, wherever they appear.
final class SelectorReader {

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private SelectorReader() {}

  static @Nullable LabelSelector labelSelector(Fields parent, String field) {
    var selector = parent.objectOrNull(field);
    return selector == null
        ? null
        : new LabelSelector(
            selector.map("matchLabels"),
            selector.objects("matchExpressions", SelectorReader::requirement));
  }

  static NodeAffinity nodeAffinity(Fields affinity) {
    var required = nodeSelector(affinity, REQUIRED);
    var preferred =
        affinity.objects(
            PREFERRED,
            term ->
                new NodeAffinity.Preferred(
                    term.integer("weight", 0), nodeSelectorTerm(term.object("preference"))));
    return required == null && preferred.isEmpty()
        ? NodeAffinity.NONE
        : new NodeAffinity(required, preferred);
  }

  static @Nullable List<NodeSelectorTerm> nodeSelector(Fields parent, String field) {
    var selector = parent.objectOrNull(field);
    return selector == null
        ? null
        : selector.objects("nodeSelectorTerms", SelectorReader::nodeSelectorTerm);
  }

  private static NodeSelectorTerm nodeSelectorTerm(Fields term) {
    return new NodeSelectorTerm(
        term.objects("matchExpressions", SelectorReader::requirement),
        term.objects("matchFields", SelectorReader::requirement));
  }

  static PodAffinity podAffinity(Fields affinity) {
    var required = affinity.objects(REQUIRED, SelectorReader::podAffinityTerm);
    var preferred =
        affinity.objects(
            PREFERRED,
            term ->
                new PodAffinity.Preferred(
                    term.integer("weight", 0), podAffinityTerm(term.object("podAffinityTerm"))));
    return required.isEmpty() && preferred.isEmpty()
        ? PodAffinity.NONE
        : new PodAffinity(required, preferred);
  }

  private static PodAffinityTerm podAffinityTerm(Fields term) {
    return new PodAffinityTerm(
        labelSelector(term, "labelSelector"),
        term.texts("namespaces"),
        labelSelector(term, "namespaceSelector"),
        term.text("topologyKey"));
  }

  private static Requirement requirement(Fields clause) {
    return new Requirement(clause.text("key"), clause.text("operator"), clause.texts("values"));
  }
}
