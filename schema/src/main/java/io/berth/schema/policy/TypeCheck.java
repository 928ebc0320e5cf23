package io.berth.schema.policy;

import io.berth.api.Tree;
import io.berth.schema.Types;
import io.berth.schema.policy.PolicyExpressions.Declared;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Checks the expressions of a validating policy against the types of the objects it is about.
///
/// What it finds are warnings: the policy works all the same, and the expression may still make
/// sense for objects that are not known yet.
public final class TypeCheck {

  private static final int MAX_KINDS = 10;

  private final Tree spec;
  private final Kinds kinds;

  private TypeCheck(Tree spec, Kinds kinds) {
    this.spec = spec;
    this.kinds = kinds;
  }

  /// What the cluster serves.
  public interface Kinds {

    /// The kind of a resource, or `null`.
    @Nullable String kind(String group, String version, String plural);

    /// The OpenAPI schema of a custom kind, or `null` for kinds that are built in or unknown.
    @Nullable Tree schema(String group, String version, String kind);
  }

  private record Kind(String group, String version, String kind) {

    String apiVersion() {
      return group.isEmpty() ? version : group + "/" + version;
    }

    @Override
    public String toString() {
      return "%s/%s, Kind=%s".formatted(group, version, kind);
    }
  }

  /// The `expressionWarnings` of a policy's status.
  public static List<Tree> warnings(Tree spec, Kinds kinds) {
    return new TypeCheck(spec, kinds).check();
  }

  private List<Tree> check() {
    var params = params();
    var warnings = new ArrayList<Tree>();
    var validations = spec.trees("validations");
    for (int i = 0; i < validations.size(); i++) {
      for (var field : List.of("expression", "messageExpression")) {
        var source = validations.get(i).textOrEmpty(field);
        var found = source.isEmpty() ? List.<String>of() : problems(source, params);
        if (!found.isEmpty()) {
          warnings.add(
              Tree.of(
                  "fieldRef", "spec.validations[%d].%s".formatted(i, field),
                  "warning", String.join("\n", found)));
        }
      }
    }
    return warnings;
  }

  private List<String> problems(String source, @Nullable Declared params) {
    var problems = new ArrayList<String>();
    var names = Names.BASIC.withParams(spec.has("paramKind")).withAuthorizer();
    for (var kind : kindsToCheck()) {
      var declared = declared(kind);
      if (declared == null) {
        continue;
      }
      var expressions = PolicyExpressions.typed(declared, params);
      for (var variable : spec.trees("variables")) {
        expressions.variable(
            variable.textOrEmpty("name"), variable.textOrEmpty("expression"), names);
      }
      var problem = expressions.compile(source, names).problem();
      if (!problem.isEmpty()) {
        problems.add("%s: %s\n".formatted(kind, problem.replaceFirst("^compilation failed: ", "")));
      }
    }
    return problems;
  }

  /// The kinds that rules name outright: wildcards are not followed.
  private List<Kind> kindsToCheck() {
    var found =
        new TreeSet<Kind>(
            Comparator.comparing(Kind::group)
                .thenComparing(Kind::version)
                .thenComparing(Kind::kind));
    for (var rule : spec.treeOrEmpty("matchConstraints").trees("resourceRules")) {
      for (var group : plain(rule, "apiGroups")) {
        for (var version : plain(rule, "apiVersions")) {
          for (var resource : resources(rule)) {
            var kind = kinds.kind(group, version, resource);
            if (kind != null && found.size() < MAX_KINDS) {
              found.add(new Kind(group, version, kind));
            }
          }
        }
      }
    }
    return List.copyOf(found);
  }

  private static List<String> plain(Tree rule, String field) {
    var words = rule.list(field).stream().map(String::valueOf).toList();
    return words.stream().anyMatch(word -> word.contains("*")) ? List.of() : words;
  }

  private static List<String> resources(Tree rule) {
    return rule.list("resources").stream()
        .map(String::valueOf)
        .filter(word -> !word.contains("*") && !word.contains("/"))
        .toList();
  }

  private @Nullable Declared declared(Kind kind) {
    var schema = kinds.schema(kind.group, kind.version, kind.kind);
    if (schema != null) {
      return ObjectTypes.of(kind.kind, schema);
    }
    return Types.kubernetes().find(kind.apiVersion(), kind.kind).map(ObjectTypes::of).orElse(null);
  }

  private @Nullable Declared params() {
    var kind = spec.tree("paramKind");
    if (kind == null) {
      return null;
    }
    var apiVersion = kind.textOrEmpty("apiVersion");
    int slash = apiVersion.indexOf('/');
    return declared(
        new Kind(
            slash < 0 ? "" : apiVersion.substring(0, slash),
            apiVersion.substring(slash + 1),
            kind.textOrEmpty("kind")));
  }
}
