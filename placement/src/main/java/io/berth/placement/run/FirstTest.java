package io.berth.placement.run;

import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.Tree;
import io.berth.codec.Yaml;
import io.berth.placement.check.Situation;
import io.berth.placement.document.TestOutline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A first test of a cluster: what holds there now, to go on from.
public final class FirstTest {

  private static final String ZONE = "topology.kubernetes.io/zone";

  private FirstTest() {}

  /// The objects of the cluster, as a file.
  public static String objects(Survey survey) {
    var text = new StringBuilder();
    for (var manifest : survey.manifests()) {
      text.append("---\n").append(Yaml.write(withoutManagers(manifest.tree())));
    }
    return text.toString();
  }

  private static Tree withoutManagers(Tree object) {
    var copy = object.copy();
    copy.child("metadata").remove("managedFields");
    return copy;
  }

  /// A test on these objects, which are in a file of this name beside it.
  public static String document(Survey survey, String name, String objects) {
    var then = new ArrayList<Tree>();
    then.add(
        survey.waiting().stream().allMatch(SurveyedPod::isOfTemplate)
            ? Tree.of("nothingPending", Tree.of("mayBeEmpty", true))
            : Tree.of("moved", Tree.of("atMost", 0, "mayBeEmpty", true)));
    skews(survey).forEach((labels, skew) -> then.add(skewCheck(labels, skew)));
    var test =
        Tree.of("apiVersion", TestOutline.API_VERSION, "kind", TestOutline.KIND)
            .put("metadata", Tree.of("name", name))
            .put("given", List.of(Tree.of("snapshot", objects)))
            .put("when", List.of(Tree.of("passes", "10m")))
            .put("then", then);
    return """
    # What holds now. Next, try what shall hold when something happens:
    #   when: [{lose: {zone: ZONE}}]
    %s\
    """
        .formatted(Yaml.write(test));
  }

  /// By the label that most tools set: how uneven pods are over zones.
  private static Map<Map<String, String>, Integer> skews(Survey survey) {
    var situation = new Situation(survey, null);
    var skews = new LinkedHashMap<Map<String, String>, Integer>();
    var apps = new TreeMap<String, String>();
    for (var pod : survey.pods()) {
      for (var key : List.of("app.kubernetes.io/name", "app")) {
        var value = pod.pod().labels().get(key);
        if (value != null && !pod.isOfTemplate()) {
          apps.put(value, key);
        }
      }
    }
    apps.forEach((value, key) -> {
      int skew = situation.skew(Map.of(key, value), ZONE);
      if (skew >= 0) {
        skews.put(Map.of(key, value), skew);
      }
    });
    return skews;
  }

  private static Tree skewCheck(Map<String, String> labels, int skew) {
    return Tree.of(
        "skew", Tree.of("pods", Tree.ofMap(labels), "by", ZONE, "atMost", Math.max(1, skew)));
  }
}
