package io.berth.admission;

import static io.berth.api.Resource.LIMIT_RANGES;
import static io.berth.api.Resource.NAMESPACES;
import static io.berth.api.Resource.NODES;
import static io.berth.api.Resource.PODS;
import static io.berth.api.Resource.POD_GROUPS;
import static io.berth.api.Resource.PRIORITY_CLASSES;
import static io.berth.api.Resource.RESOURCE_QUOTAS;
import static io.berth.api.Resource.SERVICE_ACCOUNTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Pods created in a namespace with limits, quotas, classes and standards: what is filled in, and
/// what is refused in which words.
class PodAdmissionTest {

  private static final List<String> EXTRA =
      List.of(
          "AlwaysPullImages",
          "ExtendedResourceToleration",
          "LimitPodHardAntiAffinityTopology",
          "PodNodeSelector",
          "PodTolerationRestriction");

  private static final String CONTAINER_LIMITS =
      """
      {"type": "Container", "default": {"cpu": "500m", "memory": "1Gi"},
       "defaultRequest": {"cpu": "100m", "memory": "1Gi"}, "min": {"cpu": "50m"},
       "max": {"cpu": "1", "memory": "2Gi"}, "maxLimitRequestRatio": {"cpu": "5"}}
      """;
  private static final String POD_LIMITS =
      "{\"type\": \"Pod\", \"max\": {\"cpu\": \"1\"}, \"min\": {\"memory\": \"64Mi\"}}";

  record Refusal(String what, FakeCluster cluster, String spec, int code, String message) {}

