package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.http.Answer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Doors by which somebody could come to more than their roles give, each closed as in Kubernetes.
class EscalationTest {

  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
  private static final String CORE = "/api/v1/namespaces/default/";
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/";
  private static final String AGGREGATION =
      "'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':{'a':'b'}}]}";

  private final TestServer server = new TestServer();

  @BeforeEach
  void bind() {
    accept(
        server.post(
            "admin",
            RBAC + "clusterrolebindings",
            "{'metadata':{'name':'alice'},'subjects':[{'kind':'User','name':'alice'}],"
                + "'roleRef':{'kind':'ClusterRole','name':'alice'}}"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aChangeThatCreatesNeedsTheRightToCreate() {
    letAlice(rule("", "configmaps", "get,patch"), rule("coordination.k8s.io", "leases", "update"));
    var map = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'}}";
    var lease =
        "{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'l'},'spec':{}}";

    assertThat(message(apply(CORE + "configmaps/m", map)))
        .isEqualTo(
            "configmaps \"m\" is forbidden: User \"alice\" cannot create resource \"configmaps\" in"
                + " API group \"\" in the namespace \"default\"");
    assertThat(server.ask("alice", "PUT", LEASES + "l", lease).code()).isEqualTo(403);
    assertThat(server.get("admin", CORE + "configmaps/m").code()).isEqualTo(404);
    assertThat(server.get("admin", LEASES + "l").code()).isEqualTo(404);

    letAlice(
        rule("", "configmaps", "create,patch"),
        rule("coordination.k8s.io", "leases", "create,update"));
    assertThat(apply(CORE + "configmaps/m", map).code()).isEqualTo(201);
    assertThat(server.ask("alice", "PUT", LEASES + "l", lease).code()).isEqualTo(201);
  }

  @Test
  void connectionsIntoPodsNeedTheRightToCreateWhateverTheMethod() {
    letAlice(rule("", "pods/exec,pods/attach,pods/portforward,pods/proxy", "get"));

    for (var door : List.of("exec", "attach", "portforward")) {
      var answer = server.get("alice", CORE + "pods/missing/" + door);
      assertThat(message(answer)).isEqualTo("pods \"missing\" is forbidden: ");
      assertThat(answer.code()).isEqualTo(403);
    }
    assertThat(server.get("alice", CORE + "pods/missing/proxy").code()).isEqualTo(404);
  }

  @Test
  void aRoleThatGathersOthersNeedsEverything() {
    var mine = rule("rbac.authorization.k8s.io", "clusterroles", "create,update,patch");
    letAlice(mine);
    accept(server.post("admin", RBAC + "clusterroles", role("gathers", AGGREGATION)));
    accept(server.post("admin", RBAC + "clusterroles", role("empty", "'rules':[]")));

    for (var refused :
        List.of(
            server.post("alice", RBAC + "clusterroles", role("new", AGGREGATION)),
            server.ask("alice", "PUT", RBAC + "clusterroles/made", role("made", AGGREGATION)),
            apply(RBAC + "clusterroles/applied", role("applied", AGGREGATION)),
            server.ask("alice", "PUT", RBAC + "clusterroles/empty", role("empty", AGGREGATION)),
            apply(RBAC + "clusterroles/empty", role("empty", AGGREGATION)),
            merge(RBAC + "clusterroles/empty", "{" + AGGREGATION + "}"),
            merge(RBAC + "clusterroles/alice", "{" + AGGREGATION + "}"),
            merge(RBAC + "clusterroles/gathers", "{'aggregationRule':null}"),
            merge(RBAC + "clusterroles/gathers", "{'metadata':{'labels':{'a':'b'}}}"))) {
      assertThat(message(refused))
          .endsWith(" is forbidden: must have cluster-admin privileges to use the aggregationRule");
      assertThat(refused.code()).isEqualTo(403);
    }
    var none = "{'aggregationRule':{'clusterRoleSelectors':[]}}";
    assertThat(merge(RBAC + "clusterroles/empty", none).code()).isEqualTo(422);
    accept(merge(RBAC + "clusterroles/gathers", "{'metadata':{'finalizers':['a/b']}}"));
  }

  @Test
  void everythingMeansResourcesAndPaths() {
    var resources = "{'verbs':['*'],'apiGroups':['*'],'resources':['*']}";
    var paths = "{'verbs':['*'],'nonResourceURLs':['*']}";
    var verbs =
        "'get','list','watch','create','update','patch','delete','deletecollection','impersonate'";

    letAlice(resources.replace("'*'],'apiGroups", verbs + "],'apiGroups"), paths);
    assertThat(server.post("alice", RBAC + "clusterroles", role("a", AGGREGATION)).code())
        .isEqualTo(403);
    letAlice(resources.replace("['*'],'apiGroups':['*']", "[" + verbs + "],'apiGroups':['']"));
    assertThat(server.post("alice", RBAC + "clusterroles", role("a", AGGREGATION)).code())
        .isEqualTo(403);
    letAlice(resources, paths);
    accept(server.post("alice", RBAC + "clusterroles", role("a", AGGREGATION)));
  }

  @Test
  void whoMayEscalateMayAlsoGather() {
    letAlice(rule("rbac.authorization.k8s.io", "clusterroles", "create,escalate"));

    accept(server.post("alice", RBAC + "clusterroles", role("a", AGGREGATION)));
  }

  @Test
  void aRoleThatGrantsMoreThanItsWriterHasStaysAsItIs() {
    letAlice(rule("rbac.authorization.k8s.io", "clusterroles", "update,patch"));

    var refused = merge(RBAC + "clusterroles/cluster-admin", "{'metadata':{'labels':{'a':'b'}}}");
    assertThat(refused.code()).isEqualTo(403);
    accept(merge(RBAC + "clusterroles/cluster-admin", "{'metadata':{'finalizers':['a/b']}}"));
  }

  @Test
  void kubeletsGetTokensForAudiencesThatThePodMountsOnly() {
    var pod = podOnNode();
    var refused = token(pod, "'elsewhere'");
    assertThat(message(refused))
        .isEqualTo(
            "serviceaccounts \"sa\" is forbidden: system:node:node-a is not authorized to request"
                + " tokens for audience \"elsewhere\"");
    assertThat(refused.code()).isEqualTo(403);
    assertThat(message(token(pod, "'vault','elsewhere'")))
        .isEqualTo("serviceaccounts \"sa\" is forbidden: node may only request 0 or 1 audiences");
    accept(token(pod, "'vault'"));
    accept(token(pod, ""));

    accept(
        server.post(
            "admin",
            RBAC + "clusterroles",
            role(
                "audience",
                "'rules':["
                    + rule("", "elsewhere", "request-serviceaccounts-token-audience")
                    + "]")));
    accept(
        server.post(
            "admin",
            RBAC + "clusterrolebindings",
            "{'metadata':{'name':'audience'},'subjects':[{'kind':'Group','name':'system:nodes'}],"
                + "'roleRef':{'kind':'ClusterRole','name':'audience'}}"));
    accept(token(pod, "'elsewhere'"));
  }

  @Test
  void kubeletsAskForCertificatesOfTheirPodsOnly() {
    var pod = podOnNode();
    assertThat(message(certificate(pod, "node-b", "example.com/mounted")))
        .contains("which is not the requesting node \"node-a\"");
    assertThat(message(certificate("wrong", "node-a", "example.com/mounted")))
        .contains("contains pod UID (\"wrong\") which differs from running pod");
    assertThat(message(certificate(pod, "node-a", "example.com/other")))
        .endsWith(
            "is forbidden: pod \"default/p\" does not mount a podCertificate projected volume for"
                + " signer \"example.com/other\"");
    // The key is none, which is found out later.
    assertThat(message(certificate(pod, "node-a", "example.com/mounted")))
        .doesNotContain("is forbidden");
  }

  /// The UID of a pod on node-a that mounts a token and a certificate.
  private String podOnNode() {
    accept(server.post("admin", "/api/v1/nodes", "{'metadata':{'name':'node-a'}}"));
    accept(server.post("admin", CORE + "serviceaccounts", "{'metadata':{'name':'sa'}}"));
    var sources =
        "{'serviceAccountToken':{'path':'t','audience':'vault'}},"
            + "{'podCertificate':{'signerName':'example.com/mounted','keyType':'ED25519',"
            + "'credentialBundlePath':'c'}}";
    var created =
        server.post(
            "admin",
            CORE + "pods",
            "{'metadata':{'name':'p'},'spec':{'nodeName':'node-a','serviceAccountName':'sa',"
                + "'containers':[{'name':'c','image':'i'}],'volumes':[{'name':'v','projected':"
                + "{'sources':["
                + sources
                + "]}}]}}");
    accept(created);
    return TestServer.json(created).textOrEmpty("metadata", "uid");
  }

  private Answer token(String pod, String audiences) {
    return asNode(
        CORE + "serviceaccounts/sa/token",
        "{'spec':{'audiences':[%s],'boundObjectRef':{'apiVersion':'v1','kind':'Pod','name':'p','uid':'%s'}}}"
            .formatted(audiences, pod));
  }

  private Answer certificate(String pod, String node, String signer) {
    var spec =
        "'signerName':'%s','podName':'p','podUID':'%s','serviceAccountName':'sa','serviceAccountUID':'%s','nodeName':'%s','nodeUID':'%s','pkixPublicKey':'AAAA','proofOfPossession':'AAAA'"
            .formatted(
                signer, pod, uid(CORE + "serviceaccounts/sa"), node, uid("/api/v1/nodes/node-a"));
    return asNode(
        "/apis/certificates.k8s.io/v1/namespaces/default/podcertificaterequests",
        "{'metadata':{'name':'r'},'spec':{%s}}".formatted(spec));
  }

  private String uid(String path) {
    return TestServer.json(server.get("admin", path)).textOrEmpty("metadata", "uid");
  }

  private Answer asNode(String path, String body) {
    Map<String, List<String>> headers = new HashMap<>();
    headers.put("authorization", List.of("Bearer admin"));
    headers.put("impersonate-user", List.of("system:node:node-a"));
    headers.put("impersonate-group", List.of("system:nodes"));
    return server.ask(
        headers, "POST", path, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static String role(String name, String with) {
    return "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRole','metadata':{'name':'%s'},%s}"
        .formatted(name, with);
  }

  private Answer merge(String path, String body) {
    return patch("application/merge-patch+json", path, body);
  }

  /// Gives alice these rules in the whole cluster, and no others.
  private void letAlice(String... rules) {
    var body =
        "{'metadata':{'name':'alice'},'rules':[%s]}".formatted(String.join(",", List.of(rules)));
    accept(server.ask("admin", "PUT", RBAC + "clusterroles/alice", body));
  }

  private static String rule(String group, String resources, String verbs) {
    return "{'apiGroups':['%s'],'resources':%s,'verbs':%s}"
        .formatted(group, list(resources), list(verbs));
  }

  private static String list(String words) {
    return "['" + words.replace(",", "','") + "']";
  }

  private Answer apply(String path, String body) {
    return patch("application/apply-patch+yaml", path + "?fieldManager=test", body);
  }

  private Answer patch(String type, String path, String body) {
    Map<String, List<String>> headers = new HashMap<>();
    headers.put("authorization", List.of("Bearer alice"));
    headers.put("content-type", List.of(type));
    var bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return server.ask(headers, "PATCH", path, bytes);
  }

  private static String message(Answer answer) {
    return TestServer.json(answer).textOrEmpty("message");
  }

  private static void accept(Answer answer) {
    assertThat(answer.code()).as(TestServer.text(answer)).isLessThan(300);
  }
}
