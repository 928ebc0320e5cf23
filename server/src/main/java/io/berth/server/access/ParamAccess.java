package io.berth.server.access;

import io.berth.admission.User;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.server.access.Authorizer.Request;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The server reads the parameters of admission policies with its own rights, and what they hold
/// can come out in messages. So whoever writes a policy or binding must be allowed to read them.
public final class ParamAccess {

  private static final String GROUP = "admissionregistration.k8s.io";
  private static final String MASTERS = "system:masters";
  private static final String ANY = "*";

  private final Authorizer authorizer;
  private final io.berth.server.access.Objects objects;
  private final BiFunction<String, String, @Nullable Resource> resources;

  /// `resources` finds a resource by the API version and kind of its objects.
  public ParamAccess(
      Authorizer authorizer,
      io.berth.server.access.Objects objects,
      BiFunction<String, String, @Nullable Resource> resources) {
    this.authorizer = authorizer;
    this.objects = objects;
    this.resources = resources;
  }

  /// Refuses a policy or binding whose writer may not read its parameters. Other resources pass.
  public void check(Resource resource, Tree object, @Nullable Tree old, User user) {
    if (!resource.group().equals(GROUP) || user.isIn(MASTERS)) {
      return;
    }
    var errors = new FieldErrors();
    switch (resource.plural()) {
      case "validatingadmissionpolicies", "mutatingadmissionpolicies" ->
          checkPolicy(object, old, user, errors);
      case "validatingadmissionpolicybindings" ->
          checkBinding("validatingadmissionpolicies", object, old, user, errors);
      case "mutatingadmissionpolicybindings" ->
          checkBinding("mutatingadmissionpolicies", object, old, user, errors);
      default -> {}
    }
    if (!errors.isEmpty()) {
      throw errors.toException(
          resource.group(), resource.kind(), object.textOrEmpty("metadata", "name"));
    }
  }

  private void checkPolicy(Tree policy, @Nullable Tree old, User user, FieldErrors errors) {
    var kind = policy.tree("spec", "paramKind");
    if (kind == null || (old != null && kind.equals(old.tree("spec", "paramKind")))) {
      return;
    }
    if (!may(user, "get", kind, ANY, ANY)) {
      errors.forbidden(
          FieldPath.of("spec", "paramKind"),
          ("user %s must have \"get\" permission on all objects of the referenced paramKind"
                  + " (kind=%s, apiVersion=%s)")
              .formatted(shown(user), kind.textOrEmpty("kind"), kind.textOrEmpty("apiVersion")));
    }
  }

  private void checkBinding(
      String policies, Tree binding, @Nullable Tree old, User user, FieldErrors errors) {
    var spec = binding.treeOrEmpty("spec");
    var reference = spec.tree("paramRef");
    if (reference == null || (old != null && isSame(spec, old.treeOrEmpty("spec")))) {
      return;
    }
    var verb = reference.textOrEmpty("name").isEmpty() ? "list" : "get";
    var name = spec.textOrEmpty("policyName");
    var policy = objects.find(policies(policies), "", name);
    var kind = policy == null ? null : policy.tree("spec", "paramKind");
    if (may(user, verb, kind, reference.textOrEmpty("namespace"), reference.textOrEmpty("name"))) {
      return;
    }
    errors.forbidden(
        FieldPath.of("spec", "paramRef"),
        policy == null
            ? ("unable to get policy %s to determine minimum required permissions and user %s does"
                    + " not have \"%s\" permission for all groups, versions and resources")
                .formatted(name, shown(user), verb)
            : "user %s does not have \"%s\" permission on the object referenced by paramRef"
                .formatted(shown(user), verb));
  }

  private static Resource policies(String plural) {
    return new Resource(GROUP, "v1", plural, "", false);
  }

  private static boolean isSame(Tree spec, Tree old) {
    return Objects.equals(spec.get("paramRef"), old.get("paramRef"))
        && Objects.equals(spec.get("policyName"), old.get("policyName"));
  }

  /// A kind that cannot be told stands for all of them.
  private boolean may(User user, String verb, @Nullable Tree kind, String namespace, String name) {
    var group = ANY;
    var version = ANY;
    var plural = ANY;
    if (kind != null) {
      var parts = kind.textOrEmpty("apiVersion").split("/", 2);
      group = parts.length == 1 ? "" : parts[0];
      version = parts[parts.length - 1];
      var resource = resources.apply(kind.textOrEmpty("apiVersion"), kind.textOrEmpty("kind"));
      plural = resource == null ? ANY : resource.plural();
    }
    return authorizer
        .decide(new Request(user, verb, group, version, plural, "", namespace, name, ""))
        .allowed();
  }

  /// As Go shows it.
  private static String shown(User user) {
    return "&{%s %s [%s] map[]}"
        .formatted(user.name(), user.uid(), String.join(" ", user.groups()));
  }
}
