package io.berth.codec;

import io.berth.api.Container;
import io.berth.api.Pod;
import io.berth.api.PodSpec;
import io.berth.api.PodStatus;
import io.berth.api.Quantity;
import io.berth.api.Toleration;
import io.berth.api.TopologySpreadConstraint;
import io.berth.api.Tree;
import io.berth.api.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads what scheduling needs of a pod.
public final class PodReader {

  private static final Recent<PodSpec> SPECS = new Recent<>();
  private static final Recent<Map<String, String>> LABELS = new Recent<>();

  private PodReader() {}

  /// Throws [FieldException] where the pod holds something it cannot.
  public static Pod read(Tree tree) {
    var pod = Fields.of(tree);
    var meta = pod.object("metadata");
    var name = meta.text("name");
    var spec = pod.object("spec");
    return new Pod(
        meta.textOr("namespace", "default"),
        name,
        meta.text("uid"),
        LABELS.share(Map.copyOf(meta.map("labels"))),
        controller(meta),
        meta.has("deletionTimestamp"),
        spec.text("nodeName"),
        spec(spec, new Volume.Claim.Owner(name, meta.text("uid"))),
        status(pod.object("status")),
        group(meta, spec),
        meta.number("generation", 0));
  }

  private static Pod.@Nullable Group group(Fields meta, Fields spec) {
    var name = spec.object("schedulingGroup").text("podGroupName");
    if (!name.isEmpty()) {
      return new Pod.Group(name, 0);
    }
    var label = meta.object("labels").textOrNull(Pod.GROUP_LABEL);
    return label == null || label.isEmpty() ? null : new Pod.Group(label, minCount(meta));
  }

  // An annotation is anybody's text: one that is no count says nothing, and the pod is still a pod.
  private static int minCount(Fields meta) {
    var text = meta.map("annotations").getOrDefault(Pod.MIN_COUNT_ANNOTATION, "1");
    try {
      return Math.max(1, Integer.parseInt(text));
    } catch (NumberFormatException e) {
      return 1;
    }
  }

  private static Pod.@Nullable OwnerReference controller(Fields meta) {
    for (var owner : meta.objects("ownerReferences", owner -> owner)) {
      if (owner.flag("controller")) {
        return new Pod.OwnerReference(
            owner.text("apiVersion"), owner.text("kind"), owner.text("name"));
      }
    }
    return null;
  }

  private static PodSpec spec(Fields spec, Volume.Claim.Owner pod) {
    var affinity = spec.object("affinity");
    var podResources = spec.objectOrNull("resources");
    return SPECS.share(
        new PodSpec(
            spec.objects("initContainers", PodReader::container),
            spec.objects("containers", PodReader::container),
            spec.quantities("overhead"),
            podResources == null ? null : podResources.quantitiesOrNull("requests"),
            spec.map("nodeSelector"),
            SelectorReader.nodeAffinity(affinity.object("nodeAffinity")),
            SelectorReader.podAffinity(affinity.object("podAffinity")),
            SelectorReader.podAffinity(affinity.object("podAntiAffinity")),
            spec.objects("tolerations", PodReader::toleration),
            spec.objects("topologySpreadConstraints", PodReader::constraint),
            spec.integer("priority", 0),
            spec.text("preemptionPolicy").equals("Never"),
            spec.textOr("schedulerName", PodSpec.DEFAULT_SCHEDULER),
            spec.objects("schedulingGates", gate -> gate.text("name")),
            VolumeReader.volumes(spec, pod),
            spec.objects("resourceClaims", claim -> claim.text("name")),
            features(spec)));
  }

  private static Container container(Fields container) {
    var features = new ArrayList<String>();
    for (var rule : container.objects("restartPolicyRules", rule -> rule.text("action"))) {
      if (rule.equals("RestartAllContainers")) {
        features.add("RestartAllContainersOnContainerExits");
        break;
      }
    }
    if (mountsWithOptions(container)) {
      features.add("VolumeBindMountOptions");
    }
    return new Container(
        container.text("name"),
        container.text("image"),
        container.object("resources").quantities("requests"),
        ports(container),
        container.text("restartPolicy").equals("Always"),
        features);
  }

  private static boolean mountsWithOptions(Fields container) {
    for (var mount : container.objects("volumeMounts", mount -> mount)) {
      if (mount.has("bindMountOptions") && !mount.texts("bindMountOptions").isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static List<String> features(Fields spec) {
    var features = new ArrayList<String>();
    if (spec.flag("hostNetwork") && spec.has("hostUsers") && !spec.flag("hostUsers")) {
      features.add("UserNamespacesHostNetworkSupport");
    }
    for (var container : spec.objects("ephemeralContainers", container -> container)) {
      if (mountsWithOptions(container)) {
        features.add("VolumeBindMountOptions");
        break;
      }
    }
    return features;
  }

  private static List<Container.Port> ports(Fields container) {
    var ports = new ArrayList<Container.Port>();
    for (var port : container.objects("ports", port -> port)) {
      int hostPort = port.integer("hostPort", 0);
      if (hostPort > 0) {
        ports.add(
            new Container.Port(hostPort, port.textOr("protocol", "TCP"), port.text("hostIP")));
      }
    }
    return ports;
  }

  private static Toleration toleration(Fields toleration) {
    return new Toleration(
        toleration.text("key"),
        toleration.text("operator"),
        toleration.text("value"),
        toleration.text("effect"));
  }

  static TopologySpreadConstraint constraint(Fields constraint) {
    return new TopologySpreadConstraint(
        constraint.integer("maxSkew", 0),
        constraint.text("topologyKey"),
        constraint.text("whenUnsatisfiable"),
        SelectorReader.labelSelector(constraint, "labelSelector"),
        constraint.integer("minDomains", 1),
        !constraint.text("nodeAffinityPolicy").equals("Ignore"),
        constraint.text("nodeTaintsPolicy").equals("Honor"),
        constraint.texts("matchLabelKeys"));
  }

  private static PodStatus status(Fields status) {
    if (status.tree().isEmpty()) {
      return PodStatus.NONE;
    }
    var statuses = new ArrayList<>(status.objects("containerStatuses", PodReader::containerStatus));
    statuses.addAll(status.objects("initContainerStatuses", PodReader::containerStatus));
    return new PodStatus(
        status.text("phase"),
        status.text("nominatedNodeName"),
        status.instant("startTime"),
        condition(status, "PodResizePending", "", "Infeasible"),
        condition(status, "DisruptionTarget", "True", "PreemptionByScheduler"),
        condition(status, "PodScheduled", "False", ""),
        statuses,
        status.quantitiesOrNull("allocatedResources"),
        requests(status));
  }

  // As in Kubernetes, the first condition of the type decides.
  private static boolean condition(Fields status, String type, String state, String reason) {
    for (var condition : status.objects("conditions", condition -> condition)) {
      if (condition.text("type").equals(type)) {
        return (state.isEmpty() || condition.text("status").equals(state))
            && (reason.isEmpty() || condition.text("reason").equals(reason));
      }
    }
    return false;
  }

  private static PodStatus.ContainerStatus containerStatus(Fields status) {
    return new PodStatus.ContainerStatus(
        status.text("name"), status.quantitiesOrNull("allocatedResources"), requests(status));
  }

  private static @Nullable Map<String, Quantity> requests(Fields status) {
    var resources = status.objectOrNull("resources");
    return resources == null ? null : resources.quantitiesOrNull("requests");
  }
}
