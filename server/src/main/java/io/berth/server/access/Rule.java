package io.berth.server.access;

import io.berth.api.Tree;
import io.berth.server.access.Authorizer.Request;
import java.util.ArrayList;
import java.util.List;

/// One rule of a role: these verbs on these resources, or on these paths.
public record Rule(
    List<String> verbs,
    List<String> groups,
    List<String> resources,
    List<String> names,
    List<String> paths) {

  private static final List<String> ANY = List.of("*");

  /// What `cluster-admin` may.
  static final List<Rule> EVERYTHING =
      List.of(
          new Rule(ANY, ANY, ANY, List.of(), List.of()),
          new Rule(ANY, List.of(), List.of(), List.of(), ANY));

  static List<Rule> of(Tree role) {
    return ofRules(role.trees("rules"));
  }

  /// The rules in a `rules` list.
  public static List<Rule> ofRules(List<Tree> trees) {
    var rules = new ArrayList<Rule>();
    for (var rule : trees) {
      rules.add(
          new Rule(
              texts(rule, "verbs"),
              texts(rule, "apiGroups"),
              texts(rule, "resources"),
              texts(rule, "resourceNames"),
              texts(rule, "nonResourceURLs")));
    }
    return rules;
  }

  private static List<String> texts(Tree rule, String field) {
    var texts = new ArrayList<String>();
    for (var value : rule.list(field)) {
      if (value instanceof String text) {
        texts.add(text);
      }
    }
    return List.copyOf(texts);
  }

  boolean allows(Request request) {
    if (!has(verbs, request.verb())) {
      return false;
    }
    if (!request.isResource()) {
      return allowsPath(request.path());
    }
    return has(groups, request.group())
        && allowsResource(request.resource(), request.subresource())
        && (names.isEmpty() || names.contains(request.name()));
  }

  private boolean allowsResource(String resource, String subresource) {
    if (resources.contains("*")) {
      return true;
    }
    if (subresource.isEmpty()) {
      return resources.contains(resource);
    }
    return resources.contains(resource + "/" + subresource)
        || resources.contains("*/" + subresource);
  }

  private boolean allowsPath(String path) {
    for (var each : paths) {
      if (each.equals("*")
          || each.equals(path)
          || (each.endsWith("*") && path.startsWith(each.substring(0, each.length() - 1)))) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(List<String> values, String wanted) {
    return values.contains("*") || values.contains(wanted);
  }

  /// Whether this rule allows everything the other, a rule of single values, does.
  private boolean covers(Rule one) {
    return coversAll(verbs, one.verbs)
        && coversAll(groups, one.groups)
        && coversResources(one)
        && (names.isEmpty() || (!one.names.isEmpty() && names.containsAll(one.names)))
        && coversPaths(one);
  }

  private static boolean coversAll(List<String> mine, List<String> others) {
    return mine.contains("*") || mine.containsAll(others);
  }

  private boolean coversResources(Rule one) {
    if (resources.contains("*")) {
      return true;
    }
    for (var wanted : one.resources) {
      int slash = wanted.indexOf('/');
      boolean covered =
          resources.contains(wanted)
              || (slash >= 0 && resources.contains("*" + wanted.substring(slash)));
      if (!covered) {
        return false;
      }
    }
    return true;
  }

  private boolean coversPaths(Rule one) {
    for (var wanted : one.paths) {
      if (!allowsPath(wanted)) {
        return false;
      }
    }
    return true;
  }

  /// What of `wanted` no rule of `owned` allows, each as a rule of single values.
  public static List<Rule> uncovered(List<Rule> owned, List<Rule> wanted) {
    var uncovered = new ArrayList<Rule>();
    for (var rule : wanted) {
      for (var one : rule.breakDown()) {
        if (owned.stream().noneMatch(each -> each.covers(one))) {
          uncovered.add(one);
        }
      }
    }
    return uncovered;
  }

  private List<Rule> breakDown() {
    var single = new ArrayList<Rule>();
    for (var group : groups) {
      for (var resource : resources) {
        for (var verb : verbs) {
          if (names.isEmpty()) {
            single.add(
                new Rule(List.of(verb), List.of(group), List.of(resource), List.of(), List.of()));
          }
          for (var name : names) {
            single.add(
                new Rule(
                    List.of(verb), List.of(group), List.of(resource), List.of(name), List.of()));
          }
        }
      }
    }
    for (var path : paths) {
      for (var verb : verbs) {
        single.add(new Rule(List.of(verb), List.of(), List.of(), List.of(), List.of(path)));
      }
    }
    return single;
  }
}
