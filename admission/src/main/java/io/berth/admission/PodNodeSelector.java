package io.berth.admission;

import static io.berth.api.Resource.NAMESPACES;

import io.berth.api.ApiException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Adds the node selector of a namespace to the pods created in it.
///
/// Mirrors: plugin/pkg/admission/podnodeselector.Plugin
final class PodNodeSelector implements AdmissionPlugin {

  private static final String ANNOTATION = "scheduler.alpha.kubernetes.io/node-selector";

  @Override
  public String name() {
    return "PodNodeSelector";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!Pods.isCreatedBy(request)) {
      return;
    }
    var namespace = lookup.find(NAMESPACES, "", request.namespace());
    if (namespace == null) {
      throw ApiException.notFound(NAMESPACES, request.namespace());
    }
    var wanted = parse(namespace.textOrEmpty("metadata", "annotations", ANNOTATION));
    var spec = request.object().child("spec");
    var own = spec.texts("nodeSelector");
    for (var entry : wanted.entrySet()) {
      var value = own.get(entry.getKey());
      if (value != null && !value.equals(entry.getValue())) {
        throw request.forbidden(
            "pod node label selector conflicts with its namespace node label selector");
      }
    }
    if (!wanted.isEmpty()) {
      var selector = spec.child("nodeSelector");
      wanted.forEach(selector::put);
    }
  }

  /// Reads `a=b,c=d`; nothing else that a label selector may be is accepted here.
  private static Map<String, String> parse(String selector) {
    var labels = new LinkedHashMap<String, String>();
    if (selector.isEmpty()) {
      return labels;
    }
    for (var label : selector.split(",", -1)) {
      var parts = List.of(label.split("=", -1));
      if (parts.size() != 2) {
        throw new ApiException(
            500, "", "invalid selector: [%s]".formatted(String.join(" ", parts)));
      }
      labels.put(parts.get(0).strip(), parts.get(1).strip());
    }
    return labels;
  }
}
