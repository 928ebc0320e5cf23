package io.berth.admission.policy;

import io.berth.admission.Lookup;
import io.berth.api.LabelSelector;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parameters a binding refers to.
public final class Params {

  private Params() {}

  /// A policy or binding that cannot be used as it is; `inBinding` says which of them.
  public static final class ConfigurationException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean inBinding;

    ConfigurationException(String message, boolean inBinding) {
      super(message, null, false, false);
      this.inBinding = inBinding;
    }

    public String text() {
      return String.valueOf(getMessage());
    }

    public boolean inBinding() {
      return inBinding;
    }
  }

  /// The parameters to evaluate a policy with, one after another: `null` among them for a policy
  /// without parameters, none when it is not to be evaluated.
  public static List<@Nullable Tree> of(
      Tree policySpec, Tree bindingSpec, String namespace, Lookup lookup)
      throws ConfigurationException {
    var kind = policySpec.tree("paramKind");
    var found = new ArrayList<@Nullable Tree>();
    if (kind == null) {
      found.add(null);
      return found;
    }
    var resource = lookup.resource(kind.textOrEmpty("apiVersion"), kind.textOrEmpty("kind"));
    if (resource == null) {
      throw new ConfigurationException(
          "failed to find resource referenced by paramKind: '%s'".formatted(goText(kind)), false);
    }
    var ref = bindingSpec.tree("paramRef");
    if (ref == null) {
      found.add(null);
      return found;
    }
    var where = ref.textOrEmpty("namespace");
    if (resource.namespaced()) {
      where = where.isEmpty() ? namespace : where;
      if (where.isEmpty()) {
        throw new ConfigurationException(
            "cannot use namespaced paramRef in policy binding that matches cluster-scoped"
                + " resources",
            true);
      }
    } else if (!where.isEmpty()) {
      throw new ConfigurationException(
          "paramRef.namespace must not be provided for a cluster-scoped `paramKind`", true);
    }
    var name = ref.textOrEmpty("name");
    if (!name.isEmpty()) {
      var param = lookup.find(resource, where, name);
      if (param != null) {
        found.add(lookup.shown(resource, param));
      }
    } else {
      var selector = LabelSelector.of(ref.treeOrEmpty("selector"));
      for (var param : lookup.list(resource, where)) {
        if (selector.matches(param.texts("metadata", "labels"))) {
          found.add(lookup.shown(resource, param));
        }
      }
    }
    if (found.isEmpty() && ref.textOrEmpty("parameterNotFoundAction").equals("Deny")) {
      throw new ConfigurationException(
          "no params found for policy binding with `Deny` parameterNotFoundAction", true);
    }
    return found;
  }

  private static String goText(Tree kind) {
    var version = kind.textOrEmpty("apiVersion");
    return (version.contains("/") ? version : "/" + version) + ", Kind=" + kind.textOrEmpty("kind");
  }
}
