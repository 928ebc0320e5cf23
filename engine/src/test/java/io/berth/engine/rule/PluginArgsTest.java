package io.berth.engine.rule;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.codec.SchedulerConfigurationReader;
import io.berth.codec.Yaml;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Arguments of plugins that are refused, with what kube-scheduler 1.37 prints for the same file.
class PluginArgsTest {

  private static final String NAME_RULE =
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end"
          + " with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex"
          + " used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  private static final String VALUE_RULE =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
          + " 'my_value',  or '12345', regex used for validation is"
          + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

  /// `ARGS` in a message stands for the path to the arguments, `REQUIRED` and `PREFERRED` for the
  /// long names, `FIT` for how the message of NodeResourcesFit begins.
  record Case(String plugin, String args, String message) {}

  static final List<Case> REFUSED =
      List.of(
          new Case(
              "InterPodAffinity",
              "{hardPodAffinityWeight: 101}",
              "ARGS.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]"),
          new Case(
              "DefaultPreemption",
              "{minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0}",
              "[ARGS.minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time"
                  + " as minCandidateNodesAbsolute, ARGS.minCandidateNodesAbsolute: Invalid value:"
                  + " 0: cannot be zero at the same time as minCandidateNodesPercentage]"),
          new Case(
              "DefaultPreemption",
              "{minCandidateNodesPercentage: -1, minCandidateNodesAbsolute: -1}",
              "[ARGS.minCandidateNodesPercentage: Invalid value: -1: not in valid range [0, 100],"
                  + " ARGS.minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0,"
                  + " inf)]"),
          new Case(
              "NodeAffinity",
              "{addedAffinity: {REQUIRED: {nodeSelectorTerms: [{matchExpressions: [{key: a,"
                  + " operator: Foo}]}]}}}",
              "ARGS.addedAffinity.REQUIRED.nodeSelectorTerms[0].matchExpressions[0].operator:"
                  + " Unsupported value: \"Foo\": supported values: \"In\", \"NotIn\", \"Exists\","
                  + " \"DoesNotExist\", \"Gt\", \"Lt\""),
          new Case(
              "NodeAffinity",
              "{addedAffinity: {REQUIRED: {nodeSelectorTerms: [{matchExpressions: [{key: a,"
                  + " operator: In},{key: a, operator: Exists, values: [x]},{key: a, operator: Lt,"
                  + " values: ['1','y']}]},{matchFields: [{key: metadata.foo, operator: In, values:"
                  + " [a]},{key: metadata.name, operator: In}]}]}}}",
              "[T0.matchExpressions[0].values: Invalid value: null: for 'in', 'notin' operators,"
                  + " values set can't be empty, T0.matchExpressions[1].values: Invalid value:"
                  + " [\"x\"]: values set must be empty for exists and does not exist,"
                  + " T0.matchExpressions[2].values: Invalid value: [\"1\",\"y\"]: for 'Gt', 'Lt'"
                  + " operators, exactly one value is required, T0.matchExpressions[2].values[1]:"
                  + " Invalid value: \"y\": for 'Gt', 'Lt' operators, the value must be an integer,"
                  + " T1.matchFields[1].values: Invalid value: null: must have one element]"),
          new Case(
              "NodeAffinity",
              "{addedAffinity: {PREFERRED: [{weight: 1, preference: {matchExpressions: [{key: '-',"
                  + " operator: In, values: ['-a']},{key: a, operator: Gt, values: [x]}]}},{weight:"
                  + " 2, preference: {matchFields: [{key: metadata.name, operator: Exists}]}}]}}",
              "[ARGS.addedAffinity.PREFERRED[0].matchExpressions[0].key: Invalid value: \"-\": "
                  + NAME_RULE
                  + ", ARGS.addedAffinity.PREFERRED[0].matchExpressions[0].values[0][-]: Invalid"
                  + " value: \"-a\": "
                  + VALUE_RULE
                  + ", ARGS.addedAffinity.PREFERRED[0].matchExpressions[1].values[0]: Invalid value:"
                  + " \"x\": for 'Gt', 'Lt' operators, the value must be an integer,"
                  + " ARGS.addedAffinity.PREFERRED[1].matchFields[0].operator: Unsupported value:"
                  + " \"Exists\": supported values: \"In\", \"NotIn\"]"),
          new Case(
              "NodeResourcesBalancedAllocation",
              "{resources: [{name: cpu, weight: 1},{name: cpu, weight: -1}]}",
              "[ARGS.resources[1].name: Duplicate value: \"cpu\", ARGS.resources[1].weight: Invalid"
                  + " value: -1: must be 1]"),
          new Case(
              "PodTopologySpread",
              "{defaultConstraints: [{maxSkew: 0, topologyKey: '', whenUnsatisfiable: Foo,"
                  + " labelSelector: {matchLabels: {a: b}}}], defaultingType: List}",
              "[ARGS.defaultConstraints[0].maxSkew: Invalid value: 0: not in valid range (0, inf),"
                  + " ARGS.defaultConstraints[0].topologyKey: Required value: can not be empty,"
                  + " ARGS.defaultConstraints[0].whenUnsatisfiable: Unsupported value: \"Foo\":"
                  + " supported values: \"DoNotSchedule\", \"ScheduleAnyway\","
                  + " ARGS.defaultConstraints[0].labelSelector: Forbidden: constraint must not"
                  + " define a selector, as they deduced for each pod]"),
          new Case(
              "PodTopologySpread",
              "{defaultConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: ''},{maxSkew:"
                  + " 1, topologyKey: b, whenUnsatisfiable: DoNotSchedule},{maxSkew: 2,"
                  + " topologyKey: b, whenUnsatisfiable: DoNotSchedule}], defaultingType: List}",
              "[ARGS.defaultConstraints[0].whenUnsatisfiable: Required value: can not be empty,"
                  + " ARGS.defaultConstraints[2]: Duplicate value: \"{b, DoNotSchedule}\"]"),
          new Case(
              "PodTopologySpread",
              "{defaultConstraints: [{maxSkew: 0, topologyKey: a, whenUnsatisfiable:"
                  + " DoNotSchedule}]}",
              "[ARGS.defaultingType: Invalid value: \"System\": when .defaultConstraints are not"
                  + " empty, ARGS.defaultConstraints[0].maxSkew: Invalid value: 0: not in valid"
                  + " range (0, inf)]"),
          new Case(
              "PodTopologySpread",
              "{defaultingType: Foo}",
              "ARGS.defaultingType: Unsupported value: \"Foo\": supported values: \"System\","
                  + " \"List\""),
          new Case(
              "VolumeBinding",
              "{bindTimeoutSeconds: -1, shape: [{utilization: 5, score: 11}]}",
              "[ARGS.bindTimeoutSeconds: Invalid value: -1: invalid BindTimeoutSeconds, should not"
                  + " be a negative value, ARGS.shape[0].score: Invalid value: 11: not in valid"
                  + " range [0, 10]]"),
          new Case(
              "VolumeBinding",
              "{shape: [{utilization: 10, score: 1},{utilization: 10, score: 1}, {utilization: 5,"
                  + " score: 1}]}",
              "ARGS.shape[1].utilization: Invalid value: 10: values must be sorted in increasing"
                  + " order"),
          new Case(
              "NodeResourcesFit",
              "{ignoredResources: [a/b, /x, ''], ignoredResourceGroups: [a/b, '-']}",
              "FIT[ignoredResources[1]: Invalid value: \"/x\": prefix part must be non-empty,"
                  + " ignoredResources[2]: Invalid value: \"\": name part must be non-empty,"
                  + " ignoredResources[2]: Invalid value: \"\": "
                  + NAME_RULE
                  + ", ignoredResourceGroups[0]: Invalid value: \"a/b\": resource group name can't"
                  + " contain '/', ignoredResourceGroups[1]: Invalid value: \"-\": "
                  + NAME_RULE
                  + "]"),
          new Case(
              "NodeResourcesFit",
              "{scoringStrategy: {resources: []}}",
              "FITscoringStrategy.type: Unsupported value: \"\": supported values:"
                  + " \"LeastAllocated\", \"MostAllocated\", \"RequestedToCapacityRatio\""),
          new Case(
              "NodeResourcesFit",
              "{scoringStrategy: {type: Foo, resources: [{name: cpu, weight: 200}],"
                  + " requestedToCapacityRatio: {shape: [{utilization: 5, score: 11}]}}}",
              "FIT[scoringStrategy.type: Unsupported value: \"Foo\": supported values:"
                  + " \"LeastAllocated\", \"MostAllocated\", \"RequestedToCapacityRatio\","
                  + " scoringStrategy.resources[0].weight: Invalid value: 200: resource weight of"
                  + " cpu not in valid range (0, 100], scoringStrategy.requestedToCapacityRatio:"
                  + " Forbidden: must be nil when type is not RequestedToCapacityRatio]"),
          new Case(
              "NodeResourcesFit",
              "{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio:"
                  + " {shape: [{utilization: 101, score: 11},{utilization: 5, score: -1}]}}}",
              "FIT[S[1].utilization: Invalid value: 5: values must be sorted in increasing order,"
                  + " S[0].utilization: Invalid value: 101: not in valid range [0, 100],"
                  + " S[0].score: Invalid value: 11: not in valid range [0, 10], S[1].score: Invalid"
                  + " value: -1: not in valid range [0, 10]]"),
          new Case(
              "NodeResourcesFit",
              "{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {}}}",
              "FITS: Required value: at least one point must be specified"),
          new Case(
              "NodeResourcesFit",
              "{scoringStrategy: {type: RequestedToCapacityRatio}}",
              "FITscoringStrategy.requestedToCapacityRatio: Required value: must be specified when"
                  + " type is RequestedToCapacityRatio"));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void areRefusedInKubernetesWords(Case c) {
    var required = "requiredDuringSchedulingIgnoredDuringExecution";
    var expected =
        c.message()
            .replaceAll("\\bT([01])\\.", "ARGS.addedAffinity.REQUIRED.nodeSelectorTerms[$1].")
            .replace(
                "FIT",
                "initializing profiles: creating profile for scheduler name b: initializing plugin"
                    + " \"NodeResourcesFit\": ")
            .replaceAll("\\bS(?=[\\[:])", "scoringStrategy.requestedToCapacityRatio.shape")
            .replace("ARGS", "profiles[1].pluginConfig[0].args")
            .replace("REQUIRED", required)
            .replace("PREFERRED", required.replace("required", "preferred"));
    assertThatThrownBy(() -> check(c))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(expected);
  }

