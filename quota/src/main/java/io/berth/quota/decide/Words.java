package io.berth.quota.decide;

import io.berth.quota.Counted;
import java.math.BigDecimal;

/// What users are told, in the words they know from Run:ai.
final class Words {

  private Words() {}

  static String overQuota(Queue queue, Counted resource, long[] asked) {
    int r = resource.index();
    return ("Non-preemptible workload is over quota. Workload requested %s %s, but %s quota is %s"
            + " %s, while %s %s are already allocated for non-preemptible pods. Use a"
            + " preemptible workload to go over quota.")
        .formatted(
            number(resource, asked[r]),
            noun(resource),
            queue.unit.name(),
            number(resource, queue.deserved[r]),
            unit(resource),
            number(resource, queue.nonPreemptible[r]),
            unit(resource));
  }

  static String overLimit(Queue queue, Counted resource, long[] asked) {
    int r = resource.index();
    return ("%s quota has reached the allowable limit of %s. Limit is %s %s, currently %s %s"
            + " allocated and workload requested %s %s")
        .formatted(
            queue.unit.name(),
            noun(resource),
            number(resource, queue.limit[r]),
            unit(resource),
            number(resource, queue.allocated[r]),
            unit(resource),
            number(resource, asked[r]),
            unit(resource));
  }

  static String reclaimed(Job by, Queue victim, long[] used) {
    return "was preempted by workload %s. %s uses %s with a quota of %s, fair-share of %s and queue priority of %d."
        .formatted(
            by.gang.name(),
            victim.unit.name(),
            list(used),
            list(victim.deserved),
            list(victim.fairShare),
            victim.rank);
  }

  static String preempted(Job by) {
    return "was preempted by higher priority workload " + by.gang.name();
  }

  static String moved() {
    return "was preempted and rescheduled due to bin packing (resource consolidation) procedure";
  }

  static String stale(Job job) {
    return "Workload doesn't meet the minimum required number of pods (%d)"
        .formatted(job.slots.stream().filter(s -> s.core).count() + job.missing);
  }

  static String held(Job by) {
    return "workload %s has waited longest and comes first; until it starts, nobody goes over quota past it"
        .formatted(by.gang.name());
  }

  private static String list(long[] amounts) {
    var text = new StringBuilder("<");
    for (var resource : Counted.values()) {
      text.append(text.length() > 1 ? ", " : "")
          .append(number(resource, amounts[resource.index()]))
          .append(' ')
          .append(noun(resource));
    }
    return text.append('>').toString();
  }

  static String number(Counted resource, long amount) {
    if (amount == Long.MAX_VALUE) {
      return "unlimited";
    }
    int digits = resource == Counted.MEMORY ? 9 : 3;
    var value = BigDecimal.valueOf(amount, digits).stripTrailingZeros();
    return value.setScale(Math.max(0, value.scale())).toPlainString();
  }

  private static String noun(Counted resource) {
    return switch (resource) {
      case GPU -> "GPUs";
      case CPU -> "CPU cores";
      case MEMORY -> "GB memory";
    };
  }

  private static String unit(Counted resource) {
    return switch (resource) {
      case GPU -> "GPUs";
      case CPU -> "cores";
      case MEMORY -> "GB";
    };
  }
}
