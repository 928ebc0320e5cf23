package io.berth.conformance.oracle;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// The score plugins over the feasible nodes: raw column and normalized column, or `null` when the
/// plugin has nothing to say about this pod.
final class Scores {

  private static final long MEBIBYTE = 1024 * 1024;

  private final World world;
  private final OraclePod pod;
  private final Profile profile;
  private final List<Situation> feasible;
  private final Map<String, List<OraclePod>> podsByNode;

  Scores(World world, OraclePod pod, Profile profile, List<Situation> feasible) {
    this.world = world;
    this.pod = pod;
    this.profile = profile;
    this.feasible = feasible;
    this.podsByNode = world.podsByNode();
  }

  /// Values follow the order of the feasible nodes.
  record Column(List<Long> raw, List<Long> norm) {}

  @Nullable Column column(String plugin) {
    return switch (plugin) {
      case "TaintToleration" -> reversed(raw(this::intolerableTaints));
      case "NodeAffinity" -> nodeAffinity();
      case "NodeResourcesFit" -> plain(raw(new FitScore(pod, profile)::score));
      case "NodeResourcesBalancedAllocation" -> balanced();
      case "PodTopologySpread" -> spread();
      case "InterPodAffinity" -> interPodAffinity();
      case "ImageLocality" -> plain(raw(this::imageLocality));
      default -> null;
    };
  }

  /// A preferred term that cannot be parsed ends the cycle, before any node is scored.
  @Nullable String preScoreError() {
    boolean broken =
        pod
            .tree
            .trees(
                "spec",
                "affinity",
                "nodeAffinity",
                "preferredDuringSchedulingIgnoredDuringExecution")
            .stream()
            .filter(term -> term.number(0, "weight") != 0)
            .map(term -> NodeTerm.of(term.treeOrEmpty("preference")))
            .anyMatch(term -> !term.isEmpty() && !term.isValid());
    return broken ? "running PreScore plugin \"NodeAffinity\": a term cannot be parsed" : null;
  }

  private long intolerableTaints(Situation at) {
    return at.node().taints().stream()
        .filter(taint -> taint.effect().equals("PreferNoSchedule"))
        .filter(taint ->
            pod.tolerations.stream()
                .filter(each -> each.effect().isEmpty() || each.effect().equals("PreferNoSchedule"))
                .noneMatch(each -> each.tolerates(taint)))
        .count();
  }

  private @Nullable Column nodeAffinity() {
    var preferred = "preferredDuringSchedulingIgnoredDuringExecution";
    var terms = new ArrayList<Tree>();
    terms.addAll(profile.args("NodeAffinity").trees("addedAffinity", preferred));
    terms.addAll(pod.tree.trees("spec", "affinity", "nodeAffinity", preferred));
    if (terms.isEmpty()) {
      return null;
    }
    var raw =
        raw(at ->
            terms.stream()
                .filter(term -> NodeTerm.of(term.treeOrEmpty("preference")).matches(at.node()))
                .mapToLong(term -> term.number(0, "weight"))
                .sum());
    long max = max(raw);
    return new Column(raw, max == 0 ? raw : map(raw, each -> 100 * each / max));
  }

  private @Nullable Column balanced() {
    var resources =
        Profile.resources(profile.args("NodeResourcesBalancedAllocation").trees("resources"));
    var requests = new Requests(pod.tree).incoming();
    if (resources.keySet().stream().allMatch(each -> requests.getOrDefault(each, 0L) == 0)) {
      return null;
    }
    return plain(
        raw(at -> {
          var before = new ArrayList<Double>();
          var after = new ArrayList<Double>();
          for (var resource : resources.keySet()) {
            long wanted = requests.getOrDefault(resource, 0L);
            long allocatable = at.node().allocatable(resource);
            boolean skip = wanted == 0 && Requests.isScalar(resource);
            if (allocatable != 0 && !skip) {
              long used = at.requested(resource);
              before.add(Math.min(1, (double) used / allocatable));
              after.add(Math.min(1, (double) (used + wanted) / allocatable));
            }
          }
          return 50 + (50 + balance(after) - balance(before)) / 2;
        }));
  }