  static final List<Refusal> REFUSALS =
      List.of(
          new Refusal(
              "below the minimum",
              limits(CONTAINER_LIMITS),
              resources("{'requests': {'cpu': '10m'}, 'limits': {'cpu': '50m'}}"),
              403,
              "minimum cpu usage per Container is 50m, but request is 10m"),
          new Refusal(
              "above the maximum",
              limits(CONTAINER_LIMITS),
              resources("{'limits': {'memory': '3Gi'}}"),
              403,
              "maximum memory usage per Container is 2Gi, but limit is 3Gi"),
          new Refusal(
              "ratio",
              limits(CONTAINER_LIMITS),
              resources("{'requests': {'cpu': '100m'}, 'limits': {'cpu': '1'}}"),
              403,
              "cpu max limit to request ratio per Container is 5, but provided ratio is 10.000000"),
          new Refusal(
              "several objections",
              limits(POD_LIMITS),
              resources("{}"),
              403,
              "[minimum memory usage per Pod is 64Mi.  No request is specified, maximum cpu usage"
                  + " per Pod is 1.  No limit is specified]"),
          new Refusal(
              "unknown account",
              cluster(),
              "{'serviceAccountName': 'ghost', 'containers': [{'name': 'c'}]}",
              403,
              "error looking up service account ns/ghost: serviceaccount \"ghost\" not found"),
          new Refusal(
              "unknown priority class",
              cluster(),
              "{'priorityClassName': 'nope', 'containers': [{'name': 'c'}]}",
              403,
              "no PriorityClass with name nope was found"),
          new Refusal(
              "own priority",
              cluster().with(PRIORITY_CLASSES, priorityClass()),
              "{'priorityClassName': 'pc', 'priority': 1, 'containers': [{'name': 'c'}]}",
              403,
              "the integer value of priority (1) must not be provided in pod spec; priority"
                  + " admission controller computed 1234 from the given PriorityClass name"),
          new Refusal(
              "quota exceeded",
              quota(
                  "{'requests.cpu': '1', 'limits.memory': '1Gi'}",
                  "{'requests.cpu': '600m', 'limits.memory': '512Mi'}"),
              resources("{'requests': {'cpu': '600m'}, 'limits': {'memory': '2Gi'}}"),
              403,
              "exceeded quota: q, requested: limits.memory=2Gi,requests.cpu=600m, used:"
                  + " limits.memory=512Mi,requests.cpu=600m, limited:"
                  + " limits.memory=1Gi,requests.cpu=1"),
          new Refusal(
              "quota needs a statement",
              quota(
                  "{'requests.cpu': '1', 'limits.memory': '1Gi'}",
                  "{'requests.cpu': '0', 'limits.memory': '0'}"),
              resources("{}"),
              403,
              "failed quota: q: must specify limits.memory for: c; requests.cpu for: c"),
          new Refusal(
              "wide anti-affinity",
              cluster(),
              "{'containers': [{'name': 'c'}], 'affinity': {'podAntiAffinity':"
                  + " {'requiredDuringSchedulingIgnoredDuringExecution': [{'topologyKey':"
                  + " 'kubernetes.io/hostname'}, {'topologyKey': 'rack'}]}}}",
              403,
              "affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey rack but only key"
                  + " kubernetes.io/hostname is allowed"),
          new Refusal(
              "toleration off the list",
              namespace(
                  "scheduler.alpha.kubernetes.io/tolerationsWhitelist",
                  "[{\"key\":\"team\",\"operator\":\"Exists\"}]"),
              "{'containers': [{'name': 'c'}], 'tolerations': [{'key': 'other', 'operator':"
                  + " 'Exists'}]}",
              500,
              "pod tolerations (possibly merged with namespace default tolerations) conflict with"
                  + " its namespace whitelist"),
          new Refusal(
              "tolerations that are no JSON",
              namespace("scheduler.alpha.kubernetes.io/defaultTolerations", "nope"),
              resources("{}"),
              500,
              "invalid character 'o' in literal null (expecting 'u')"),
          new Refusal(
              "node selector of the namespace",
              namespace("scheduler.alpha.kubernetes.io/node-selector", "env=prod"),
              "{'containers': [{'name': 'c'}], 'nodeSelector': {'env': 'dev'}}",
              403,
              "pod node label selector conflicts with its namespace node label selector"),
          new Refusal(
              "bad node selector",
              namespace("scheduler.alpha.kubernetes.io/node-selector", "env in (prod)"),
              resources("{}"),
              500,
              "invalid selector: [env in (prod)]"),
          new Refusal(
              "baseline",
              secured("enforce", "baseline"),
              "{'hostNetwork': true, 'containers': [{'name': 'c'}]}",
              403,
              "violates PodSecurity \"baseline:latest\": host namespaces (hostNetwork=true)"),
          new Refusal(
              "restricted",
              secured("enforce", "restricted"),
              resources("{}"),
              403,
              "violates PodSecurity \"restricted:latest\": allowPrivilegeEscalation != false"
                  + " (container \"c\" must set securityContext.allowPrivilegeEscalation=false),"
                  + " unrestricted capabilities (container \"c\" must set"
                  + " securityContext.capabilities.drop=[\"ALL\"]), runAsNonRoot != true (pod or"
                  + " container \"c\" must set securityContext.runAsNonRoot=true), seccompProfile"
                  + " (pod or container \"c\" must set securityContext.seccompProfile.type to"
                  + " \"RuntimeDefault\" or \"Localhost\")"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("REFUSALS")
  void refuses(Refusal c) {
    var shown = c.code() == 403 ? "pods \"p\" is forbidden: " + c.message() : c.message();

    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> create(c.cluster(), c.spec()))
        .withMessage(shown)
        .matches(refusal -> refusal.code() == c.code());
  }

  @Test
  void fillsInLimitsAccountPriorityAndTolerations() {
    var pod = create(limits(CONTAINER_LIMITS), resources("{'requests': {'cpu': '200m'}}"));

    assertThat(pod.text("metadata", "annotations", "kubernetes.io/limit-ranger"))
        .isEqualTo(
            "LimitRanger plugin set: memory request for container c; cpu, memory limit for"
                + " container c");
    var container = pod.trees("spec", "containers").getFirst();
    assertThat(container.tree("resources"))
        .isEqualTo(
            json(
                "{'requests': {'cpu': '200m', 'memory': '1Gi'}, 'limits': {'cpu': '500m', 'memory':"
                    + " '1Gi'}}"));
    assertThat(container.trees("volumeMounts").getFirst().text("mountPath"))
        .isEqualTo("/var/run/secrets/kubernetes.io/serviceaccount");
    assertThat(pod.text("spec", "serviceAccountName")).isEqualTo("default");
    assertThat(pod.number(-1, "spec", "priority")).isZero();
    assertThat(pod.text("spec", "preemptionPolicy")).isEqualTo("PreemptLowerPriority");
    assertThat(pod.trees("spec", "tolerations"))
        .extracting(each -> each.text("key"))
        .containsExactly(
            "node.kubernetes.io/not-ready",
            "node.kubernetes.io/unreachable",
            "node.kubernetes.io/memory-pressure");
  }

  @Test
  void toleratesTheDevicesItAsksFor() {
    var pod =
        create(
            cluster(),
            "{'containers': [{'name': 'c', 'resources': {'requests': {'example.com/b': '1',"
                + " 'example.com/a': '0', 'kubernetes.io/x': '1'}}}]}");

    assertThat(pod.trees("spec", "tolerations").stream().skip(2))
        .extracting(each -> each.text("key"))
        .containsExactly("example.com/a", "example.com/b");
  }

  @Test
  void takesZoneAndRegionOfItsNode() {
    var node = json("{'metadata': {'name': 'n', 'labels': {'topology.kubernetes.io/zone': 'z'}}}");
    var cluster = cluster().with(NODES, node);

    var pod = create(cluster, "{'nodeName': 'n', 'containers': [{'name': 'c'}]}");

    assertThat(pod.texts("metadata", "labels")).containsEntry("topology.kubernetes.io/zone", "z");
  }

  @Test
  void chargesTheQuotaWithTheWriteAndNotInADryRun() {
    var cluster = quota("{'pods': '2', 'requests.cpu': '1'}", "{'pods': '0', 'requests.cpu': '0'}");

    create(cluster, resources("{'requests': {'cpu': '600m'}}"));
    admit(cluster, resources("{'requests': {'cpu': '100m'}}"), true);

    assertThat(used(cluster)).isEqualTo(json("{'pods': '1', 'requests.cpu': '600m'}"));
  }

  @Test
  void chargesAQuotaWhoseScopeThePodEnters() {
    var quota =
        named("q")
            .putAt(List.of("Terminating"), "spec", "scopes")
            .putAt(json("{'pods': '1'}"), "status", "hard")
            .putAt(json("{'pods': '0'}"), "status", "used");
    var cluster = with(RESOURCE_QUOTAS, quota);
    var pod = create(cluster, resources("{}"));
    var limited = pod.copy().putAt(60, "spec", "activeDeadlineSeconds");
    var request =
        new Attributes(Operation.UPDATE, PODS, "", "ns", "p", limited, pod, User.of("u"), false);

    AdmissionChain.of(List.of(), List.of()).validate(request, cluster);

    assertThat(used(cluster)).isEqualTo(json("{'pods': '1'}"));
  }

  private static @Nullable Tree used(FakeCluster cluster) {
    return Objects.requireNonNull(cluster.find(RESOURCE_QUOTAS, "ns", "q")).tree("status", "used");
  }

  @Test
  void givesAPodGroupThePriorityOfItsClassAndKeepsItFromVanishing() {
    var cluster = cluster().with(PRIORITY_CLASSES, priorityClass());

    var group = createGroup(cluster, "{'priorityClassName': 'pc'}");

    assertThat(group.number(0, "spec", "priority")).isEqualTo(1234);
    assertThat(group.list("metadata", "finalizers"))
        .containsExactly("scheduling.k8s.io/podgroup-protection");
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> createGroup(cluster, "{'priority': 7}"))
        .withMessageContaining(
            "priority set in the pod group (7) must match the priority computed (0) based on the"
                + " priority class set in the spec");
  }

