package io.berth.admission.request;

import io.berth.admission.Attributes;
import io.berth.admission.Lookup;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.schema.cel.Access;
import io.berth.schema.cel.AuthorizerFunctions;
import io.berth.schema.policy.Values;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the names in expressions stand for.
public final class Bindings {

  private static final List<String> NAMESPACE_METADATA =
      List.of(
          "name",
          "generateName",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "labels",
          "annotations",
          "finalizers");

  private final Map<String, Object> values = new HashMap<>();

  private Bindings() {}

  /// `namespace` is that of the request, `null` for objects of the cluster.
  public static Bindings of(Seen seen, @Nullable Tree namespace) {
    var bindings = new Bindings();
    bindings.values.put("object", Values.of(seen.object()));
    bindings.values.put("oldObject", Values.of(seen.oldObject()));
    bindings.values.put("request", Values.of(seen.request()));
    bindings.values.put(
        "namespaceObject", Values.of(namespace == null ? null : visible(namespace)));
    return bindings;
  }

  /// As in Kubernetes, not everything of a namespace is shown.
  private static Tree visible(Tree namespace) {
    var from = namespace.treeOrEmpty("metadata");
    var metadata = new Tree();
    for (var field : NAMESPACE_METADATA) {
      if (from.has(field)) {
        metadata.put(field, from.get(field));
      }
    }
    return Tree.of(
        "metadata",
        metadata,
        "spec",
        namespace.treeOrEmpty("spec"),
        "status",
        namespace.treeOrEmpty("status"));
  }

  public Bindings withParams(@Nullable Tree params) {
    values.put("params", Values.of(params));
    return this;
  }

  public Bindings withAuthorizer(Attributes request, Lookup lookup) {
    Access access = question -> lookup.decide(request.user(), question);
    var own =
        Access.Question.about(
            request.requested().group(),
            request.requested().plural(),
            request.subresource(),
            Matcher.namespaceOf(request),
            request.name());
    values.put("authorizer", AuthorizerFunctions.authorizer(access));
    values.put("authorizer.requestResource", AuthorizerFunctions.requestResource(access, own));
    return this;
  }

  public Map<String, Object> values() {
    return values;
  }

  /// The namespace of a request, or `null` for objects of the cluster and for namespaces. Refuses
  /// when there is none of its name.
  public static @Nullable Tree namespace(Attributes request, Lookup lookup) {
    if (request.namespace().isEmpty() || request.isOn(Resource.NAMESPACES)) {
      return null;
    }
    var namespace = lookup.find(Resource.NAMESPACES, "", request.namespace());
    if (namespace == null) {
      throw ApiException.notFound(Resource.NAMESPACES, request.namespace());
    }
    return namespace;
  }
}
