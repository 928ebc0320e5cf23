package io.berth.admission;

import static io.berth.api.Resource.NAMESPACES;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Adds the default tolerations of a namespace and refuses those outside its whitelist.
///
/// Mirrors: plugin/pkg/admission/podtolerationrestriction.Plugin
final class PodTolerationRestriction implements AdmissionPlugin {

  private static final String DEFAULTS = "scheduler.alpha.kubernetes.io/defaultTolerations";
  private static final String WHITELIST = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";

  @Override
  public String name() {
    return "PodTolerationRestriction";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!Pods.isWrittenBy(request)) {
      return;
    }
    var spec = request.object().child("spec");
    List<Tree> tolerations = spec.trees("tolerations");
    if (request.is(Operation.CREATE)) {
      tolerations = Tolerations.merge(listed(request, lookup, DEFAULTS), tolerations);
    }
    if (!Pods.qosClass(request.object()).equals("BestEffort")) {
      var pressure = Pods.tolerationOf("node.kubernetes.io/memory-pressure", "NoSchedule");
      tolerations = Tolerations.merge(tolerations, List.of(pressure));
    }
    if (!tolerations.isEmpty()) {
      spec.put("tolerations", new ArrayList<>(tolerations));
    }
    validate(request, lookup);
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (!Pods.isWrittenBy(request)) {
      return;
    }
    var tolerations = request.object().trees("spec", "tolerations");
    if (tolerations.isEmpty()) {
      return;
    }
    var whitelist = listed(request, lookup, WHITELIST);
    if (!whitelist.isEmpty() && !Tolerations.areWithin(tolerations, whitelist)) {
      throw new ApiException(
          500,
          "",
          "pod tolerations (possibly merged with namespace default tolerations) conflict with its"
              + " namespace whitelist");
    }
  }

  /// The tolerations in an annotation of the request's namespace.
  private static List<Tree> listed(Attributes request, Lookup lookup, String annotation) {
    var namespace = lookup.find(NAMESPACES, "", request.namespace());
    if (namespace == null) {
      throw ApiException.notFound(NAMESPACES, request.namespace());
    }
    var text = namespace.textOrEmpty("metadata", "annotations", annotation);
    if (text.isEmpty()) {
      return List.of();
    }
    try {
      var value = Json.readReporting(text.getBytes(StandardCharsets.UTF_8)).value();
      return Tree.of("list", value).trees("list");
    } catch (SyntaxException e) {
      throw new ApiException(500, "", String.valueOf(e.getMessage()));
    }
  }
}
