package io.berth.workloads.submit;

import io.berth.api.Tree;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.PodRoles.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Writes the pods of a workload.
public final class PodTemplate {

  /// Pods wait behind it until the queue has room for the whole workload, and a pool is chosen.
  public static final String GATE = "berth.io/queue";

  public static final String WORKLOAD_LABEL = "berth.io/workload";
  public static final String WORKLOAD_ID_LABEL = State.WORKLOAD_ID_LABEL;
  public static final String ROLE_LABEL = "berth.io/role";
  public static final String INDEX_LABEL = "berth.io/index";

  /// On pods of inferences: the revision they were made from.
  public static final String REVISION_LABEL = "berth.io/revision";

  private static final Pattern LIKE_A_ROLE = Pattern.compile(".*-(worker|master|launcher|leader)");

  private final Tree workload;
  private final Tree project;

  public PodTemplate(Tree workload, Tree project) {
    this.workload = workload;
    this.project = project;
  }

  /// The pod of a role and number; `attempt` counts how often it was made again.
  public Tree pod(Role role, int index, int attempt) {
    var spec = role.spec();
    var name = workload.textOrEmpty("metadata", "name");
    var pod =
        Tree.of(
            "apiVersion",
            "v1",
            "kind",
            "Pod",
            "metadata",
            Tree.of(
                "name", "%s%d-%d".formatted(beginning(workload, role), index, attempt),
                "namespace", workload.text("metadata", "namespace"),
                "labels", labels(role, index),
                "annotations", annotations(spec),
                "ownerReferences", List.of(owner())),
            "spec",
            new Tree());
    var podSpec = pod.child("spec");
    podSpec.put("containers", List.of(ContainerTemplate.of(role, index, name)));
    podSpec.put("schedulingGates", List.of(Tree.of("name", GATE)));
    podSpec.put("restartPolicy", restartPolicy(spec));
    if (spec.has("terminationGracePeriodSeconds")) {
      podSpec.put("terminationGracePeriodSeconds", spec.get("terminationGracePeriodSeconds"));
    }
    put(podSpec, "volumes", Volumes.volumes(spec));
    put(podSpec, "tolerations", tolerations(spec));
    put(podSpec, "imagePullSecrets", pullSecrets(spec));
    put(podSpec, "topologySpreadConstraints", spread(spec));
    nodeSelector(podSpec, spec);
    affinity(podSpec, role);
    security(podSpec, spec);
    return pod;
  }

  /// Whether a pod of this name is, or was, one of a workload's.
  public static boolean isNameOf(Tree workload, String pod) {
    return PodRoles.of(workload).all().stream()
        .anyMatch(role -> pod.matches(Pattern.quote(beginning(workload, role)) + "[0-9]+-[0-9]+"));
  }

  /// What comes before the numbers. Pods of a workspace `a-worker` must not be named like those of
  /// the workers of `a`; no name of a workload ends with a hyphen.
  private static String beginning(Tree workload, Role role) {
    var name = workload.textOrEmpty("metadata", "name");
    boolean ambiguous = role.prefix().isEmpty() && LIKE_A_ROLE.matcher(name).matches();
    return name + (ambiguous ? "--" : "-") + role.prefix();
  }

  static void put(Tree tree, String field, List<?> list) {
    if (!list.isEmpty()) {
      tree.put(field, new ArrayList<>(list));
    }
  }

  private Tree labels(Role role, int index) {
    var labels = new Tree();
    for (var label : role.spec().trees("labels")) {
      labels.put(label.textOrEmpty("name"), label.textOrEmpty("value"));
    }
    var revision = Revisions.current(workload);
    if (!revision.isEmpty()) {
      labels.put(REVISION_LABEL, revision);
    }
    return labels
        .put(WORKLOAD_LABEL, workload.text("metadata", "name"))
        .put(WORKLOAD_ID_LABEL, workload.text("metadata", "uid"))
        .put(ROLE_LABEL, role.name())
        .put(INDEX_LABEL, Integer.toString(index))
        .put(Usage.PROJECT_LABEL, Projects.name(project))
        .put(Usage.PREEMPTIBLE_LABEL, Boolean.toString(isPreemptible(role, index)));
  }

  private boolean isPreemptible(Role role, int index) {
    return Priorities.isSemiPreemptible(workload)
        ? index >= role.least()
        : Priorities.isPreemptible(workload);
  }

  private static Tree annotations(Tree spec) {
    var annotations = new Tree();
    for (var annotation : spec.trees("annotations")) {
      annotations.put(annotation.textOrEmpty("name"), annotation.textOrEmpty("value"));
    }
    var gpus = Gpus.of(spec.treeOrEmpty("compute"));
    if (gpus.shared()) {
      gpus.annotations().forEach(annotations::put);
    }
    return annotations;
  }

  private Tree owner() {
    return Tree.of(
        "apiVersion", workload.text("apiVersion"),
        "kind", workload.text("kind"),
        "name", workload.text("metadata", "name"),
        "uid", workload.text("metadata", "uid"),
        "controller", true,
        "blockOwnerDeletion", true);
  }

  private static String restartPolicy(Tree spec) {
    var policy = spec.textOrEmpty("restartPolicy");
    return policy.isEmpty() ? "Always" : policy;
  }

  // ---- where and how ---------------------------------------------------------------------------

