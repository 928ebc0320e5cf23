package io.berth.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.ApiException;
import io.berth.codec.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Kinds whose objects cannot be named, or cannot be made, like others.
class NamesOfKindsTest {

  private static final Kinds KINDS = new Kinds();

  record Case(String what, String group, String resource, String object, String complaint) {

    @Override
    public String toString() {
      return what;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "an address",
              "networking.k8s.io",
              "ipaddresses",
              "{'metadata':{'name':'fe80::1'},"
                  + "'spec':{'parentRef':{'resource':'services','name':'s'}}}",
              ""),
          new Case(
              "no address",
              "networking.k8s.io",
              "ipaddresses",
              "{'metadata':{'name':'home'},'spec':{'parentRef':{'resource':'s','name':'s'}}}",
              "metadata.name: Invalid value: \"home\": must be a valid IP address"),
          new Case(
              "no parent",
              "networking.k8s.io",
              "ipaddresses",
              "{'metadata':{'name':'10.0.0.1'}}",
              "spec.parentRef: Required value"),
          new Case(
              "two ranges of one family",
              "networking.k8s.io",
              "servicecidrs",
              "{'metadata':{'name':'c'},'spec':{'cidrs':['10.0.0.0/8','10.1.0.0/16']}}",
              "may specify no more than one IP for each IP family"),
          new Case(
              "a bundle of a signer",
              "certificates.k8s.io",
              "clustertrustbundles",
              "{'metadata':{'name':'b'},'spec':{'signerName':'a.com/s','trustBundle':''}}",
              "ClusterTrustBundle for signerName a.com/s must be named with prefix a.com:s:"),
          new Case(
              "an empty bundle",
              "certificates.k8s.io",
              "clustertrustbundles",
              "{'metadata':{'name':'b'},'spec':{'trustBundle':'nothing'}}",
              "spec.trustBundle: Invalid value: \"<value omitted>\": at least one trust anchor"
                  + " must be provided"),
          new Case(
              "a name that is not the version and group",
              "apiregistration.k8s.io",
              "apiservices",
              "{'metadata':{'name':'v1.x'},'spec':{'service':{'namespace':'a','name':'b'}}}",
              "metadata.name: Invalid value: \"v1.x\": must be `spec.version+\".\"+spec.group`: \".\""),
          new Case(
              "a binding of no policy",
              "admissionregistration.k8s.io",
              "validatingadmissionpolicybindings",
              "{'metadata':{'name':'b'},'spec':{'validationActions':['Deny']}}",
              "spec.policyName: Required value"),
          new Case(
              "a policy with an expression that is none",
              "admissionregistration.k8s.io",
              "validatingadmissionpolicies",
              "{'metadata':{'name':'b'},'spec':{'failurePolicy':'Fail','matchConstraints':{"
                  + "'matchPolicy':'Exact','namespaceSelector':{},'objectSelector':{},"
                  + "'resourceRules':[{'apiGroups':[''],'apiVersions':['v1'],"
                  + "'operations':['CREATE'],'resources':['pods']}]},"
                  + "'validations':[{'expression':'1 + 1'}]}}",
              "spec.validations[0].expression: Invalid value: \"1 + 1\": must evaluate to bool but"
                  + " got int"),
          new Case(
              "a claim without a class",
              "resource.k8s.io",
              "resourceclaims",
              "{'metadata':{'name':'c','namespace':'n'},"
                  + "'spec':{'devices':{'requests':[{'name':'r','exactly':{}}]}}}",
              "spec.devices.requests[0].exactly.deviceClassName: Required value"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void refusesWhatTheKindRefuses(Case c) {
    var kind = KINDS.find(c.group, "v1", c.resource).orElseThrow();
    var object = Json.read(c.object.replace('\'', '"'));
    object.child("metadata").put("uid", "u");
    var complaint = "";
    try {
      kind.strategy().setDefaults(object);
      Lifecycle.beforeCreate(kind, object, Write.bySystem(Instant.EPOCH));
    } catch (ApiException e) {
      complaint = String.valueOf(e.getMessage());
    }

    if (c.complaint.isEmpty()) {
      assertThat(complaint).isEmpty();
    } else {
      assertThat(complaint).contains(c.complaint);
    }
  }
}
