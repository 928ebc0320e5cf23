package io.berth.scheduler;

import io.berth.api.Crew;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.api.VolumeAttachment;
import io.berth.codec.ClusterKind;
import io.berth.codec.Yaml;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The inside of a scheduler without its threads: objects come in one by one, and pods are decided
/// when the test says so. Bound pods run at once.
final class Desk {

  private final Engine engine = new Engine(SchedulerConfiguration.DEFAULT, 1);
  private final PodGroups groups = new PodGroups();
  private final SchedulingQueue queue =
      new SchedulingQueue(new Backoff(1, 10), new Hints(engine), groups, new Counts());
  private final World world =
      new World(
          engine,
          queue,
          Set.of("default-scheduler"),
          groups,
          new Nominations(engine, Journal.NONE),
          new Assumptions(engine, Journal.NONE),
          new ClaimBindings(Crew.THREADS),
          this::now);
  private final Map<String, String> messages = new HashMap<>();
  private final Map<String, Set<String>> rejectors = new HashMap<>();
  private long now = 1_000_000_000;
  private int woken;

  private long now() {
    return now;
  }

  /// One object or several, as YAML; each is an event of its own.
  Desk put(String documents) {
    for (var object : Yaml.readAll(documents)) {
      put(object);
    }
    return this;
  }

  private void put(Tree object) {
    var kind = ClusterKind.find(object.textOrEmpty("kind")).orElseThrow();
    world.put(kind.read(kind.equals(ClusterKind.POD) ? withUid(object) : object));
  }

  private static Tree withUid(Tree pod) {
    pod.child("metadata").putIfAbsent("uid", pod.textOrEmpty("metadata", "name"));
    return pod;
  }

  Desk removePod(String name) {
    world.remove(ObjectReference.pod("default", name));
    return this;
  }

  Desk removeAttachment(String name) {
    world.remove(new ObjectReference(VolumeAttachment.KIND, "", name));
    return this;
  }

  Desk removeNode(String name) {
    world.remove(ObjectReference.node(name));
    return this;
  }

  /// Decides about every pod that is ready, much later than anything before.
  Desk decideAll() {
    now += 3_600_000;
    for (var next = queue.pop(now); next != null; next = queue.pop(now)) {
      decide(next);
    }
    return this;
  }

  private void decide(PendingPod pending) {
    var pod = pending.pod();
    switch (engine.decide(pod)) {
      case Decision.Placed placed -> world.put(pod.withNodeName(placed.node()));
      case Decision.Unschedulable no -> {
        messages.put(pod.name(), no.message());
        rejectors.put(pod.name(), no.rejectors());
        queue.rejected(pending, no.rejectors(), now);
      }
      case Decision.Failed failed -> throw new AssertionError(failed.error());
    }
  }

  boolean isBound(String pod) {
    return world.running("default/" + pod) != null;
  }

  /// What the last attempt said.
  String message(String pod) {
    return messages.getOrDefault(pod, "");
  }

  Set<String> rejectors(String pod) {
    return rejectors.getOrDefault(pod, Set.of());
  }

  /// How many pods events have brought back so far.
  int woken() {
    return woken;
  }

  Pod running(String name) {
    var pod = world.running("default/" + name);
    if (pod == null) {
      throw new AssertionError(name + " does not run");
    }
    return pod;
  }

  private final class Counts implements SchedulerMetrics {

    @Override
    public void queued(Queue store, String event) {
      boolean ready = store == Queue.ACTIVE || store == Queue.BACKOFF;
      boolean arrival = event.equals("UnscheduledPodAdd");
      woken += ready && !arrival ? 1 : 0;
    }
  }
}
