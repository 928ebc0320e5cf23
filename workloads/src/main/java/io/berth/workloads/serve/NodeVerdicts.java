package io.berth.workloads.serve;

import io.berth.answers.explain.Obstruction;
import io.berth.answers.explain.PodExplanation;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.Projects;
import io.berth.workloads.serve.RolePlacement.Judged;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Platform;
import io.berth.workloads.submit.PodRoles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What an explanation says, node by node: whether a pod of a role fits there, what is in the way,
/// and who asked for that.
final class NodeVerdicts {

  private static final String NODE_AFFINITY = "spec.affinity.nodeAffinity.";
  private static final String NODE_SELECTOR = "spec.nodeSelector[";
  private static final String EXPRESSION = ".matchExpressions[";

  private final State state;
  private final NodePools pools;
  private final Sources sources;

  NodeVerdicts(State state, NodePools pools, Sources sources) {
    this.state = state;
    this.pools = pools;
    this.sources = sources;
  }

  List<Object> of(Found found, PodRoles.Role role, Judged judged) {
    var causes = byNode(judged.answer());
    var poolOf = pools.poolsByNode();
    var nodes = new ArrayList<Object>();
    for (var node : state.table(Resource.NODES).all()) {
      var name = Projects.name(node);
      var cause = nearest(causes.getOrDefault(name, List.of()));
      if (cause == null) {
        nodes.add(unobstructed(name, judged.answer()));
      } else {
        var source = source(found, role, judged.pod(), cause);
        var pool = poolOf.getOrDefault(name, NodePools.DEFAULT);
        var words = source.equals("pool") ? "it is in node pool " + pool : words(cause);
        nodes.add(refused(name, words, source));
      }
    }
    return nodes;
  }

  private static Map<String, List<Obstruction>> byNode(PodExplanation answer) {
    var byNode = new HashMap<String, List<Obstruction>>();
    for (var cause : answer.causes()) {
      for (var node : cause.nodes()) {
        byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(cause);
      }
    }
    return byNode;
  }

  // Where no node was looked at, none takes the pod.
  private static Tree unobstructed(String node, PodExplanation answer) {
    return switch (answer.verdict()) {
      case FITS, BOUND -> Tree.of("node", node, "matches", true);
      case GATED, UNSERVED, FAILED, NEVER, NOT_NOW -> refused(node, answer.message(), "platform");
    };
  }

  private static Tree refused(String node, String obstacle, String source) {
    return Tree.of("node", node, "matches", false, "obstacle", obstacle, "source", source);
  }

  /// The explanation as the API tells it: of demands that a policy or a pool made, it is said so;
  /// changes are made to the workload, not to its pods.
  Tree told(Found found, PodRoles.Role role, Judged judged) {
    var answer = judged.answer();
    var tree = answer.toTree();
    var causes = new ArrayList<Object>();
    for (int i = 0; i < answer.causes().size(); i++) {
      var told = tree.trees("causes").get(i);
      var source = source(found, role, judged.pod(), answer.causes().get(i));
      if (source.equals("policy")) {
        told.put("source", Tree.of("policy", found.kind().policy().path()));
      } else if (source.equals("pool")) {
        var allowed = found.workload().list("status", "placements", role.name(), "pools");
        var names = allowed.stream().map(String::valueOf).toList();
        told.put("source", Tree.of("pool", String.join(", ", names)));
      }
      causes.add(told);
    }
    tree.put("causes", causes);
    for (var suggestion : tree.trees("suggestions")) {
      List.of("object", "patch", "command").forEach(suggestion::remove);
    }
    return tree;
  }

  private static String words(Obstruction cause) {
    return cause.why().isEmpty() ? cause.reason() : cause.why();
  }

  /// The first rule's objection; of several terms that are alternatives, one of that which is most
  /// nearly satisfied.
  private static @Nullable Obstruction nearest(List<Obstruction> causes) {
    if (causes.isEmpty()) {
      return null;
    }
    var first = causes.getFirst();
    var unmet = new HashMap<String, Integer>();
    causes.forEach(cause -> unmet.merge(term(cause), 1, Integer::sum));
    return causes.stream()
        .filter(cause -> cause.rule().equals(first.rule()))
        .min((one, other) -> count(unmet, one) - count(unmet, other))
        .orElse(first);
  }

  private static int count(Map<String, Integer> unmet, Obstruction cause) {
    return unmet.getOrDefault(term(cause), 0);
  }

  private static String term(Obstruction cause) {
    int expression = cause.field().lastIndexOf(EXPRESSION);
    return expression < 0 ? cause.field() : cause.field().substring(0, expression);
  }

  /// Who asked for it: `user`, `policy`, `pool`, `platform`; or what is short or closed there.
  String source(Found found, PodRoles.Role role, Tree pod, Obstruction cause) {
    if (cause.shortage() != null) {
      return "capacity";
    }
    if (!cause.source().kind().equals("pod")) {
      return "platform";
    }
    if (!cause.source().name().equals(namespace(pod) + "/" + Projects.name(pod))) {
      return "pod";
    }
    var expression = expression(pod, cause.field());
    if (expression != null) {
      return sources.of(found, role, expression);
    }
    if (cause.field().startsWith(NODE_SELECTOR)) {
      var key = cause.field().substring(NODE_SELECTOR.length(), cause.field().length() - 1);
      return key.equals(Platform.NODE_TYPE_LABEL)
          ? sources.ofNodeType(found, role)
          : sources.of(found, role, Tree.of("key", key));
    }
    return cause.field().equals("spec.tolerations") ? "node" : "user";
  }

  private static String namespace(Tree pod) {
    return pod.textOrEmpty("metadata", "namespace");
  }

  /// The expression of the pod's node affinity that a field names.
  private static @Nullable Tree expression(Tree pod, String field) {
    int at = field.lastIndexOf(EXPRESSION);
    if (!field.startsWith(NODE_AFFINITY) || at < 0) {
      return null;
    }
    var term = field.substring(field.lastIndexOf('[', at - 1) + 1, at - 1);
    var place = field.substring(at + EXPRESSION.length(), field.length() - 1);
    var terms =
        pod.trees(
            "spec",
            "affinity",
            "nodeAffinity",
            "requiredDuringSchedulingIgnoredDuringExecution",
            "nodeSelectorTerms");
    // The pod may have been changed since it was judged.
    var found = at(terms, term);
    return found == null ? null : at(found.trees("matchExpressions"), place);
  }

  private static @Nullable Tree at(List<Tree> list, String place) {
    int index = Integer.parseInt(place);
    return index < list.size() ? list.get(index) : null;
  }
}
