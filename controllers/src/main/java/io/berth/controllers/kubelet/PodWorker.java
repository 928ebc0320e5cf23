package io.berth.controllers.kubelet;

import io.berth.api.ApiException;
import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.Reconciler;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Brings one pod on a simulated node one step further: admit, run, finish, stop.
final class PodWorker implements Reconciler {

  /// No process is gone at once: who deletes a pod gracefully and looks again finds it ending.
  private static final Duration SOONEST_STOP = Duration.ofMillis(5);

  private final Environment environment;
  private final Cache pods;
  private final Behaviour behaviour;
  private final Map<String, NodeAgent> agents;
  private final AddressPool addresses;
  private final KubeletEvents events;
  private @Nullable Loop loop;

  PodWorker(
      Environment environment,
      Behaviour behaviour,
      Map<String, NodeAgent> agents,
      AddressPool addresses) {
    this.environment = environment;
    this.pods = environment.informers().of(Resource.PODS);
    this.behaviour = behaviour;
    this.agents = agents;
    this.addresses = addresses;
    this.events = new KubeletEvents(environment.events());
  }

  void runsOn(Loop own) {
    this.loop = own;
  }

  @Override
  public void reconcile(Key key) {
    var pod = pods.find(key).orElse(null);
    if (pod == null) {
      return;
    }
    var agent = agents.get(Pods.node(pod));
    if (agent == null || !agent.isUp()) {
      return;
    }
    if (Meta.isDeleting(pod)) {
      stop(key, pod, agent);
    } else if (PodPhase.isTerminal(pod)) {
      release(pod, agent);
    } else if (admitted(pod, agent)) {
      run(key, pod, agent);
    }
  }

  /// Forgets a pod that is gone.
  void removed(Tree pod) {
    var agent = agents.get(Pods.node(pod));
    if (agent != null) {
      release(pod, agent);
    }
  }

  private void release(Tree pod, NodeAgent agent) {
    agent.forget(Meta.uid(pod));
    var address = agent.releaseAddress(Meta.uid(pod));
    if (address != null) {
      addresses.release(address);
    }
  }

  private boolean admitted(Tree pod, NodeAgent agent) {
    if (agent.hasAdmitted(Meta.uid(pod))) {
      return true;
    }
    if (pod.text("status", "startTime") != null) {
      agent.recall(pod);
      return true;
    }
    var verdict = agent.admit(pod);
    verdict.victims().forEach(victim -> preempt(victim, agent));
    var rejection = verdict.rejection();
    if (rejection == null) {
      return true;
    }
    events.rejected(pod, agent, rejection);
    var status =
        Tree.of("phase", PodPhase.FAILED, "reason", rejection.reason())
            .put("message", "Pod was rejected: " + rejection.message());
    if (pod.text("status", "qosClass") != null) {
      status.put("qosClass", pod.text("status", "qosClass"));
    }
    status.put("observedGeneration", Meta.generation(pod));
    status.put("conditions", Tree.copyOf(pod.list("status", "conditions")));
    write(pod, status);
    return false;
  }

  /// A critical pod takes the place of a lesser one.
  private void preempt(Admission.Allocation victim, NodeAgent agent) {
    var pod = pods.find(new Key(victim.namespace(), victim.name())).orElse(null);
    if (pod == null || !Meta.uid(pod).equals(victim.uid())) {
      return;
    }
    events.preempting(pod, agent);
    var status = pod.treeOrEmpty("status").copy();
    status
        .put("phase", PodPhase.FAILED)
        .put("reason", "Preempting")
        .put("message", "Preempted in order to admit critical pod");
    Conditions.set(
        status,
        Conditions.of(
            "DisruptionTarget",
            "True",
            "TerminationByKubelet",
            "Pod was preempted by Kubelet to accommodate a critical pod."),
        environment.timestamp());
    write(pod, status);
  }

  private void run(Key key, Tree pod, NodeAgent agent) {
    var refused = agent.resize(pod);
    var place =
        new PodRun.Place(
            hostIp(agent),
            podIp(pod, agent),
            slowness(agent),
            agent.takeRebooted(Meta.uid(pod)),
            refused != null);
    var step = new PodRun(pod, behaviour, place, environment.now()).next();
    if (refused != null) {
      Conditions.set(
          step.status(),
          Conditions.of("PodResizePending", "True", "Deferred", refused.message()),
          environment.timestamp());
    } else if (Conditions.find(pod, "PodResizePending") != null) {
      Conditions.remove(step.status(), "PodResizePending");
    }
    write(pod, step.status());
    step.started().forEach(container -> events.started(pod, agent, container));
    if (PodPhase.isTerminal(step.status().textOrEmpty("phase"))) {
      agent.forget(Meta.uid(pod));
    }
    if (step.wake() != null) {
      wake(key, step.status(), step.wake());
    }
  }