  private static Tree createGroup(FakeCluster cluster, String spec) {
    var group = Tree.of("metadata", Tree.of("name", "g", "namespace", "ns"), "spec", json(spec));
    var request =
        new Attributes(
            Operation.CREATE, POD_GROUPS, "", "ns", "g", group, null, User.of("u"), false);
    AdmissionChain.of(List.of(), List.of()).mutate(request, cluster);
    return group;
  }

  private static Tree create(FakeCluster cluster, String spec) {
    return admit(cluster, spec, false);
  }

  private static Tree admit(FakeCluster cluster, String spec, boolean dryRun) {
    var pod = Tree.of("metadata", Tree.of("name", "p", "namespace", "ns"), "spec", json(spec));
    var request =
        new Attributes(Operation.CREATE, PODS, "", "ns", "p", pod, null, User.of("u"), dryRun);
    var chain = AdmissionChain.of(EXTRA, List.of());
    chain.mutate(request, cluster);
    chain.validate(request, cluster);
    return pod;
  }

  private static FakeCluster cluster() {
    return namespaceWith(new Tree(), new Tree());
  }

  private static FakeCluster namespace(String annotation, String value) {
    return namespaceWith(Tree.of(annotation, value), new Tree());
  }

  private static FakeCluster secured(String mode, String level) {
    return namespaceWith(new Tree(), Tree.of("pod-security.kubernetes.io/" + mode, level));
  }

  private static FakeCluster namespaceWith(Tree annotations, Tree labels) {
    var metadata = Tree.of("name", "ns", "annotations", annotations, "labels", labels);
    return new FakeCluster()
        .with(NAMESPACES, Tree.of("metadata", metadata))
        .with(SERVICE_ACCOUNTS, named("default"));
  }

  private static FakeCluster limits(String item) {
    return with(LIMIT_RANGES, named("l").putAt(List.of(Json.read(item)), "spec", "limits"));
  }

  private static FakeCluster quota(String hard, String used) {
    var quota = named("q").putAt(json(hard), "status", "hard").putAt(json(used), "status", "used");
    return with(RESOURCE_QUOTAS, quota);
  }

  private static FakeCluster with(Resource resource, Tree object) {
    return cluster().with(resource, object);
  }

  private static Tree priorityClass() {
    return json("{'metadata': {'name': 'pc'}, 'value': 1234, 'preemptionPolicy': 'Never'}");
  }

  private static Tree named(String name) {
    return Tree.of("metadata", Tree.of("name", name, "namespace", "ns"));
  }

  private static String resources(String resources) {
    return "{'containers': [{'name': 'c', 'image': 'app:1.0', 'resources': %s}]}"
        .formatted(resources);
  }

  private static Tree json(String text) {
    return Json.read(text.replace('\'', '"'));
  }
}
