package io.berth.workloads.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyTest {

  // ---- one policy ----------------------------------------------------------------------------

  @Test
  void defaultsFillWhatIsNotGiven() {
    var result = apply("defaults: {image: python, compute: {gpuDevicesRequest: 2}}", "{}");
    assertThat(result.document())
        .isEqualTo(yaml("{image: python, compute: {gpuDevicesRequest: 2}}"));
    assertThat(result.issues()).isEmpty();
  }

  @Test
  void whatIsGivenStands() {
    var result = apply("defaults: {image: python}", "{image: busybox, args: x}");
    assertThat(result.document()).isEqualTo(yaml("{image: busybox, args: x}"));
  }

  @Test
  void aLockedAffinityMayBeRepeatedButNotChanged() {
    var policy =
        """
        defaults: {nodeAffinityRequired: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}
        rules: {nodeAffinityRequired: {canEdit: false}}
        """;
    assertThat(issues(policy, "{}")).isEmpty();
    assertThat(
            issues(
                policy,
                "nodeAffinityRequired: {nodeSelectorTerms: [{matchExpressions:"
                    + " [{key: a, operator: Exists, values: null}]}]}"))
        .isEmpty();
    assertThat(
            issues(
                policy,
                "nodeAffinityRequired: {nodeSelectorTerms: [{matchExpressions:"
                    + " [{key: b, operator: Exists}]}]}"))
        .containsExactly(Issue.canEdit("nodeAffinityRequired"));
  }

  @Test
  void affinityMayBeJoinedInsteadOfReplaced() {
    var result =
        apply(
            """
            defaults: {nodeAffinityRequired: {nodeSelectorTerms: [{matchExpressions: [{key: p, operator: Exists}]}]}}
            rules: {nodeAffinityRequired: {merge: and}}
            """,
            """
            nodeAffinityRequired:
              nodeSelectorTerms:
              - matchExpressions: [{key: u, operator: Exists}]
              - matchExpressions: [{key: v, operator: Exists}]
            """);
    assertThat(result.document())
        .isEqualTo(
            yaml(
                """
                nodeAffinityRequired:
                  nodeSelectorTerms:
                  - matchExpressions: [{key: p, operator: Exists}, {key: u, operator: Exists}]
                  - matchExpressions: [{key: p, operator: Exists}, {key: v, operator: Exists}]
                """));
  }

  @Test
  void numbersHaveBoundsAndSteps() {
    var policy = "rules: {compute: {gpuDevicesRequest: {min: 2, max: 10, step: 2}}}";
    assertThat(issues(policy, "compute: {gpuDevicesRequest: 4}")).isEmpty();
    assertThat(issues(policy, "compute: {gpuDevicesRequest: 1}"))
        .containsExactly(
            new Issue("compute.gpuDevicesRequest", "value must be no less than 2", "min"),
            new Issue("compute.gpuDevicesRequest", "value must be 2 plus a multiple of 2", "step"));
    assertThat(issues(policy, "compute: {gpuDevicesRequest: 12}"))
        .containsExactly(
            new Issue("compute.gpuDevicesRequest", "value must be no more than 10", "max"));
  }

  @Test
  void quantitiesCompareByWhatTheyMean() {
    var policy = "rules: {compute: {cpuMemoryRequest: {max: 1Gi}}}";
    assertThat(issues(policy, "compute: {cpuMemoryRequest: 1024Mi}")).isEmpty();
    assertThat(issues(policy, "compute: {cpuMemoryRequest: 1025Mi}")).hasSize(1);
    var locked =
        """
        defaults: {compute: {cpuMemoryRequest: 1Gi}}
        rules: {compute: {cpuMemoryRequest: {canEdit: false}}}
        """;
    assertThat(issues(locked, "compute: {cpuMemoryRequest: 1024Mi}")).isEmpty();
  }

  @Test
  void requiredIsSatisfiedByADefault() {
    assertThat(issues("rules: {image: {required: true}}", "{}"))
        .containsExactly(Issue.required("image"));
    assertThat(issues("{defaults: {image: a}, rules: {image: {required: true}}}", "{}")).isEmpty();
    assertThat(issues("rules: {nodePools: {required: true}}", "nodePools: []"))
        .containsExactly(Issue.required("nodePools"));
  }

  @Test
  void optionsHoldForEachItemOfAList() {
    var policy = "rules: {nodePools: {options: [{value: a}, {value: b}]}}";
    assertThat(issues(policy, "nodePools: [a, b]")).isEmpty();
    assertThat(issues(policy, "nodePools: [a, c]"))
        .containsExactly(new Issue("nodePools", "value must be one of: a, b", "options"));
  }

  @Test
  void aBlockedFieldHasNoRuleNameThatClientsKnow() {
    var issues = issues("rules: {nodeType: {blocked: true}}", "nodeType: dgx");
    assertThat(issues).containsExactly(Issue.blocked("nodeType"));
    assertThat(issues.getFirst().tree().has("rule")).isFalse();
  }

  @Test
  void aDefaultMayFollowAnotherField() {
    var policy =
        "rules: {compute: {cpuCoreLimit: {defaultFrom: {field: cpuCoreRequest, factor: 2}},"
            + " cpuMemoryLimit: {defaultFrom: {field: cpuMemoryRequest, factor: 1.5}}}}";
    var result = apply(policy, "compute: {cpuCoreRequest: 0.5, cpuMemoryRequest: 2Gi}");
    assertThat(result.document().at("compute", "cpuCoreLimit")).isEqualTo(1.0);
    assertThat(result.document().at("compute", "cpuMemoryLimit")).isEqualTo("3Gi");
  }

  // ---- items ---------------------------------------------------------------------------------

  /// The worked example of the specification.
  @Test
  void itemsAreKeptExcludedAndAdded() {
    var policy =
        """
        defaults:
          compute:
            extendedResources:
              instances: [{resource: default/cpu, quantity: "5"}, {resource: default/memory, quantity: 4M}]
              attributes: {quantity: "3"}
        rules: {compute: {extendedResources: {instances: {locked: [default/cpu]}}}}
        """;
    var result =
        apply(
            policy,
            """
            compute:
              extendedResources:
              - {resource: default/memory, exclude: true}
              - {resource: added/cpu}
              - {resource: added/memory, quantity: 5M}
            """);
    assertThat(result.issues()).isEmpty();
    assertThat(result.document())
        .isEqualTo(
            yaml(
                """
                compute:
                  extendedResources:
                  - {resource: default/cpu, quantity: "5"}
                  - {resource: added/cpu, quantity: "3"}
                  - {resource: added/memory, quantity: 5M}
                """));
  }

  @Test
  void aLockedItemStays() {
    var policy =
        """
        defaults: {tolerations: {instances: [{name: gpu, operator: Exists, key: gpu}]}}
        rules: {tolerations: {instances: {locked: [gpu]}}}
        """;
    assertThat(issues(policy, "tolerations: [{name: gpu, exclude: true}]"))
        .containsExactly(Issue.locked("tolerations", "gpu"));
    assertThat(issues(policy, "tolerations: [{name: gpu, key: cpu}]"))
        .containsExactly(Issue.locked("tolerations", "gpu"));
    assertThat(issues(policy, "tolerations: [{name: gpu, key: gpu}]")).isEmpty();
  }

  @Test
  void nothingIsAddedWhereThatIsProhibited() {
    var policy = "rules: {annotations: {instances: {canAdd: false}}}";
    assertThat(issues(policy, "annotations: [{name: a, value: b}]"))
        .containsExactly(Issue.canAdd("annotations"));
    assertThat(issues(policy, "{}")).isEmpty();
  }

  @Test
  void attributesOfItemsHaveRules() {
    var policy =
        "rules: {storage: {hostPath: {attributes: {readOnly: {required: true},"
            + " mountPath: {options: [{value: /data}]}}}}}";
    assertThat(issues(policy, "storage: {hostPath: [{name: a, path: /x, mountPath: /etc}]}"))
        .containsExactlyInAnyOrder(
            Issue.required("storage.hostPath.readOnly"),
            new Issue("storage.hostPath.mountPath", "value must be one of: /data", "options"));
  }

  // ---- hierarchy -----------------------------------------------------------------------------

  @Test
  void theNarrowestDefaultWins() {
    var effective =
        effective(
            at(Scope.PROJECT, "33", "defaults: {image: p}"),
            at(Scope.TENANT, "", "defaults: {image: t, args: t}"));
    assertThat(effective.tree().tree("defaults")).isEqualTo(yaml("{image: p, args: t}"));
  }

  @Test
  void theNarrowestRuleWinsButForComputeAndSecurity() {
    var effective =
        effective(
            at(
                Scope.TENANT,
                "",
                "rules: {nodeAffinityRequired: {canEdit: false},"
                    + " compute: {cpuCoreLimit: {canEdit: false}}}"),
            at(
                Scope.PROJECT,
                "33",
                "rules: {nodeAffinityRequired: {canEdit: true},"
                    + " compute: {cpuCoreLimit: {canEdit: true}}}"));
    assertThat(effective.tree().tree("rules"))
        .isEqualTo(
            yaml(
                """
                nodeAffinityRequired: {canEdit: true, sourceOfRule: {scope: project, projectId: 33}}
                compute: {cpuCoreLimit: {canEdit: false, sourceOfRule: {scope: tenant}}}
                """));
  }

  @Test
  void aFinalRuleStandsAgainstNarrowerScopes() {
    var effective =
        effective(
            at(Scope.TENANT, "", "rules: {nodeType: {canEdit: false, final: true}}"),
            at(Scope.PROJECT, "33", "rules: {nodeType: {canEdit: true}}"));
    assertThat(effective.tree().at("rules", "nodeType", "canEdit")).isEqualTo(false);
  }

  @Test
  void aRuleOfABroaderScopeIsNotSetAgain() {
    var policy = Policy.of(yaml("rules: {compute: {cpuCoreLimit: {max: 2}}, nodeType: {}}"));
    var broader = at(Scope.CLUSTER, "c1", "rules: {compute: {cpuCoreLimit: {max: 4}}}");
    assertThat(PolicyCheck.conflicts(PolicyFields.WORKSPACE, policy, List.of(broader)))
        .containsExactly("Field \"compute.cpuCoreLimit\" already has rules in cluster: \"c1\"");
  }

  @Test
  void privilegedIsTakenByTheSystem() {
    var effective =
        EffectivePolicy.of(
            PolicyFields.TRAINING, List.of(new Policy.At(Scope.SYSTEM, "", Policy.SYSTEM)));
    var result = Compliance.apply(effective, yaml("security: {privileged: true}"));
    assertThat(result.issues()).containsExactly(Issue.canEdit("security.privileged"));
  }

  // ---- roles, changes, checks ----------------------------------------------------------------

  @Test
  void rolesHaveFieldsOfTheirOwn() {
    var effective =
        EffectivePolicy.of(
            PolicyFields.DISTRIBUTED,
            List.of(
                at(
                    Scope.TENANT,
                    "",
                    "{defaults: {worker: {image: w}}, rules: {master: {image: {required: true}},"
                        + " worker: {compute: {gpuDevicesRequest: {max: 8}}}}}")));
    var result =
        Compliance.apply(
            effective, yaml("{worker: {compute: {gpuDevicesRequest: 9}}, master: {}}"));
    assertThat(result.document().at("worker", "image")).isEqualTo("w");
    assertThat(result.issues())
        .extracting(Issue::field)
        .containsExactly("worker.compute.gpuDevicesRequest", "master.image");
  }

  @Test
  void aChangeMergesAndResets() {
    var before =
        Policy.of(
            yaml(
                "{defaults: {image: a, compute: {cpuCoreLimit: 1}},"
                    + " rules: {compute: {cpuCoreLimit: {max: 2}}, image: {canEdit: false}}}"));
    var after =
        before.changed(
            yaml("{defaults: {args: x}, rules: {image: {required: true}}}"),
            List.of("compute.cpuCoreLimit"));
    assertThat(after.defaults()).isEqualTo(yaml("{image: a, compute: {}, args: x}"));
    assertThat(after.rules())
        .isEqualTo(yaml("{compute: {}, image: {canEdit: false, required: true}}"));
  }

  @Test
  void aBadPolicyIsRefusedInWords() {
    assertThat(problems("defaults: {imagine: x}"))
        .containsExactly("json: unknown field \"imagine\"");
    assertThat(problems("rules: {image: {min: 3}}")).containsExactly("json: unknown field \"min\"");
    assertThat(problems("rules: {image: {canEdit: maybe}}"))
        .containsExactly("Field \"image\": rule canEdit must be true or false");
    assertThat(problems("rules: {compute: {gpuDevicesRequest: {min: 3, max: 1}}}"))
        .containsExactly("Field \"compute.gpuDevicesRequest\": min 3 is more than max 1");
    assertThat(problems("{defaults: {image: a}, rules: {image: {options: [{value: b}]}}}"))
        .containsExactly(
            "The default of field \"image\" breaks its own rule: value must be one of: b");
    assertThat(problems("rules: {compute: {cpuCoreLimit: {defaultFrom: {field: image}}}}"))
        .containsExactly(
            "Field \"compute.cpuCoreLimit\": defaultFrom must name a number of the same section,"
                + " not \"image\"");
    assertThat(problems("defaults: {compute: {cpuMemoryLimit: lots}}"))
        .containsExactly(
            "Field \"compute.cpuMemoryLimit\" must be a quantity such as \"500M\" or \"2Gi\"");
    assertThat(problems("defaults: {tolerations: {instances: [{key: a}]}}"))
        .containsExactly("Field \"tolerations\": every instance needs a name");
    assertThat(problems("{defaults: {image: a}, rules: {image: {canEdit: false}}}")).isEmpty();
  }

  private static List<String> problems(String policy) {
    return PolicyCheck.problems(PolicyFields.WORKSPACE, yaml(policy));
  }

  private static List<Issue> issues(String policy, String spec) {
    return apply(policy, spec).issues();
  }

  private static Compliance.Result apply(String policy, String spec) {
    return Compliance.apply(effective(at(Scope.TENANT, "", policy)), yaml(spec));
  }

  private static EffectivePolicy effective(Policy.At... policies) {
    return EffectivePolicy.of(PolicyFields.WORKSPACE, List.of(policies));
  }

  private static Policy.At at(Scope scope, String unit, String policy) {
    return new Policy.At(scope, unit, Policy.of(yaml(policy)));
  }

  private static Tree yaml(String text) {
    return Yaml.read(text);
  }
}