  private static long balance(List<Double> fractions) {
    double deviation = 0;
    if (fractions.size() == 2) {
      deviation = Math.abs((fractions.get(0) - fractions.get(1)) / 2);
    } else if (fractions.size() > 2) {
      double sum = 0;
      for (var each : fractions) {
        sum += each;
      }
      double mean = sum / fractions.size();
      double squares = 0;
      for (var each : fractions) {
        squares += (each - mean) * (each - mean);
      }
      deviation = Math.sqrt(squares / fractions.size());
    }
    return (long) ((1 - deviation) * 100);
  }

  private @Nullable Column spread() {
    var spread = new Spread(world, pod, profile);
    var constraints = spread.constraints("ScheduleAnyway");
    if (constraints.isEmpty()) {
      return null;
    }
    boolean allKeys = spread.ownConstraints() || !spread.systemDefaults();
    var ignored = new HashSet<String>();
    for (var at : feasible) {
      if (allKeys && !hasAll(at.node(), constraints)) {
        ignored.add(at.node().name());
      }
    }
    var sums = new HashMap<String, Double>();
    for (var constraint : constraints) {
      addSpread(constraint, constraints, allKeys, ignored, sums);
    }
    var raw =
        raw(at ->
            ignored.contains(at.node().name())
                ? 0
                : Math.round(sums.getOrDefault(at.node().name(), 0.0)));
    return new Column(raw, normalizedSpread(raw, ignored));
  }

  private void addSpread(
      Spread.Constraint constraint,
      List<Spread.Constraint> constraints,
      boolean allKeys,
      Set<String> ignored,
      Map<String, Double> sums) {
    boolean hostname = constraint.key().equals("kubernetes.io/hostname");
    var counts = new HashMap<String, Long>();
    for (var at : feasible) {
      if (!ignored.contains(at.node().name())) {
        counts.put(at.node().labels().getOrDefault(constraint.key(), ""), 0L);
      }
    }
    for (var node : world.nodes.values()) {
      var value = node.labels().getOrDefault(constraint.key(), "");
      if ((!allKeys || hasAll(node, constraints))
          && counts.containsKey(value)
          && constraint.includes(node, pod)) {
        counts.merge(value, constraint.count(pods(node), pod), Long::sum);
      }
    }
    double weight = Math.log((hostname ? feasible.size() - ignored.size() : counts.size()) + 2.0);
    for (var at : feasible) {
      var value = at.node().labels().get(constraint.key());
      if (value != null && !ignored.contains(at.node().name())) {
        long count =
            hostname ? constraint.count(at.pods(), pod) : Objects.requireNonNull(counts.get(value));
        sums.merge(at.node().name(), count * weight + (constraint.maxSkew() - 1), Double::sum);
      }
    }
  }

