package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.api.PodGroup;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.PatchType;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Tells users what happened: events, and the PodScheduled condition of pods that stay pending.
final class Reporter {

  private static final int MAX_NOTE = 1024;
  private static final int MAX_NAME = 253;

  // RFC 3339 with exactly six digits, as Kubernetes' MicroTime wants it.
  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final Cluster cluster;
  private final InstantSource clock;
  private final ReportQueue queue;
  private final AtomicLong names = new AtomicLong();
  private final String instance;

  Reporter(Cluster cluster, InstantSource clock, ReportQueue queue, String instance) {
    this.cluster = cluster;
    this.clock = clock;
    this.queue = queue;
    this.instance = instance;
    this.names.set(clock.millis() * 1_000_000);
  }

  void scheduled(Pod pod, String node) {
    event(
        pod,
        "Normal",
        "Scheduled",
        "Binding",
        "Successfully assigned " + pod.key() + " to " + node,
        null);
  }

  void preempted(Pod victim, Preemptor.Cause cause) {
    event(
        victim,
        "Normal",
        "Preempted",
        "Preempting",
        "Preempted by %s %s on node %s".formatted(cause.kind(), cause.uid(), cause.node()),
        cause.pod());
  }

  /// The pod stays pending: an event, and its condition with the whole message.
  ///
  /// `nomination` is the node to wait for, `""` to clear it, `null` to leave it. The condition must
  /// not be written any more when the pod is bound after all: it is remembered by the pod.
  void pending(PendingPod pending, String reason, String message, @Nullable String nomination) {
    var pod = pending.pod();
    boolean again = pending.toldBefore();
    event(pod, "Warning", "FailedScheduling", "Scheduling", shortened(message), null);
    var since = again ? null : now();
    pending.reported(
        queue.add(pod.uid(), () -> condition(pod, since, reason, message, nomination)));
  }

  /// Whether the group has been placed: its condition PodGroupInitiallyScheduled.
  void group(PodGroup group, boolean scheduled, String reason, String message) {
    var condition =
        Tree.of(
            "type",
            "PodGroupInitiallyScheduled",
            "status",
            scheduled ? "True" : "False",
            "reason",
            reason,
            "message",
            message,
            "observedGeneration",
            group.generation(),
            "lastTransitionTime",
            now());
    queue.add(
        group.uid(),
        () ->
            cluster.patch(
                Resource.POD_GROUPS,
                group.namespace(),
                group.name(),
                "status",
                PatchType.STRATEGIC,
                Tree.of("status", Tree.of("conditions", List.of(condition)))));
  }

  /// Takes back the promise of a node.
  void clearNomination(Pod pod) {
    queue.add(pod.uid(), () -> patchStatus(pod, Tree.of("nominatedNodeName", null)));
  }

  // The time is that of the first refusal: `PodScheduled` has been `False` since.
  private void condition(
      Pod pod, @Nullable String since, String reason, String message, @Nullable String nomination) {
    var condition =
        Tree.of(
            "type",
            "PodScheduled",
            "status",
            "False",
            "reason",
            reason,
            "message",
            message,
            "lastProbeTime",
            null,
            "observedGeneration",
            pod.generation());
    if (since != null) {
      condition.put("lastTransitionTime", since);
    }
    var status = Tree.of("conditions", List.of(condition));
    if (nomination != null) {
      status.put("nominatedNodeName", nomination.isEmpty() ? null : nomination);
    }
    patchStatus(pod, status);
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  // The uid keeps a newer pod of the same name from hearing what was said of this one.
  private void patchStatus(Pod pod, Tree status) {
    var patch = Tree.of("metadata", Tree.of("uid", pod.uid()), "status", status);
    cluster.patch(Resource.PODS, pod.namespace(), pod.name(), "status", PatchType.STRATEGIC, patch);
  }

  private void event(
      Pod pod, String type, String reason, String action, String note, @Nullable Pod related) {
    // Sent twice it is the same event, and it happened now, however long it waits.
    long number = names.incrementAndGet();
    var time = clock.instant();
    queue.add(
        pod.uid(),
        () -> {
          var event =
              Tree.of(
                  "apiVersion",
                  "events.k8s.io/v1",
                  "kind",
                  "Event",
                  "metadata",
                  Tree.of("namespace", pod.namespace(), "name", eventName(pod, number)),
                  "eventTime",
                  MICRO_TIME.format(time),
                  "reportingController",
                  pod.spec().schedulerName(),
                  "reportingInstance",
                  instance,
                  "action",
                  action,
                  "reason",
                  reason,
                  "regarding",
                  reference(pod),
                  "note",
                  note,
                  "type",
                  type);
          if (related != null) {
            event.put("related", reference(related));
          }
          cluster.send(Resource.EVENTS, event);
        });
  }

  private static Tree reference(Pod pod) {
    return Tree.of(
        "apiVersion",
        "v1",
        "kind",
        "Pod",
        "namespace",
        pod.namespace(),
        "name",
        pod.name(),
        "uid",
        pod.uid());
  }

  // The name of an object may be as long as a name can be.
  private static String eventName(Pod pod, long number) {
    var name = pod.name() + "." + Long.toHexString(number);
    return name.length() <= MAX_NAME
        ? name
        : UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static String shortened(String message) {
    return message.length() <= MAX_NOTE ? message : message.substring(0, MAX_NOTE - 4) + " ...";
  }
}
