package io.berth.console;

import io.berth.answers.explain.Explanations.Wish;
import io.berth.answers.explain.PodExplanation;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.Selection;
import io.berth.console.sight.SeenExplanation;
import io.berth.console.view.ScoresView;
import io.berth.server.http.Answer;
import java.util.List;

/// One pod: as it is written, why it waits or is where it is, how nodes were scored for it.
final class PodEndpoint {

  private static final int EVENTS = 100;

  private final Material material;

  PodEndpoint(Material material) {
    this.material = material;
  }

  /// `path` is `NAMESPACE/NAME`, and perhaps what is asked of it. Who may not get the pod is not
  /// told whether there is one.
  Answer answer(Inquiry inquiry, List<String> path) {
    if (path.size() < 2 || path.size() > 3 || path.contains("")) {
      throw nothing(path);
    }
    var namespace = path.get(0);
    var name = path.get(1);
    if (!inquiry.visibility().gets(Resource.PODS, namespace, name)) {
      throw inquiry.forbidden("get", Resource.PODS, namespace, name);
    }
    return JsonBodies.json(
        switch (path.size() == 2 ? "" : path.get(2)) {
          case "" -> detail(inquiry.with(), namespace, name);
          case "explanation" -> explanation(inquiry.with("node"), namespace, name);
          case "scores" -> scores(inquiry.with("node"), namespace, name);
          default -> throw nothing(path);
        });
  }

  private static ApiException nothing(List<String> path) {
    return new ApiException(
        404,
        "NotFound",
        "there is nothing at pods/%s; use pods/NAMESPACE/NAME, and explanation or scores below"
            .formatted(String.join("/", path)));
  }

  private Tree detail(Inquiry inquiry, String namespace, String name) {
    var pod = material.cluster().fetch(Resource.PODS, namespace, name).copy();
    pod.treeOrEmpty("metadata").remove("managedFields");
    var tree = Tree.of("pod", pod);
    if (inquiry.visibility().lists(Resource.CORE_EVENTS, namespace)) {
      var selection = Selection.fields("involvedObject.kind=Pod,involvedObject.name=" + name);
      var events = material.cluster().list(Resource.CORE_EVENTS, namespace, selection).items();
      tree.put("events", events.stream().limit(EVENTS).map(PodEndpoint::event).toList());
    }
    return tree;
  }

  private static Tree event(Tree event) {
    var last = event.textOrEmpty("lastTimestamp");
    return Tree.of(
        "type", event.textOrEmpty("type"),
        "reason", event.textOrEmpty("reason"),
        "message", event.textOrEmpty("message"),
        "count", event.number(1, "count"),
        "time", last.isEmpty() ? event.textOrEmpty("eventTime") : last);
  }

  private Tree explanation(Inquiry inquiry, String namespace, String name) {
    var node = inquiry.parameter("node");
    var visibility = inquiry.visibility();
    if (!node.isEmpty() && !visibility.seesNodes()) {
      throw inquiry.forbidden("list", Resource.NODES, "", "");
    }
    var wish = new Wish(true, false, !node.isEmpty());
    var answer = explain(namespace, name, wish).on(node);
    return new SeenExplanation(answer, visibility).toTree();
  }

  /// What other pods add to a score would tell of them.
  private Tree scores(Inquiry inquiry, String namespace, String name) {
    inquiry.checkSeesAll();
    var answer = explain(namespace, name, new Wish(false, true, false));
    var node = inquiry.parameter("node");
    return node.isEmpty() ? ScoresView.of(answer) : ScoresView.of(answer, node);
  }

  private PodExplanation explain(String namespace, String name, Wish wish) {
    return material
        .answers()
        .explain(namespace, name, wish)
        .orElseThrow(() -> ApiException.notFound(Resource.PODS, name));
  }
}