  static final List<Case> ACCEPTED =
      List.of(
          new Case("NodeAffinity", "{addedAffinity: {REQUIRED: {nodeSelectorTerms: []}}}", ""),
          new Case(
              "NodeAffinity",
              "{addedAffinity: {PREFERRED: [{weight: 0, preference: {matchExpressions: [{key: '-',"
                  + " operator: In, values: ['-a']}]}}]}}",
              ""),
          new Case("PodTopologySpread", "{defaultingType: ''}", ""),
          new Case("NodeResourcesBalancedAllocation", "{resources: [{name: x, weight: 0}]}", ""),
          new Case("VolumeBinding", "{shape: []}", ""),
          new Case("NodePorts", "{a: b}", ""));

  @ParameterizedTest
  @FieldSource("ACCEPTED")
  void areAcceptedWhereKubernetesAccepts(Case c) {
    assertThatCode(() -> check(c)).doesNotThrowAnyException();
  }

  private static void check(Case c) {
    var required = "requiredDuringSchedulingIgnoredDuringExecution";
    var args =
        c.args()
            .replace("REQUIRED", required)
            .replace("PREFERRED", required.replace("required", "preferred"));
    var file =
        """
        profiles:
        - schedulerName: a
        - schedulerName: b
          pluginConfig:
          - name: %s
            args: %s
        """
            .formatted(c.plugin(), args);
    Profiles.check(SchedulerConfigurationReader.read(Yaml.read(file)), RuleCatalog.NONE);
  }
}
