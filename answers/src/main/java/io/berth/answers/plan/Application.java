package io.berth.answers.plan;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.Node;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What `kubectl apply` sets off: objects change, owners make more, fewer or other pods.
final class Application {

  /// What pods depend on that other files may hold.
  private static final Set<String> SHARED = Set.of("PriorityClass", "Namespace");

  private final ImaginedCluster cluster;
  private final Owners owners;
  private final Settling settling;

  Application(ImaginedCluster cluster) {
    this.cluster = cluster;
    this.owners = new Owners(cluster);
    this.settling = new Settling(cluster);
  }

  void apply(List<Manifest> manifests) {
    var beside = new ArrayList<Manifest>();
    for (var manifest : cluster.manifests()) {
      if (SHARED.contains(manifest.kind())) {
        beside.add(manifest);
      }
    }
    beside.addAll(manifests);
    var applied = Survey.of(beside, cluster.survey().settings(), List.of());
    for (var manifest : applied.manifests()) {
      apply(manifest, applied);
    }
    new Daemons(cluster).settle();
    settling.settle();
  }

  private void apply(Manifest manifest, Survey applied) {
    var before = cluster.find(manifest.reference()).orElse(null);
    if (manifest.kind().equals(Pod.KIND)) {
      applied
          .findPod(manifest.namespace(), manifest.name())
          .ifPresent(pod -> addPod(pod, applied.topOwner(pod)));
      return;
    }
    cluster.put(manifest.tree(), manifest);
    if (manifest.template().isPresent() && !isMade(manifest)) {
      resize(manifest, before, applied);
    } else if (manifest.kind().equals(Node.KIND)) {
      settling.settle();
    }
  }

  private static boolean isMade(Manifest manifest) {
    return manifest.tree().trees("metadata", "ownerReferences").stream()
        .anyMatch(owner -> owner.flag("controller"));
  }

  /// A pod that is there already stays as it is: most of it cannot be changed.
  private void addPod(SurveyedPod each, ObjectReference owner) {
    var pod = each.pod();
    boolean known = cluster.findPod(pod.key()).filter(there -> !there.leftOver()).isPresent();
    if (!known && !pod.isFinished()) {
      cluster.addNew(new Resident(cluster.nextLineage(), null, owner, pod, each, false));
    }
  }

  private void resize(Manifest owner, @Nullable Manifest before, Survey applied) {
    if (owner.kind().equals("DaemonSet") || owner.kind().equals("CronJob")) {
      return;
    }
    long replicas = Replicas.of(owner);
    var old = cluster.podsOf(owner.reference());
    boolean changed = before != null && !before.template().equals(owner.template());
    if (changed && !old.isEmpty()) {
      replace(owner, old, replicas, applied);
    } else {
      owners.scale(owner.reference(), replicas, applied);
    }
    settling.settle();
  }

  /// One after the other: first the new pod where one more is allowed, else the old one goes first.
  private void replace(Manifest owner, List<Resident> old, long replicas, Survey applied) {
    var left = new ArrayList<>(old);
    boolean goesFirst = owner.kind().equals("StatefulSet") || maxSurge(owner) == 0;
    for (int i = 0; i < replicas; i++) {
      if (goesFirst && !left.isEmpty()) {
        cluster.vanish(left.removeLast());
      }
      cluster.addNew(owners.ofTemplate(owner, applied));
      settling.settle();
      if (!goesFirst && !left.isEmpty()) {
        cluster.vanish(left.removeLast());
      }
    }
    left.forEach(cluster::vanish);
  }

  private static long maxSurge(Manifest owner) {
    var surge = owner.tree().at("spec", "strategy", "rollingUpdate", "maxSurge");
    boolean recreate = owner.tree().textOrEmpty("spec", "strategy", "type").equals("Recreate");
    return recreate || (surge != null && (surge.equals(0L) || surge.equals("0%"))) ? 0 : 1;
  }
}
