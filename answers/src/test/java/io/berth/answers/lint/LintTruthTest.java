package io.berth.answers.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Origin;
import io.berth.answers.source.Survey;
import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Errors are proven: over random manifests, whoever lint calls an error is not placed whole by the
/// engine, in whatever order pods come.
class LintTruthTest {

  private static final int MANIFESTS = Integer.getInteger("lint.manifests", 10_000);
  private static final long SEED = Long.getLong("berth.seed", 17);
  private static final int ORDERS = 3;

  private final Random random = new Random(SEED);
  private final Map<String, Integer> errors = new TreeMap<>();

  @Test
  void noErrorContradictsTheEngine() {
    int manifests = 0;
    while (manifests < MANIFESTS) {
      var objects = objects();
      manifests += objects.size();
      check(Survey.of(objects));
    }

    assertThat(errors).as("rules that found errors, seed %d", SEED).hasSizeGreaterThanOrEqualTo(7);
  }

  private void check(Survey survey) {
    var input = new LintInput(survey);
    var blamed = new HashMap<LintedPod, String>();
    for (var pod : input.linted()) {
      for (var rule : LintRules.ALL) {
        for (var complaint : rule.check(pod, input)) {
          if (complaint.severity() == Severity.ERROR) {
            blamed.put(pod, rule.id() + " " + complaint);
            errors.merge(rule.id(), 1, Integer::sum);
          }
        }
      }
    }
    for (int i = 0; i < ORDERS && !blamed.isEmpty(); i++) {
      var whole = placedWhole(survey, input);
      blamed.forEach((pod, why) ->
          assertThat(whole)
              .as("seed %d, nodes %s: %s", SEED, input.nodes(), why)
              .doesNotContain(pod));
    }
  }

  /// Those all of whose replicas find a place when everybody tries until nobody gets any further.
  private Set<LintedPod> placedWhole(Survey survey, LintInput input) {
    var engine = survey.emptyEngine();
    survey.surroundings().forEach(engine::put);
    var waiting = new ArrayList<Map.Entry<LintedPod, Pod>>();
    for (var linted : input.linted()) {
      for (int i = 0; i < linted.replicas(); i++) {
        waiting.add(Map.entry(linted, linted.pod().withName(linted.pod().name() + "-" + i)));
      }
    }
    Collections.shuffle(waiting, random);
    while (waiting.removeIf(each -> isPlaced(each.getValue(), engine))) {
      // Whoever came may be whom another waits for.
    }
    var whole = new HashSet<>(input.linted());
    waiting.forEach(each -> whole.remove(each.getKey()));
    return whole;
  }

  private static boolean isPlaced(Pod pod, Engine engine) {
    if (engine.decide(pod) instanceof Decision.Placed(var node, _)) {
      engine.assume(pod, node);
      return true;
    }
    return false;
  }

  private List<Manifest> objects() {
    var objects = new ArrayList<Manifest>();
    for (int i = random.nextInt(5); i > 0; i--) {
      objects.add(manifest(node("n" + i)));
    }
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      objects.add(manifest(deployment("d" + i)));
    }
    return objects;
  }

  private static Manifest manifest(Tree tree) {
    return new Manifest(tree, new Origin("random.yaml", 1));
  }

  private Tree node(String name) {
    var labels = new Tree();
    for (var key : List.of("zone", "disk", "gen")) {
      if (random.nextInt(4) > 0) {
        labels.put(key, value(key));
      }
    }
    var node = Tree.of("apiVersion", "v1", "kind", Node.KIND);
    node.put("metadata", Tree.of("name", name, "labels", labels.put("host", name)));
    node.put("status", Tree.of("allocatable", Tree.of("pods", "110")));
    if (random.nextInt(4) == 0) {
      var taint = Tree.of("key", "gpu", "value", value("zone"), "effect", "NoSchedule");
      node.put("spec", Tree.of("taints", List.of(taint)));
    }
    return node;
  }

  private Tree deployment(String name) {
    var spec = Tree.of("containers", List.of(Tree.of("name", "c")));
    if (random.nextInt(3) == 0) {
      spec.put("nodeSelector", Tree.of(key(), value("disk")));
    }
    if (random.nextInt(3) == 0) {
      spec.put("tolerations", List.of(Tree.of("key", "gpu", "operator", "Exists")));
    }
    if (random.nextInt(3) == 0) {
      spec.put("topologySpreadConstraints", List.of(constraint()));
    }
    var affinity = new Tree();
    if (random.nextInt(2) == 0) {
      affinity.put("nodeAffinity", nodeAffinity());
    }
    for (var kind : List.of("podAffinity", "podAntiAffinity")) {
      if (random.nextInt(3) == 0) {
        affinity.put(kind, podAffinity());
      }
    }
    var labels = Tree.of("app", app());
    var template = Tree.of("metadata", Tree.of("labels", labels));
    template.put("spec", spec.put("affinity", affinity));
    return Tree.of("apiVersion", "apps/v1", "kind", "Deployment")
        .put("metadata", Tree.of("name", name))
        .put("spec", Tree.of("replicas", 1L + random.nextInt(4)).put("template", template));
  }

  private Tree nodeAffinity() {
    var affinity = new Tree();
    var terms = new ArrayList<Tree>();
    for (int i = random.nextInt(3); i > 0; i--) {
      terms.add(Tree.of("matchExpressions", clauses()));
    }
    affinity.put(
        "requiredDuringSchedulingIgnoredDuringExecution", Tree.of("nodeSelectorTerms", terms));
    if (random.nextInt(3) == 0) {
      var preference = Tree.of("matchExpressions", clauses());
      affinity.put(
          "preferredDuringSchedulingIgnoredDuringExecution",
          List.of(Tree.of("weight", 1L, "preference", preference)));
      affinity.remove(random.nextBoolean() ? "requiredDuringSchedulingIgnoredDuringExecution" : "");
    }
    return affinity;
  }

  private List<Tree> clauses() {
    var clauses = new ArrayList<Tree>();
    for (int i = random.nextInt(4); i > 0; i--) {
      var key = key();
      var operator =
          List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt").get(random.nextInt(6));
      boolean bare = operator.endsWith("xists") || operator.endsWith("xist");
      clauses.add(
          Tree.of("key", key, "operator", operator)
              .put("values", bare ? List.of() : List.of(value(key))));
    }
    return clauses;
  }

  private Tree podAffinity() {
    var terms = new ArrayList<Tree>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      terms.add(Tree.of("labelSelector", selector(), "topologyKey", topology()));
    }
    return Tree.of("requiredDuringSchedulingIgnoredDuringExecution", terms);
  }

  private Tree constraint() {
    return Tree.of("maxSkew", 1L, "topologyKey", topology(), "labelSelector", selector())
        .put("whenUnsatisfiable", random.nextBoolean() ? "DoNotSchedule" : "ScheduleAnyway");
  }

  private Tree selector() {
    var selector = Tree.of("matchLabels", Tree.of("app", app()));
    if (random.nextInt(4) == 0) {
      selector.put(
          "matchExpressions",
          List.of(Tree.of("key", "app", "operator", "NotIn", "values", List.of(app()))));
    }
    return selector;
  }

  private String app() {
    return "app" + random.nextInt(3);
  }

  private String key() {
    return List.of("zone", "disk", "gen").get(random.nextInt(3));
  }

  private String topology() {
    return List.of("zone", "host", "disk", "rack").get(random.nextInt(4));
  }

  private String value(String key) {
    return key.equals("gen")
        ? List.of("1", "2", "3", "x").get(random.nextInt(4))
        : List.of("a", "b").get(random.nextInt(2));
  }
}
