package io.berth.engine.rule;

import io.berth.api.SchedulerProfile;
import io.berth.engine.rule.affinity.InterPodAffinity;
import io.berth.engine.rule.affinity.InterPodAffinityArgs;
import io.berth.engine.rule.affinity.NodeAffinity;
import io.berth.engine.rule.affinity.NodeAffinityArgs;
import io.berth.engine.rule.device.DynamicResources;
import io.berth.engine.rule.image.ImageLocality;
import io.berth.engine.rule.node.NodeDeclaredFeatures;
import io.berth.engine.rule.node.NodeName;
import io.berth.engine.rule.node.NodeUnschedulable;
import io.berth.engine.rule.port.NodePorts;
import io.berth.engine.rule.resources.BalancedAllocationArgs;
import io.berth.engine.rule.resources.NodeResourcesBalancedAllocation;
import io.berth.engine.rule.resources.NodeResourcesFit;
import io.berth.engine.rule.resources.NodeResourcesFitArgs;
import io.berth.engine.rule.spread.PodTopologySpread;
import io.berth.engine.rule.spread.PodTopologySpreadArgs;
import io.berth.engine.rule.taint.TaintToleration;
import io.berth.engine.rule.volume.NodeVolumeLimits;
import io.berth.engine.rule.volume.VolumeBinding;
import io.berth.engine.rule.volume.VolumeBindingArgs;
import io.berth.engine.rule.volume.VolumeRestrictions;
import io.berth.engine.rule.volume.VolumeZone;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Kubernetes' own rules, each made once for a profile with the arguments it has there.
final class ProfileRules {

  private final SchedulerProfile profile;
  private final String path;
  private final Map<Integer, List<String>> problems = new TreeMap<>();
  private final List<String> problemsWithFit = new ArrayList<>();
  private final NodeResourcesFit fit;
  private final Map<String, Rule> byName = new LinkedHashMap<>();

  ProfileRules(SchedulerProfile profile, String path) {
    this.profile = profile;
    this.path = path;
    this.fit =
        new NodeResourcesFit(
            NodeResourcesFitArgs.read(
                new Args(profile.args("NodeResourcesFit"), "", problemsWithFit),
                profile.ignoredResources()));
    DefaultPreemptionArgs.check(args("DefaultPreemption"));
    add(new NodeName());
    add(new NodeUnschedulable());
    add(new TaintToleration());
    add(new NodeAffinity(NodeAffinityArgs.read(args("NodeAffinity"))));
    add(new NodePorts());
    add(fit);
    add(new VolumeRestrictions());
    add(new NodeVolumeLimits());
    add(new VolumeBinding(VolumeBindingArgs.read(args("VolumeBinding"))));
    add(new VolumeZone());
    add(new PodTopologySpread(PodTopologySpreadArgs.read(args("PodTopologySpread"))));
    add(new InterPodAffinity(InterPodAffinityArgs.read(args("InterPodAffinity"))));
    add(new DynamicResources());
    add(
        new NodeResourcesBalancedAllocation(
            BalancedAllocationArgs.read(args("NodeResourcesBalancedAllocation"))));
    add(new ImageLocality());
    add(new NodeDeclaredFeatures());
  }

  private void add(Rule rule) {
    byName.put(rule.name(), rule);
  }

  private Args args(String plugin) {
    int place = profile.placeOfArgs(plugin);
    var at = path + ".pluginConfig[" + place + "].args";
    var found = problems.computeIfAbsent(place, _ -> new ArrayList<>());
    return new Args(profile.args(plugin), at, found);
  }

  /// What is wrong with the arguments, in the order in which they were written.
  List<String> problems() {
    return problems.values().stream().flatMap(List::stream).toList();
  }

  /// As in Kubernetes: NodeResourcesFit checks its arguments when the profile is put together, and
  /// only if the plugin is in it.
  void checkInitialized(Predicate<Rule> isUsed) {
    if (!problemsWithFit.isEmpty() && isUsed.test(fit)) {
      throw new IllegalArgumentException(
          "initializing profiles: creating profile for scheduler name %s: initializing plugin \"%s\": %s"
              .formatted(profile.schedulerName(), fit.name(), Args.together(problemsWithFit)));
    }
  }

  Map<String, Rule> byName() {
    return byName;
  }
}
