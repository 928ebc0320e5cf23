package io.berth.admission.request;

import io.berth.admission.Attributes;
import io.berth.admission.Lookup;
import io.berth.admission.Operation;
import io.berth.api.ApiException;
import io.berth.api.LabelSelector;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether one request is of those that rules and selectors describe.
public final class Matcher {

  private final Attributes request;
  private final Lookup lookup;

  public Matcher(Attributes request, Lookup lookup) {
    this.request = request;
    this.lookup = lookup;
  }

  /// Whether nobody is asked about this request: whoever could forbid changes of the rules
  /// themselves could never be removed, and reviews of access must work whatever the rules say.
  public static boolean isExempt(Attributes request) {
    var resource = request.resource();
    return switch (resource.group()) {
      case "admissionregistration.k8s.io" ->
          switch (resource.kind()) {
            case "ValidatingWebhookConfiguration",
                "MutatingWebhookConfiguration",
                "ValidatingAdmissionPolicy",
                "ValidatingAdmissionPolicyBinding",
                "MutatingAdmissionPolicy",
                "MutatingAdmissionPolicyBinding" ->
                true;
            default -> false;
          };
      case "authorization.k8s.io" -> true;
      case "authentication.k8s.io" -> request.subresource().isEmpty();
      default -> false;
    };
  }

  /// The version in which `MatchResources` mean the request, or `null` when they do not. Refuses
  /// when the request is theirs but its namespace is unknown.
  public @Nullable Resource resources(Tree match) {
    var namespaceError = new NamespaceError();
    if (!inNamespace(match.tree("namespaceSelector"), namespaceError)
        || !isSelected(match.tree("objectSelector"))) {
      return null;
    }
    boolean equivalent = match.textOrEmpty("matchPolicy").equals("Equivalent");
    if (byRules(match.trees("excludeResourceRules"), equivalent) != null) {
      return null;
    }
    var rules = match.trees("resourceRules");
    var matched = rules.isEmpty() ? request.requested() : byRules(rules, equivalent);
    if (matched != null) {
      namespaceError.throwIfAny();
    }
    return matched;
  }

  /// The version in which a webhook means the request, or `null`.
  public @Nullable Resource webhook(Tree hook) {
    var namespaceError = new NamespaceError();
    if (!inNamespace(hook.tree("namespaceSelector"), namespaceError)
        || !isSelected(hook.tree("objectSelector"))) {
      return null;
    }
    var matched =
        byRules(hook.trees("rules"), hook.textOrEmpty("matchPolicy").equals("Equivalent"));
    if (matched != null) {
      namespaceError.throwIfAny();
    }
    return matched;
  }

  /// A namespace that is not there is told only when nothing else speaks against a match.
  private static final class NamespaceError {

    private @Nullable ApiException error;

    void throwIfAny() {
      if (error != null) {
        throw error;
      }
    }
  }

  private boolean inNamespace(@Nullable Tree selector, NamespaceError problem) {
    boolean ofNamespaces = request.isOn(Resource.NAMESPACES);
    if (selector == null
        || LabelSelector.of(selector).isEmpty()
        || (request.namespace().isEmpty() && !ofNamespaces)) {
      return true;
    }
    if (request.isFor(Resource.NAMESPACES) && !request.is(Operation.DELETE)) {
      return selects(selector, request.object());
    }
    var name = namespaceOf(request);
    var namespace = lookup.find(Resource.NAMESPACES, "", name);
    if (namespace == null) {
      problem.error = ApiException.notFound(Resource.NAMESPACES, name);
      return true;
    }
    return selects(selector, namespace);
  }

  /// The namespace a request is in; as in Kubernetes, a namespace is in itself.
  static String namespaceOf(Attributes request) {
    return request.isOn(Resource.NAMESPACES) ? request.name() : request.namespace();
  }

  private boolean isSelected(@Nullable Tree selector) {
    return selector == null
        || (request.hasObject() && selects(selector, request.object()))
        || (request.hasOldObject() && selects(selector, request.oldObject()))
        || LabelSelector.of(selector).isEmpty();
  }

  private static boolean selects(Tree selector, Tree object) {
    return LabelSelector.of(selector).matches(object.texts("metadata", "labels"));
  }

  private @Nullable Resource byRules(List<Tree> rules, boolean equivalent) {
    for (var rule : rules) {
      if (matches(rule, request.requested()) && isNamed(rule)) {
        return request.requested();
      }
    }
    if (!equivalent) {
      return null;
    }
    for (var rule : rules) {
      for (var version : lookup.versions(request.resource())) {
        if (!version.equals(request.requested()) && matches(rule, version) && isNamed(rule)) {
          return version;
        }
      }
    }
    return null;
  }

  private boolean isNamed(Tree rule) {
    var names = rule.list("resourceNames");
    return names.isEmpty() || names.contains(request.name());
  }

  private boolean matches(Tree rule, Resource resource) {
    return inScope(rule.textOrEmpty("scope"))
        && contains(rule.list("operations"), request.operation().name())
        && contains(rule.list("apiGroups"), resource.group())
        && contains(rule.list("apiVersions"), resource.version())
        && isOneOf(rule.list("resources"), resource.plural());
  }

  private boolean inScope(String scope) {
    boolean ofCluster = request.isOn(Resource.NAMESPACES) || request.namespace().isEmpty();
    return switch (scope) {
      case "Namespaced" -> !ofCluster;
      case "Cluster" -> ofCluster;
      default -> true;
    };
  }

  private static boolean contains(List<@Nullable Object> words, String word) {
    return words.contains("*") || words.contains(word);
  }

  private boolean isOneOf(List<@Nullable Object> resources, String plural) {
    for (var each : resources) {
      var text = String.valueOf(each);
      int slash = text.indexOf('/');
      var parent = slash < 0 ? text : text.substring(0, slash);
      var below = slash < 0 ? "" : text.substring(slash + 1);
      if ((parent.equals("*") || parent.equals(plural))
          && (below.equals("*") || below.equals(request.subresource()))) {
        return true;
      }
    }
    return false;
  }
}
