package io.berth.answers.plan;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Survey;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What those do who make pods: another for one that goes, more or fewer when told so.
final class Owners {

  private static final String COST = "controller.kubernetes.io/pod-deletion-cost";

  private final ImaginedCluster cluster;

  Owners(ImaginedCluster cluster) {
    this.cluster = cluster;
  }

  /// The pod goes; its owner makes another, which waits.
  void evict(Resident pod) {
    cluster.vanish(pod);
    remake(pod);
  }

  /// The pod is to go, but its node does not answer. Whoever gives pods names of their own waits
  /// for the end of the old one.
  void evictUnheard(Resident pod) {
    cluster.leaveBehind(pod);
    if (!pod.madeBy().equals("StatefulSet")) {
      remake(pod);
    }
  }

  private void remake(Resident pod) {
    if (pod.isRemade()) {
      boolean named = pod.madeBy().equals("StatefulSet");
      cluster.addNew(pod.remade(named ? pod.pod().name() : cluster.nameLike(pod)));
    }
  }

  /// As many pods as the owner is to have. New ones are made of the template that `survey` knows.
  void scale(ObjectReference owner, long replicas, Survey survey) {
    var pods = cluster.podsOf(owner);
    if (pods.size() > replicas) {
      fewer(pods, (int) (pods.size() - replicas));
    }
    for (long i = pods.size(); i < replicas; i++) {
      cluster.addNew(
          pods.isEmpty() ? ofTemplate(template(owner), survey) : beside(owner, pods.getFirst()));
    }
  }

  private void fewer(List<Resident> pods, int count) {
    var order = new ArrayList<>(pods);
    order.sort(pods.getFirst().madeBy().equals("StatefulSet") ? BY_ORDINAL : leastMissed(pods));
    order.subList(0, count).forEach(cluster::vanish);
  }

  private static final Comparator<Resident> BY_ORDINAL =
      Comparator.comparingInt((Resident pod) -> ordinal(pod.pod().name())).reversed();

  static int ordinal(String name) {
    try {
      return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /// As in Kubernetes: those without a node, the cheaper ones, those beside more of their kind, the
  /// youngest.
  private static Comparator<Resident> leastMissed(List<Resident> siblings) {
    return Comparator.comparing((Resident pod) -> !pod.isWaiting())
        .thenComparingLong(Owners::cost)
        .thenComparingLong(
            pod -> -siblings.stream().filter(other -> other.node().equals(pod.node())).count())
        .thenComparing(Owners::age, Comparator.reverseOrder())
        .thenComparing(Resident::key, Comparator.reverseOrder());
  }

  private static long cost(Resident pod) {
    try {
      return Long.parseLong(
          pod.like().tree().texts("metadata", "annotations").getOrDefault(COST, "0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static String age(Resident pod) {
    return pod.like().tree().textOrEmpty("metadata", "creationTimestamp");
  }

  private Resident beside(ObjectReference owner, Resident sibling) {
    var name =
        sibling.madeBy().equals("StatefulSet") ? ordinalName(owner) : cluster.nameLike(sibling);
    return sibling.another(name, cluster.nextLineage());
  }

  private Manifest template(ObjectReference owner) {
    return cluster
        .find(owner)
        .filter(each -> each.template().isPresent())
        .orElseThrow(() ->
            new PlanStepException(
                "there is no %s %s that makes pods".formatted(owner.kind(), owner.key())));
  }

  /// A pod of a manifest's template.
  Resident ofTemplate(Manifest owner, Survey survey) {
    var name =
        owner.kind().equals("StatefulSet")
            ? ordinalName(owner.reference())
            : cluster.newName(owner.namespace(), owner.name(), "-");
    var pod = survey.podOf(owner, name);
    return new Resident(cluster.nextLineage(), null, owner.reference(), pod.pod(), pod, false);
  }

  private String ordinalName(ObjectReference owner) {
    var taken = cluster.podsOf(owner).stream().map(Resident::pod).map(Pod::name).toList();
    int ordinal = 0;
    while (taken.contains(owner.name() + "-" + ordinal)) {
      ordinal++;
    }
    return owner.name() + "-" + ordinal;
  }
}
