package io.berth.workloads.serve;

import io.berth.answers.explain.Sight;
import io.berth.api.Tree;
import io.berth.workloads.access.Caller;
import io.berth.workloads.access.ResourceType;
import io.berth.workloads.access.Scope;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.org.Projects;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Keeps what belongs to others out of messages: who was evicted may know why, and not by whose
/// workload, unless the caller may see that one.
final class Discretion {

  private static final Set<String> TOLD =
      Set.of("message", "phaseMessage", "userMessage", "reason", "summary");
  // An object as messages name it: its namespace and its name.
  private static final Pattern OBJECT =
      Pattern.compile("([a-z0-9][-a-z0-9]*)/[a-z0-9]([-.a-z0-9]*[a-z0-9])?");

  private final Caller caller;
  private final Set<String> shown = new HashSet<>();
  private final Set<String> hidden = new HashSet<>();
  private final boolean seesAll;

  Discretion(State state, Caller caller) {
    this.caller = caller;
    this.seesAll = caller.sees(ResourceType.WORKLOADS, new Scopes(state).tenant());
    for (var project : state.units(BerthKinds.PROJECTS)) {
      boolean seen = caller.sees(ResourceType.WORKLOADS, Scope.project(Projects.id(project)));
      (seen ? shown : hidden).add(Projects.namespace(project));
    }
  }

  /// What the caller may see of the cluster, from a workload of this scope.
  Sight sight(Scope scope) {
    return new Sight(
        namespace -> seesAll || shown.contains(namespace), caller.sees(ResourceType.NODES, scope));
  }

  /// The same answer with nothing in its messages that the caller may not know.
  Tree applied(Tree answer) {
    return hidden.isEmpty() ? answer : object(answer);
  }

  private Tree object(Tree tree) {
    var told = new Tree();
    for (var name : tree.names()) {
      var value = tree.get(name);
      told.put(name, value instanceof String text && TOLD.contains(name) ? text(text) : of(value));
    }
    return told;
  }

  private @Nullable Object of(@Nullable Object value) {
    return switch (value) {
      case Tree tree -> object(tree);
      case List<?> list -> new ArrayList<@Nullable Object>(list.stream().map(this::of).toList());
      case null, default -> value;
    };
  }

  private String text(String message) {
    return OBJECT
        .matcher(message)
        .replaceAll(
            found -> hidden.contains(found.group(1)) ? "of another project" : found.group());
  }
}
