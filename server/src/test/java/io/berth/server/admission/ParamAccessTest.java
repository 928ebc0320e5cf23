package io.berth.server.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.TestServer;
import io.berth.server.http.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Whoever may write policies cannot read by them what they may not read otherwise.
class ParamAccessTest {

  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

  private final TestServer server = new TestServer();

  @BeforeEach
  void aliceWritesPolicies() {
    grant("policies", "admissionregistration.k8s.io", "*", "create");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aPolicyOfSecretsNeedsTheRightToReadThem() {
    var refused = policy("alice", "p", "Secret");
    assertThat(refused.code()).isEqualTo(422);
    assertThat(PolicyServer.message(refused))
        .isEqualTo(
            "ValidatingAdmissionPolicy.admissionregistration.k8s.io \"p\" is invalid:"
                + " spec.paramKind: Forbidden: user &{alice 2 [dev ops system:authenticated]"
                + " map[]} must have \"get\" permission on all objects of the referenced paramKind"
                + " (kind=Secret, apiVersion=v1)");

    grant("secrets", "", "secrets", "get");
    assertThat(policy("alice", "p", "Secret").code()).isEqualTo(201);
  }

  @Test
  void aBindingNeedsTheRightToReadWhatItRefersTo() {
    assertThat(policy("admin", "p", "Secret").code()).isEqualTo(201);

    var refused = bind("p", "'name':'s','namespace':'default'");
    assertThat(PolicyServer.message(refused))
        .endsWith(
            "spec.paramRef: Forbidden: user &{alice 2 [dev ops system:authenticated] map[]} does"
                + " not have \"get\" permission on the object referenced by paramRef");
    assertThat(PolicyServer.message(bind("p", "'selector':{},'namespace':'default'")))
        .contains("does not have \"list\" permission");
    assertThat(PolicyServer.message(bind("missing", "'name':'s'")))
        .contains("unable to get policy missing to determine minimum required permissions");

    grant("secrets", "", "secrets", "get");
    assertThat(bind("p", "'name':'s','namespace':'default'").code()).isEqualTo(201);
  }

  @Test
  void withoutParametersNothingIsAsked() {
    assertThat(
            server
                .post(
                    "alice",
                    REGISTRATION + "validatingadmissionpolicybindings",
                    "{'metadata':{'name':'b'},'spec':{'policyName':'p','validationActions':['Deny']}}")
                .code())
        .isEqualTo(201);
  }

  private Answer policy(String who, String name, String kind) {
    var body =
        "{'metadata':{'name':'%s'},'spec':{'paramKind':{'apiVersion':'v1','kind':'%s'},'matchConstraints':{'resourceRules':[{'apiGroups':[''],'apiVersions':['v1'],'operations':['CREATE'],'resources':['configmaps']}]},'validations':[{'expression':'true'}]}}"
            .formatted(name, kind);
    return server.post(who, REGISTRATION + "validatingadmissionpolicies", body);
  }

  private Answer bind(String policy, String reference) {
    var body =
        "{'metadata':{'name':'b'},'spec':{'policyName':'%s','validationActions':['Deny'],'paramRef':{%s,'parameterNotFoundAction':'Deny'}}}"
            .formatted(policy, reference);
    return server.post("alice", REGISTRATION + "validatingadmissionpolicybindings", body);
  }

  private void grant(String name, String group, String resource, String verb) {
    var role =
        "{'metadata':{'name':'%s'},'rules':[{'apiGroups':['%s'],'resources':['%s'],'verbs':['%s']}]}"
            .formatted(name, group, resource, verb);
    var binding =
        "{'metadata':{'name':'%1$s'},'subjects':[{'kind':'User','name':'alice','apiGroup':'rbac.authorization.k8s.io'}],'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'%1$s'}}"
            .formatted(name);
    server.post("admin", RBAC + "clusterroles", role);
    server.post("admin", RBAC + "clusterrolebindings", binding);
  }
}
