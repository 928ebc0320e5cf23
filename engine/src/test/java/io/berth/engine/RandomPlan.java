package io.berth.engine;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;

/// Random steps of plans, over every kind of object.
final class RandomPlan {

  private RandomPlan() {}

  static void step(Plan plan, RandomCluster random, RandomStorage disks) {
    switch (random.below(6)) {
      case 0 -> plan.remove(reference(random, disks));
      case 1 -> plan.evict(random.namespaceName(), random.podName());
      case 2 -> placeWhereItFits(plan, disks.using(random.pod(random.podName())));
      case 3 -> takeBack(plan, random, disks);
      default -> plan.put(object(random, disks));
    }
  }

  private static void placeWhereItFits(Plan plan, Pod pod) {
    if (plan.decide(pod) instanceof Decision.Placed placed) {
      plan.place(pod, placed.node());
    }
  }

  private static void takeBack(Plan plan, RandomCluster random, RandomStorage disks) {
    int mark = plan.checkpoint();
    for (int i = random.below(3); i >= 0; i--) {
      plan.put(object(random, disks));
      plan.remove(reference(random, disks));
    }
    plan.rollback(mark);
  }

  static ClusterObject object(RandomCluster random, RandomStorage disks) {
    return switch (random.below(8)) {
      case 0, 1 -> random.node(random.nodeName());
      case 2 -> random.namespace(random.namespaceName());
      case 3 -> random.budget();
      case 4 -> random.owner();
      case 5 -> disks.using(random.running(random.podName()));
      default -> disks.object();
    };
  }

  private static ObjectReference reference(RandomCluster random, RandomStorage disks) {
    return object(random, disks).reference();
  }
}
