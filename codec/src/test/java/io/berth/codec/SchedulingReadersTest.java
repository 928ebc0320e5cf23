package io.berth.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Container;
import io.berth.api.Pod;
import io.berth.api.Quantity;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.api.Volume;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class SchedulingReadersTest {

  private static Tree json(String text) {
    return Json.read(text.replace('\'', '"'));
  }

  @Test
  void readsWhatSchedulingNeedsOfAPod() {
    var pod =
        PodReader.read(
            json(
                """
                {'metadata':{'name':'web-0','labels':{'app':'web'},'deletionTimestamp':'2026-01-01T00:00:00Z',
                   'ownerReferences':[{'kind':'Job','name':'no'},
                     {'apiVersion':'apps/v1','kind':'StatefulSet','name':'web','controller':true}]},
                 'spec':{'nodeName':'n1','priority':7,'preemptionPolicy':'Never','unheardOf':[1],
                   'initContainers':[{'name':'s','restartPolicy':'Always'}],
                   'containers':[{'name':'c','image':'i','ports':[{'containerPort':1},{'hostPort':80}],
                      'resources':{'requests':{'cpu':'100m','memory':1024}}}],
                   'volumes':[{'name':'v','configMap':{}},{'name':'data','ephemeral':{}},
                      {'name':'p','persistentVolumeClaim':{'claimName':'claim'}}]},
                 'status':{'phase':'Running','startTime':'2026-01-01T00:00:10Z',
                   'conditions':[{'type':'PodResizePending','status':'True','reason':'Infeasible'}]}}
                """));

    assertThat(pod.key()).isEqualTo("default/web-0");
    assertThat(pod.terminating()).isTrue();
    assertThat(pod.priority()).isEqualTo(7);
    assertThat(pod.spec().neverPreempts()).isTrue();
    assertThat(pod.controller())
        .hasToString("OwnerReference[apiVersion=apps/v1, kind=StatefulSet, name=web]");
    assertThat(pod.spec().initContainers().get(0).sidecar()).isTrue();
    assertThat(pod.spec().containers().get(0).ports())
        .containsExactly(new Container.Port(80, "TCP", ""));
    assertThat(pod.spec().containers().get(0).requests())
        .containsEntry("cpu", Quantity.ofMillis(100))
        .containsKey("memory");
    assertThat(pod.spec().volumes())
        .containsExactly(
            new Volume.Claim("web-0-data", new Volume.Claim.Owner("web-0", "")),
            new Volume.Claim("claim", null));
    assertThat(pod.status().resizeInfeasible()).isTrue();
  }

  @Test
  void tellsAbsentSelectorsFromEmptyOnes() {
    var pod =
        PodReader.read(
            json(
                """
                {'metadata':{'name':'p'},'spec':{'affinity':{'podAffinity':{
                  'requiredDuringSchedulingIgnoredDuringExecution':[
                    {'topologyKey':'zone'},{'topologyKey':'zone','labelSelector':{}}]}}}}
                """));

    var terms = pod.spec().podAffinity().required();
    assertThat(terms.get(0).labelSelector()).isNull();
    assertThat(terms.get(1).labelSelector()).isNotNull();
  }

  record Complaint(String json, String message) {}

  static final List<Complaint> COMPLAINTS =
      List.of(
          new Complaint(
              "{'spec':{'containers':[{'resources':{'requests':{'cpu':'2Gb'}}}]}}",
              "spec.containers[0].resources.requests[cpu]: \"2Gb\" is no quantity"),
          new Complaint(
              "{'spec':{'containers':{}}}", "spec.containers: expected a list, found an object"),
          new Complaint(
              "{'spec':{'priority':'high'}}",
              "spec.priority: expected an integer, found the string \"high\""),
          new Complaint(
              "{'spec':{'priority':4294967296}}", "spec.priority: 4294967296 does not fit 32 bits"),
          new Complaint(
              "{'metadata':{'labels':{'a':1}}}",
              "metadata.labels[a]: expected a string, found the value 1"),
          new Complaint(
              "{'status':{'startTime':'yesterday'}}",
              "status.startTime: \"yesterday\" is no time"));

  @ParameterizedTest
  @FieldSource("COMPLAINTS")
  void saysWhereAPodIsWrong(Complaint c) {
    assertThatThrownBy(() -> PodReader.read(json(c.json())))
        .isInstanceOf(FieldException.class)
        .hasMessageContaining(c.message());
  }

  @Test
  void fillsInTheDefaultsOfAConfiguration() {
    var read =
        SchedulerConfigurationReader.read(
            json(
                "{'apiVersion':'kubescheduler.config.k8s.io/v1','kind':'KubeSchedulerConfiguration'}"));

    assertThat(read).isEqualTo(SchedulerConfiguration.DEFAULT);
  }

  static final List<Complaint> BAD_CONFIGURATIONS =
      List.of(
          new Complaint("{'kind':'Pod'}", "no kind \"Pod\" is registered"),
          new Complaint(
              "{'parallelism':0}",
              "parallelism: Invalid value: 0: should be an integer value greater than zero"),
          new Complaint(
              "{'percentageOfNodesToScore':101}",
              "percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]"),
          new Complaint(
              "{'podMaxBackoffSeconds':0}",
              "podMaxBackoffSeconds: Invalid value: 0: must be greater than or equal to"
                  + " PodInitialBackoffSeconds"),
          new Complaint("{'profiles':[{},{}]}", "profiles[0].schedulerName: Required value"),
          new Complaint(
              "{'profiles':[{'schedulerName':'a'},{'schedulerName':'a'}]}",
              "profiles[1].schedulerName: Duplicate value: profiles[0].schedulerName"),
          new Complaint(
              "{'profiles':[{'plugins':{'score':{'enabled':[{'name':'EBSLimits'}]}}}]}",
              "profiles[0].plugins.score.enabled[0]: Invalid value: \"EBSLimits\": was invalid in"
                  + " version \"kubescheduler.config.k8s.io/v1\" (KubeSchedulerConfiguration is"
                  + " version \"kubescheduler.config.k8s.io/v1\")"),
          new Complaint(
              "{'percentOfNodesToScore':50}",
              "strict decoding error: unknown field \"percentOfNodesToScore\""),
          new Complaint(
              "{'profiles':[{'plugins':{'scoring':{}}}]}",
              "strict decoding error: unknown field \"profiles[0].plugins.scoring\""),
          new Complaint(
              args("InterPodAffinity", "{'hardWeight':1}"),
              "unknown field \"profiles[0].pluginConfig[0].args.hardWeight\""),
          new Complaint(
              "{'clientConnection':{'burst':-1}}",
              "clientConnection.burst: Invalid value: -1: must be non-negative"),
          new Complaint(
              "{'leaderElection':{'leaseDuration':'0s'}}",
              "leaderElection.leaseDuration: Invalid value: \"0s\": must be greater than zero"),
          new Complaint(
              "{'leaderElection':{'leaseDuration':'5s','renewDeadline':'10s'}}",
              "leaderElection.leaseDuration: Invalid value: \"10s\": must be greater than"
                  + " `RenewDeadline`"),
          new Complaint(
              "{'extenders':[{'urlPrefix':'http://x','prioritizeVerb':'p'}]}",
              "extenders[0].weight: Invalid value: 0: must have a positive weight applied to it"),
          new Complaint(
              "{'extenders':[{'bindVerb':'b'},{'bindVerb':'b'}]}",
              "extenders: Invalid value: \"found 2 extenders implementing bind\": only one extender"
                  + " can implement bind"),
          new Complaint(
              "{'extenders':[{'managedResources':[{'name':'cpu'}]}]}",
              "extenders[0].managedResources[0].name: Invalid value: \"cpu\": is an invalid"
                  + " extended resource name"));

  private static String args(String plugin, String args) {
    return "{'profiles':[{'pluginConfig':[{'name':'%s','args':%s}]}]}".formatted(plugin, args);
  }

  @ParameterizedTest
  @FieldSource("BAD_CONFIGURATIONS")
  void refusesWhatKubeSchedulerRefuses(Complaint c) {
    assertThatThrownBy(() -> SchedulerConfigurationReader.read(json(c.json())))
        .isInstanceOf(FieldException.class)
        .hasMessageContaining(c.message());
  }

  @Test
  void namesFieldsThatChangeNothing() {
    var file = json("{'parallelism':4,'clientConnection':{'qps':50},'profiles':[{}]}");

    assertThat(SchedulerConfigurationReader.withoutEffect(file))
        .containsExactly(
            "parallelism has no effect: decisions are made by one thread",
            "clientConnection.qps has no effect: binds in flight are limited instead");
  }

  @Test
  void theReferenceListsEveryFieldAndNoOther() throws Exception {
    var listed = new TreeSet<String>();
    var fields = Files.readString(Path.of("../docs/reference/configuration.md"));
    var row =
        Pattern.compile("^\\| `([\\w.]+)` \\|", Pattern.MULTILINE)
            .matcher(fields.substring(fields.indexOf("## Fields")));
    while (row.find()) {
      listed.add(row.group(1));
    }

    assertThat(listed).isEqualTo(SchedulerConfigurationFields.all());
  }

  @Test
  void ignoresWhatExtendersManage() {
    var file =
        json(
            "{'extenders':[{'urlPrefix':'http://x','managedResources':[{'name':'example.com/gpu','ignoredByScheduler':true}]}]}");

    var read = SchedulerConfigurationReader.read(file);

    assertThat(read.profiles().getFirst().ignoredResources()).containsExactly("example.com/gpu");
  }

  /// Trees of any shape are read or refused with a path, never with another exception.
  @Test
  void survivesAnyTree() {
    int trees = Integer.getInteger("berth.fuzz", 3_000);
    for (long seed = 0; seed < trees; seed++) {
      var tree = new RandomTree(new Random(seed)).object(0);
      try {
        PodReader.read(tree);
        NodeReader.read(tree);
        SchedulerConfigurationReader.read(tree);
      } catch (FieldException e) {
        assertThat(e.path()).as("seed " + seed).isNotNull();
      }
    }
  }

  private record RandomTree(Random random) {

    private static final String[] NAMES = {
      "metadata",
      "spec",
      "status",
      "labels",
      "containers",
      "resources",
      "requests",
      "cpu",
      "affinity",
      "podAffinity",
      "nodeAffinity",
      "requiredDuringSchedulingIgnoredDuringExecution",
      "preferredDuringSchedulingIgnoredDuringExecution",
      "labelSelector",
      "matchExpressions",
      "nodeSelectorTerms",
      "values",
      "topologySpreadConstraints",
      "tolerations",
      "taints",
      "allocatable",
      "images",
      "names",
      "volumes",
      "ports",
      "hostPort",
      "priority",
      "profiles",
      "plugins",
      "score",
      "enabled",
      "weight",
      "pluginConfig",
      "args",
      "name",
      "startTime",
    };

    Tree object(int depth) {
      var tree = new Tree();
      for (int i = random.nextInt(6); i > 0; i--) {
        tree.put(NAMES[random.nextInt(NAMES.length)], value(depth + 1));
      }
      return tree;
    }

    private Object value(int depth) {
      int choice = random.nextInt(depth > 6 ? 4 : 10);
      return switch (choice) {
        case 0 -> random.nextBoolean() ? "1Gi" : "\u0000 text";
        case 1 -> random.nextLong();
        case 2 -> random.nextGaussian() * 1e300;
        case 3 -> random.nextBoolean();
        case 4, 5 -> new java.util.ArrayList<>(List.of(value(depth + 1), value(depth + 1)));
        default -> object(depth);
      };
    }
  }

  @ParameterizedTest
  @CsvSource({"8,8", "1,1", "0,1", "-3,1", "many,1", "'',1", "99999999999,1"})
  void theCountOfAGroupIsANumberOrOne(String annotation, int expected) {
    var pod =
        Tree.of(
            "metadata",
            Tree.of("name", "p", "labels", Tree.of(Pod.GROUP_LABEL, "g"))
                .put("annotations", Tree.of(Pod.MIN_COUNT_ANNOTATION, annotation)));

    assertThat(PodReader.read(pod).group()).isEqualTo(new Pod.Group("g", expected));
  }
}
