package io.berth.kinds.flowcontrol;

import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.meta.Cursor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The objects named `exempt` and `catch-all`, whose specs are fixed: without them a request might
/// belong nowhere.
///
/// Mirrors: apiserver/pkg/apis/flowcontrol/bootstrap.MandatoryFlowSchemas,
/// MandatoryPriorityLevelConfigurations
final class MandatoryObjects {

  static final String EXEMPT = "exempt";
  private static final String CATCH_ALL = "catch-all";

  private static final List<String> ANY = List.of("*");
  private static final Map<String, Tree> FLOW_SCHEMAS =
      Map.of(
          EXEMPT,
          everything(Tree.of("priorityLevelConfiguration", named(EXEMPT)), 1, "system:masters"),
          CATCH_ALL,
          everything(
              Tree.of(
                  "priorityLevelConfiguration",
                  named(CATCH_ALL),
                  "distinguisherMethod",
                  Tree.of("type", "ByUser")),
              10_000,
              "system:unauthenticated",
              "system:authenticated"));

  private static final Tree CATCH_ALL_LEVEL =
      Tree.of(
          "type",
          "Limited",
          "limited",
          Tree.of(
              "nominalConcurrencyShares",
              5L,
              "limitResponse",
              Tree.of("type", "Reject"),
              "lendablePercent",
              0L));

  private MandatoryObjects() {}

  static void flowSchema(String name, Cursor spec) {
    var fixed = FLOW_SCHEMAS.get(name);
    if (fixed != null && !Fields.isSame(spec.tree(), fixed)) {
      spec.invalid(
          Struct.FLOW_SCHEMA.of(spec.tree()),
          "spec of '%s' must equal the fixed value".formatted(name));
    }
  }

  static void priorityLevel(String name, Cursor spec) {
    if (name.equals(EXEMPT)) {
      if (spec.has("limited") || !spec.text("type").equals("Exempt")) {
        spec.invalid(
            Struct.PRIORITY_LEVEL.of(spec.tree()),
            "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value");
      }
    } else if (name.equals(CATCH_ALL) && !Fields.isSame(spec.tree(), CATCH_ALL_LEVEL)) {
      spec.invalid(
          Struct.PRIORITY_LEVEL.of(spec.tree()), "spec of 'catch-all' must equal the fixed value");
    }
  }

  private static Tree everything(Tree spec, long precedence, String... groups) {
    var subjects =
        List.of(groups).stream()
            .map(group -> Tree.of("kind", "Group", "group", named(group)))
            .toList();
    var resources =
        Tree.of(
            "verbs",
            ANY,
            "apiGroups",
            ANY,
            "resources",
            ANY,
            "clusterScope",
            true,
            "namespaces",
            ANY);
    var rule =
        Tree.of(
            "subjects",
            subjects,
            "resourceRules",
            List.of(resources),
            "nonResourceRules",
            List.of(Tree.of("verbs", ANY, "nonResourceURLs", ANY)));
    spec.put("matchingPrecedence", precedence);
    spec.put("rules", List.of(rule));
    return spec;
  }

  private static Tree named(String name) {
    return Tree.of("name", name);
  }

  /// A spec as messages show it: Kubernetes' own struct with every field, set or not. Each line is
  /// the struct's field, and `""`, `0` or `false` where it has such a zero value.
  private record Struct(List<Member> members) {

    private record Member(String name, @Nullable Object zero, @Nullable Struct struct) {
      String json() {
        return name.startsWith("API")
            ? "api" + name.substring(3)
            : Character.toLowerCase(name.charAt(0)) + name.substring(1);
      }
    }

    private static final Struct NAMED = struct(text("Name"));
    private static final Struct SUBJECT =
        struct(
            text("Kind"),
            of("User", NAMED),
            of("Group", NAMED),
            of("ServiceAccount", struct(text("Namespace"), text("Name"))));
    private static final Struct RESOURCE_RULE =
        struct(
            list("Verbs"),
            list("APIGroups"),
            list("Resources"),
            new Member("ClusterScope", false, null),
            list("Namespaces"));
    private static final Struct RULE =
        struct(
            of("Subjects", SUBJECT),
            of("ResourceRules", RESOURCE_RULE),
            of("NonResourceRules", struct(list("Verbs"), list("NonResourceURLs"))));
    static final Struct FLOW_SCHEMA =
        struct(
            of("PriorityLevelConfiguration", NAMED),
            number("MatchingPrecedence"),
            of("DistinguisherMethod", struct(text("Type"))),
            of("Rules", RULE));
    private static final Struct QUEUING =
        struct(number("Queues"), number("HandSize"), number("QueueLengthLimit"));
    private static final Struct LIMITED =
        struct(
            number("NominalConcurrencyShares"),
            of("LimitResponse", struct(text("Type"), of("Queuing", QUEUING))),
            list("LendablePercent"),
            list("BorrowingLimitPercent"));
    static final Struct PRIORITY_LEVEL =
        struct(
            text("Type"),
            of("Limited", LIMITED),
            of("Exempt", struct(list("NominalConcurrencyShares"), list("LendablePercent"))));

    private static Struct struct(Member... members) {
      return new Struct(List.of(members));
    }

    private static Member text(String name) {
      return new Member(name, "", null);
    }

    private static Member number(String name) {
      return new Member(name, 0L, null);
    }

    /// What may be nil.
    private static Member list(String name) {
      return new Member(name, null, null);
    }

    private static Member of(String name, Struct struct) {
      return new Member(name, null, struct);
    }

    Tree of(Tree object) {
      var shown = new Tree();
      for (var member : members) {
        shown.put(member.name(), value(member, object.get(member.json())));
      }
      return shown;
    }

    private static @Nullable Object value(Member member, @Nullable Object value) {
      var struct = member.struct();
      if (struct == null) {
        return value == null ? member.zero() : value;
      }
      return switch (value) {
        case Tree tree -> struct.of(tree);
        case List<?> list -> list.stream().map(each -> struct.of((Tree) each)).toList();
        case null, default -> null;
      };
    }
  }
}
