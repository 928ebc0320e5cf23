package io.berth.server.access;

import io.berth.admission.Derived;
import io.berth.admission.User;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Says which FlowSchema a request belongs to: the first, by precedence and then by name, with a
/// rule for who asks and what for. Answers name it in their headers.
///
/// How many requests run at a time does not depend on it.
public final class FlowSchemas {

  public static final String GROUP = "flowcontrol.apiserver.k8s.io";
  public static final Resource FLOW_SCHEMAS =
      new Resource(GROUP, "v1", "flowschemas", "FlowSchema", false);
  public static final Resource PRIORITY_LEVELS =
      new Resource(GROUP, "v1", "prioritylevelconfigurations", "PriorityLevelConfiguration", false);

  private static final String ANY = "*";
  private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

  /// More questions than this start over.
  private static final int MOST_ASKED = 10_000;

  private final Objects objects;
  private final Derived<Known> known = new Derived<>();

  /// A schema and its priority level, by their uids.
  public record Flow(String schema, String level, List<Tree> rules) {}

  /// The schemas as they are stored, and what they answered.
  private record Known(List<Flow> flows, Map<Question, Optional<Flow>> answers) {}

  /// What of a request decides.
  private record Question(
      User user,
      String verb,
      String group,
      String resource,
      String subresource,
      String namespace,
      String path) {

    static Question of(Authorizer.Request request) {
      return new Question(
          request.user(),
          request.verb(),
          request.group(),
          request.resource(),
          request.subresource(),
          request.namespace(),
          request.isResource() ? "" : request.path());
    }
  }

  public FlowSchemas(Objects objects) {
    this.objects = objects;
  }

  /// To be called when an object of this resource was written.
  public void written(Resource resource) {
    if (resource.group().equals(GROUP)) {
      known.outdate();
    }
  }

  public @Nullable Flow of(Authorizer.Request request) {
    var current = known.get(_ -> new Known(read(), new ConcurrentHashMap<>()));
    if (current.answers.size() >= MOST_ASKED) {
      current.answers.clear();
    }
    var flows = current.flows;
    return current
        .answers
        .computeIfAbsent(Question.of(request), _ -> find(flows, request))
        .orElse(null);
  }

  private static Optional<Flow> find(List<Flow> flows, Authorizer.Request request) {
    for (var flow : flows) {
      for (var rule : flow.rules()) {
        if (matches(rule, request)) {
          return Optional.of(flow);
        }
      }
    }
    return Optional.empty();
  }

  /// How `all` requests at a time divide among the priority levels by their shares, each rounded
  /// up, by name.
  public SortedMap<String, Integer> seats(int all) {
    var shares = new TreeMap<String, Long>();
    for (var level : objects.list(PRIORITY_LEVELS, "")) {
      shares.put(level.textOrEmpty("metadata", "name"), shares(level.treeOrEmpty("spec")));
    }
    double sum = shares.values().stream().mapToLong(each -> each).sum();
    var seats = new TreeMap<String, Integer>();
    shares.forEach(
        (level, share) -> seats.put(level, share == 0 ? 0 : (int) Math.ceil(all * share / sum)));
    return seats;
  }

  private static long shares(Tree spec) {
    return spec.textOrEmpty("type").equals("Exempt")
        ? spec.number(0, "exempt", "nominalConcurrencyShares")
        : spec.number(30, "limited", "nominalConcurrencyShares");
  }

  private List<Flow> read() {
    var schemas = new ArrayList<>(objects.list(FLOW_SCHEMAS, ""));
    schemas.sort(
        Comparator.<Tree>comparingLong(each -> each.number(1000, "spec", "matchingPrecedence"))
            .thenComparing(each -> each.textOrEmpty("metadata", "name")));
    var found = new ArrayList<Flow>();
    for (var schema : schemas) {
      var name = schema.textOrEmpty("spec", "priorityLevelConfiguration", "name");
      var level = objects.find(PRIORITY_LEVELS, "", name);
      if (level != null) {
        found.add(new Flow(uid(schema), uid(level), schema.trees("spec", "rules")));
      }
    }
    return List.copyOf(found);
  }

  private static String uid(Tree object) {
    return object.textOrEmpty("metadata", "uid");
  }

  private static boolean matches(Tree rule, Authorizer.Request request) {
    if (rule.trees("subjects").stream().noneMatch(each -> matches(each, request.user()))) {
      return false;
    }
    return request.resource().isEmpty()
        ? rule.trees("nonResourceRules").stream().anyMatch(each -> matchesPath(each, request))
        : rule.trees("resourceRules").stream().anyMatch(each -> matchesResource(each, request));
  }

  private static boolean matches(Tree subject, User user) {
    return switch (subject.textOrEmpty("kind")) {
      case "User" -> is(subject.textOrEmpty("user", "name"), user.name());
      case "Group" -> {
        var group = subject.textOrEmpty("group", "name");
        yield group.equals(ANY) || user.isIn(group);
      }
      case "ServiceAccount" -> {
        var account = subject.treeOrEmpty("serviceAccount");
        var prefix = SERVICE_ACCOUNT + account.textOrEmpty("namespace") + ":";
        yield user.name().startsWith(prefix)
            && is(account.textOrEmpty("name"), user.name().substring(prefix.length()));
      }
      default -> false;
    };
  }

  private static boolean matchesResource(Tree rule, Authorizer.Request request) {
    var resource =
        request.subresource().isEmpty()
            ? request.resource()
            : request.resource() + "/" + request.subresource();
    return has(rule, "verbs", request.verb())
        && has(rule, "apiGroups", request.group())
        && has(rule, "resources", resource)
        && (request.namespace().isEmpty()
            ? rule.flag("clusterScope")
            : has(rule, "namespaces", request.namespace()));
  }

  private static boolean matchesPath(Tree rule, Authorizer.Request request) {
    if (!has(rule, "verbs", request.verb())) {
      return false;
    }
    for (var each : rule.list("nonResourceURLs")) {
      var path = String.valueOf(each);
      if (is(path, request.path())
          || (path.endsWith("/*")
              && request.path().startsWith(path.substring(0, path.length() - 1)))) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(Tree rule, String field, String value) {
    var values = rule.list(field);
    return values.contains(ANY) || values.contains(value);
  }

  private static boolean is(String pattern, String value) {
    return pattern.equals(ANY) || pattern.equals(value);
  }
}