  private void stop(Key key, Tree pod, NodeAgent agent) {
    var grace = pod.number(0, "metadata", "deletionGracePeriodSeconds");
    var now = environment.now();
    var due = stopsAt(pod, grace, agent, now);
    if (due.isAfter(now) && !PodPhase.isTerminal(pod)) {
      again(key, Duration.between(now, due));
      return;
    }
    var held = !pod.list("metadata", "finalizers").isEmpty();
    if (held && !PodPhase.isTerminal(pod)) {
      // Somebody waits to see how the pod ended; for all others the deletion says enough.
      // Its room is free before anybody can see that it ended: the next pod may come at once.
      agent.forget(Meta.uid(pod));
      var place = new PodRun.Place(hostIp(agent), podIp(pod, agent), Duration.ZERO, false, false);
      write(pod, new PodRun(pod, behaviour, place, now).stopped().status());
    }
    if (held && grace == 0) {
      return;
    }
    events.killing(pod, agent);
    agent.forget(Meta.uid(pod));
    try {
      environment
          .cluster()
          .delete(
              Resource.PODS, Meta.namespace(pod), Meta.name(pod), DeleteOptions.now(Meta.uid(pod)));
    } catch (ApiException e) {
      // Gone already, or another pod has the name by now.
      if (!e.is("NotFound") && !e.is("Conflict")) {
        throw e;
      }
    }
  }

  private Instant stopsAt(Tree pod, long grace, NodeAgent agent, Instant now) {
    var asked =
        Meta.instant(pod, now, "metadata", "deletionTimestamp")
            .minusSeconds(grace)
            .plus(least(stopTime(pod), Duration.ofSeconds(grace)));
    if (grace == 0) {
      return asked;
    }
    var soonest = agent.stoppingSince(Meta.uid(pod), now).plus(SOONEST_STOP);
    return asked.isAfter(soonest) ? asked : soonest;
  }

  private Duration stopTime(Tree pod) {
    var longest = behaviour.stopAfter(pod);
    for (var container : pod.trees("spec", "containers")) {
      var seconds = container.number(0, "lifecycle", "preStop", "sleep", "seconds");
      var held = Duration.ofSeconds(seconds);
      longest = held.compareTo(longest) > 0 ? held : longest;
    }
    return longest;
  }

  private void write(Tree pod, Tree status) {
    if (Trees.equivalent(status, pod.get("status"))) {
      return;
    }
    var changed = Tree.ofMap(pod.fields()).put("status", status);
    environment.cluster().update(Resource.PODS, "status", changed);
  }

  /// A pod that is about to start has work ahead. When one that has started ends or starts again is
  /// its own affair.
  private void wake(Key key, Tree status, Duration delay) {
    if (hasStarted(status)) {
      loop().addRoutinely(key, delay);
    } else {
      again(key, delay);
    }
  }

  private static boolean hasStarted(Tree status) {
    return Conditions.isTrue(Tree.of("status", status), "Ready")
        || Stream.of("containerStatuses", "initContainerStatuses")
            .flatMap(containers -> status.trees(containers).stream())
            .anyMatch(container -> container.number(0, "restartCount") > 0);
  }

  private void again(Key key, Duration delay) {
    loop().addAfter(key, delay);
  }

  private Loop loop() {
    if (loop == null) {
      throw new IllegalStateException("the worker has no loop yet");
    }
    return loop;
  }

  private static String hostIp(NodeAgent agent) {
    for (var address : agent.node().trees("status", "addresses")) {
      if (address.textOrEmpty("type").equals("InternalIP")) {
        return address.textOrEmpty("address");
      }
    }
    return "127.0.0.1";
  }

  private String podIp(Tree pod, NodeAgent agent) {
    if (pod.flag("spec", "hostNetwork")) {
      return hostIp(agent);
    }
    var known = agent.address(Meta.uid(pod));
    if (known == null) {
      known = pod.textOrEmpty("status", "podIP");
      if (known.isEmpty()) {
        known = addresses.take();
      } else {
        addresses.claim(known);
      }
      agent.address(Meta.uid(pod), known);
    }
    return known;
  }

  private static Duration slowness(NodeAgent agent) {
    var text = Meta.annotation(agent.node(), "berth.io/slow");
    var delay = text == null ? null : Behaviour.duration(text);
    return delay == null ? Duration.ZERO : delay;
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