  private static List<Tree> tolerations(Tree spec) {
    var tolerations = new ArrayList<Tree>();
    for (var each : spec.trees("tolerations")) {
      var toleration = new Tree();
      for (var field : List.of("key", "operator", "value")) {
        if (each.has(field)) {
          toleration.put(field, each.get(field));
        }
      }
      var effect = each.textOrEmpty("effect");
      if (!effect.isEmpty() && !effect.equals("Any")) {
        toleration.put("effect", effect);
      }
      if (each.has("seconds")) {
        toleration.put("tolerationSeconds", each.get("seconds"));
      }
      tolerations.add(toleration);
    }
    return tolerations;
  }

  private static List<Tree> pullSecrets(Tree spec) {
    return spec.trees("imagePullSecrets").stream()
        .map(secret -> Tree.of("name", secret.text("name")))
        .toList();
  }

  private List<Tree> spread(Tree spec) {
    var constraints = new ArrayList<Tree>();
    for (var each : spec.trees("topologySpreadConstraints")) {
      constraints.add(
          Tree.of(
              "topologyKey", each.text("topologyKey"),
              "maxSkew", each.number(1, "maxSkew"),
              "whenUnsatisfiable",
                  each.has("whenUnsatisfiable") ? each.get("whenUnsatisfiable") : "DoNotSchedule",
              "labelSelector", ownPods()));
    }
    return constraints;
  }

  private Tree ownPods() {
    return Tree.of("matchLabels", Tree.of(WORKLOAD_ID_LABEL, workload.text("metadata", "uid")));
  }

  private void nodeSelector(Tree podSpec, Tree spec) {
    if (spec.has("nodeType")) {
      podSpec.put("nodeSelector", Tree.of(Platform.NODE_TYPE_LABEL, spec.get("nodeType")));
    }
  }

  private void affinity(Tree podSpec, Role role) {
    var placement = Placement.of(workload.treeOrEmpty("status", "placements", role.name()));
    var node = new Tree();
    if (!placement.terms().isEmpty()) {
      node.put(
          "requiredDuringSchedulingIgnoredDuringExecution",
          Tree.of("nodeSelectorTerms", new ArrayList<Object>(placement.terms())));
    }
    if (!placement.preferred().isEmpty()) {
      node.put(
          "preferredDuringSchedulingIgnoredDuringExecution",
          new ArrayList<Object>(placement.preferred()));
    }
    var affinity = podSpec.child("affinity");
    if (!node.isEmpty()) {
      affinity.put("nodeAffinity", node);
    }
    podAffinity(affinity, "podAffinity", role.spec().treeOrEmpty("podAffinity"));
    shareDomains(affinity, placement.domains());
    podAffinity(affinity, "podAntiAffinity", role.spec().treeOrEmpty("podAntiAffinity"));
    if (affinity.isEmpty()) {
      podSpec.remove("affinity");
    }
  }

  /// Among the workload's own pods, by topology key.
  private void podAffinity(Tree affinity, String field, Tree asked) {
    if (asked.textOrEmpty("key").isEmpty()) {
      return;
    }
    var term = Tree.of("topologyKey", asked.text("key"), "labelSelector", ownPods());
    affinity.put(
        field,
        asked.textOrEmpty("type").equals("Required")
            ? Tree.of("requiredDuringSchedulingIgnoredDuringExecution", List.of(term))
            : Tree.of(
                "preferredDuringSchedulingIgnoredDuringExecution",
                List.of(Tree.of("weight", 100, "podAffinityTerm", term))));
  }

  /// Unless the user has said what pods are to share.
  private void shareDomains(Tree affinity, List<String> domains) {
    if (domains.isEmpty() || affinity.has("podAffinity")) {
      return;
    }
    var terms = new ArrayList<Object>();
    for (var domain : domains) {
      var term = Tree.of("topologyKey", domain, "labelSelector", ownPods());
      terms.add(Tree.of("weight", 1, "podAffinityTerm", term));
    }
    affinity.child("podAffinity").put("preferredDuringSchedulingIgnoredDuringExecution", terms);
  }

  private static void security(Tree podSpec, Tree spec) {
    var security = spec.treeOrEmpty("security");
    var context = new Tree();
    copy(security, "runAsUid", context, "runAsUser");
    copy(security, "runAsGid", context, "runAsGroup");
    copy(security, "runAsNonRoot", context, "runAsNonRoot");
    var groups = groups(security.textOrEmpty("supplementalGroups"));
    if (!groups.isEmpty()) {
      context.put("supplementalGroups", groups);
    }
    if (security.text("seccompProfileType") != null) {
      context.put("seccompProfile", Tree.of("type", security.get("seccompProfileType")));
    }
    if (!context.isEmpty()) {
      podSpec.put("securityContext", context);
    }
    copy(security, "hostIpc", podSpec, "hostIPC");
    copy(security, "hostNetwork", podSpec, "hostNetwork");
  }

  /// They come as in `1000,2000`.
  private static List<Object> groups(String written) {
    var groups = new ArrayList<Object>();
    for (var group : written.split("[, ]+", -1)) {
      if (!group.isEmpty()) {
        groups.add(Long.valueOf(group));
      }
    }
    return groups;
  }

  /// What is given, under the name it has in Kubernetes.
  static void copy(Tree from, String field, Tree to, String name) {
    if (from.has(field)) {
      to.put(name, from.get(field));
    }
  }
}
