package io.berth.engine.decide;

import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Extension;
import io.berth.engine.Preemption;
import io.berth.engine.Rejection;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.NodeTable;
import io.berth.engine.rule.Profile;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Puts together why no node of a view takes a pod, from the groups' counts, and what preemption
/// can do about it.
final class Refusal {

  private final Pod pod;
  private final Profile profile;
  private final Objections objections;
  private final Groups groups;
  private final GroupFilter filter;
  private final Cycle cycle;
  private final Crowd crowd;
  private final ClusterModel cluster;
  private final NodeTable nodes;

  Refusal(
      Pod pod, Profile profile, Views.Kept kept, Cycle cycle, Crowd crowd, ClusterModel cluster) {
    this.pod = pod;
    this.profile = profile;
    this.objections = kept.view.objections();
    this.groups = kept.view.groups();
    this.filter = kept.ranking.filter();
    this.cycle = cycle;
    this.crowd = crowd;
    this.cluster = cluster;
    this.nodes = cluster.nodes();
  }

  Decision decision() {
    var message = new Message(nodes.count());
    Set<String> rejectors = new TreeSet<>();
    for (int i = 0; i < groups.count(); i++) {
      count(groups.get(i), message, rejectors);
    }
    for (var rejection : crowd.aside().values()) {
      message.add(rejection, 1);
      rejectors.add(rejection.plugin());
    }
    var preemption = profile.preempts() ? preempt() : null;
    var text = Message.with(message.toString(), preemption == null ? "" : preemption.message());
    return new Decision.Unschedulable(text, rejectors, preemption);
  }

  private void count(Group group, Message message, Set<String> rejectors) {
    group.objection = filter.objection(group);
    if (group.size > 0) {
      var rejection = objections.rejection(group.objection);
      message.add(rejection, group.size);
      rejectors.add(rejection.plugin());
    }
    for (int verdict = 1; verdict < group.refusals.length; verdict++) {
      if (group.refusals[verdict] > 0) {
        var rejection = rejection(group, verdict);
        message.add(rejection, group.refusals[verdict]);
        rejectors.add(rejection.plugin());
      }
    }
  }

  /// Of a node's own objection and its group's, the one whose rule runs first.
  private Rejection rejection(Group group, int verdict) {
    return objections.rejection(objections.first(group.objection, verdict));
  }

  private @Nullable Rejection rejection(int node) {
    if (!crowd.aside().isEmpty()) {
      var aside = crowd.aside().get(node);
      if (aside != null) {
        return aside;
      }
    }
    var group = groups.of(node);
    return group == null ? null : rejection(group, groups.verdictOf(node));
  }

  private Preemption preempt() {
    int nominated = nodes.find(pod.status().nominatedNodeName());
    return new Preemptor(pod, cycle, cluster, Extension.NONE)
        .choose(this::mayHelp, nominated < 0 ? null : rejection(nominated));
  }

  private boolean mayHelp(int node) {
    var rejection = rejection(node);
    return rejection != null && Cycle.mayHelp(rejection);
  }
}