  private List<Long> normalizedSpread(List<Long> raw, Set<String> ignored) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (int i = 0; i < raw.size(); i++) {
      if (!ignored.contains(feasible.get(i).node().name())) {
        min = Math.min(min, raw.get(i));
        max = Math.max(max, raw.get(i));
      }
    }
    var norm = new ArrayList<Long>();
    for (int i = 0; i < raw.size(); i++) {
      if (ignored.contains(feasible.get(i).node().name())) {
        norm.add(0L);
      } else {
        norm.add(max == 0 ? 100 : 100 * (max + min - raw.get(i)) / max);
      }
    }
    return norm;
  }

  private @Nullable Column interPodAffinity() {
    var args = profile.args("InterPodAffinity");
    boolean own = !pod.preferredAffinity.isEmpty() || !pod.preferredAntiAffinity.isEmpty();
    if (args.flag("ignorePreferredTermsOfExistingPods") && !own) {
      return null;
    }
    long hard = args.number(1, "hardPodAffinityWeight");
    var sums = new HashMap<FilterState.Pair, Long>();
    var namespace = world.namespaceLabels(pod.namespace);
    for (var node : world.nodes.values()) {
      for (var existing : pods(node)) {
        pod.preferredAffinity.forEach(
            term -> addWeight(sums, term, node, world.matches(term, existing), term.weight()));
        pod.preferredAntiAffinity.forEach(
            term -> addWeight(sums, term, node, world.matches(term, existing), -term.weight()));
        if (hard > 0) {
          existing.requiredAffinity.forEach(
              term -> addWeight(sums, term, node, term.matches(pod, namespace), hard));
        }
        existing.preferredAffinity.forEach(
            term -> addWeight(sums, term, node, term.matches(pod, namespace), term.weight()));
        existing.preferredAntiAffinity.forEach(
            term -> addWeight(sums, term, node, term.matches(pod, namespace), -term.weight()));
      }
    }
    if (sums.isEmpty()) {
      return null;
    }
    var raw =
        raw(at ->
            at.node().labels().entrySet().stream()
                .mapToLong(label ->
                    sums.getOrDefault(new FilterState.Pair(label.getKey(), label.getValue()), 0L))
                .sum());
    long min = raw.stream().mapToLong(each -> each).min().orElse(0);
    long spread = max(raw) - min;
    return new Column(
        raw, map(raw, each -> spread == 0 ? 0 : (long) (100.0 * ((double) (each - min) / spread))));
  }

  private static void addWeight(
      Map<FilterState.Pair, Long> sums,
      OraclePod.Term term,
      OracleNode node,
      boolean matches,
      long weight) {
    var value = node.labels().get(term.topologyKey());
    if (matches && value != null) {
      sums.merge(new FilterState.Pair(term.topologyKey(), value), weight, Long::sum);
    }
  }

  private long imageLocality(Situation at) {
    var images = new ArrayList<String>();
    for (var list : List.of("initContainers", "containers")) {
      pod.tree.trees("spec", list).forEach(each -> images.add(each.textOrEmpty("image")));
    }
    for (var volume : pod.tree.trees("spec", "volumes")) {
      if (volume.has("image")) {
        images.add(volume.textOrEmpty("image", "reference"));
      }
    }
    long sum = 0;
    for (var image : images) {
      var name = image.lastIndexOf(':') <= image.lastIndexOf('/') ? image + ":latest" : image;
      if (at.node().images().containsKey(name)) {
        sum += share(name);
      }
    }
    long min = 23 * MEBIBYTE;
    long max = 1000 * MEBIBYTE * images.size();
    return 100 * (Math.clamp(sum, min, max) - min) / (max - min);
  }

  /// The size its first node gives, spread over the part of the nodes that has the image.
  private long share(String image) {
    var sizes =
        world.nodes.values().stream()
            .filter(node -> node.images().containsKey(image))
            .map(node -> node.images().get(image))
            .toList();
    return (long) (sizes.getFirst() * ((double) sizes.size() / world.nodes.size()));
  }

  private List<OraclePod> pods(OracleNode node) {
    return Objects.requireNonNull(podsByNode.get(node.name()));
  }

  private static boolean hasAll(OracleNode node, List<Spread.Constraint> constraints) {
    return constraints.stream().allMatch(each -> node.labels().containsKey(each.key()));
  }

  private List<Long> raw(ToLongFunction<Situation> score) {
    return feasible.stream().map(score::applyAsLong).toList();
  }

  private static Column plain(List<Long> raw) {
    return new Column(raw, raw);
  }

  private static Column reversed(List<Long> raw) {
    long max = max(raw);
    return new Column(raw, map(raw, each -> max == 0 ? 100 : 100 - 100 * each / max));
  }

  private static long max(List<Long> raw) {
    return raw.stream().mapToLong(each -> each).max().orElse(0);
  }

  private static List<Long> map(List<Long> raw, ToLongFunction<Long> function) {
    return raw.stream().map(function::applyAsLong).toList();
  }
}
