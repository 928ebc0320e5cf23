package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.codec.Json;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.request.Query;
import java.lang.management.ManagementFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Values of 100 KB and more where a few letters are expected, in the shapes that make readers go
/// deep or back: each is answered with a `Status` or taken, at once.
class LongValuesTest {

  private static final TestServer SERVER = new TestServer();

  // Of the processor, so that other work on the machine does not count; what goes back and forth
  // takes minutes.
  private static final Duration MOST = Duration.ofSeconds(20);

  private static final String NAMESPACE = "/api/v1/namespaces/default/";

  /// Where a value goes: `%s` in a path is the value in a query.
  record Place(String name, String path, String body) {

    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Place> PLACES =
      List.of(
          pod("image", ",'image':'%s'", ""),
          pod("container's name", ",'name':'%s'", ""),
          pod("quantity", ",'resources':{'limits':{'cpu':'%s'}}", ""),
          pod("resource", ",'resources':{'limits':{'%s':'1'}}", ""),
          pod("port's name", ",'ports':[{'containerPort':1,'name':'%s'}]", ""),
          pod("environment", ",'env':[{'name':'%s'}]", ""),
          pod("mount", ",'volumeMounts':[{'name':'%s','mountPath':'%s'}]", ""),
          pod("node selector", "", ",'nodeSelector':{'%s':'%s'}"),
          pod("toleration", "", ",'tolerations':[{'key':'%s','value':'%s'}]"),
          pod("windows user", "", ",'securityContext':{'windowsOptions':{'runAsUserName':'%s'}}"),
          pod(
              "windows domain",
              "",
              ",'securityContext':{'windowsOptions':{'runAsUserName':'%s\\\\a'}}"),
          pod("sysctl", "", ",'securityContext':{'sysctls':[{'name':'%s','value':'1'}]}"),
          pod("host name", "", ",'hostname':'%s','subdomain':'%s'"),
          pod("service account", "", ",'serviceAccountName':'%s'"),
          pod("priority class", "", ",'priorityClassName':'%s'"),
          pod("dns", "", ",'dnsConfig':{'searches':['%s'],'nameservers':['%s']}"),
          pod("volume", "", ",'volumes':[{'name':'%s','configMap':{'name':'%s'}}]"),
          pod(
              "iscsi",
              "",
              ",'volumes':[{'name':'v','iscsi':{'targetPortal':'1.1.1.1','lun':1,'iqn':'iqn.2000-01.%s'}}]"),
          pod("affinity", "", ",'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'%s'}]"),
          new Place("name", NAMESPACE + "configmaps", "{'metadata':{'name':'%s'}}"),
          new Place("prefix", NAMESPACE + "configmaps", "{'metadata':{'generateName':'%s'}}"),
          new Place(
              "label", NAMESPACE + "configmaps", "{'metadata':{'name':'a','labels':{'%s':'%s'}}}"),
          new Place(
              "annotation",
              NAMESPACE + "configmaps",
              "{'metadata':{'name':'a','annotations':{'%s':'%s'}}}"),
          new Place(
              "finalizer",
              NAMESPACE + "configmaps",
              "{'metadata':{'name':'a','finalizers':['%s']}}"),
          new Place("key", NAMESPACE + "configmaps", "{'metadata':{'name':'a'},'data':{'%s':''}}"),
          new Place("kind", NAMESPACE + "configmaps", "{'kind':'%s','apiVersion':'%s'}"),
          new Place(
              "cron",
              "/apis/batch/v1/namespaces/default/cronjobs",
              "{'metadata':{'name':'a'},'spec':{'schedule':'%s','timeZone':'%s','jobTemplate':{'spec':{'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}}}"),
          new Place(
              "indexes",
              "/apis/batch/v1/namespaces/default/jobs",
              "{'metadata':{'name':'a'},'spec':{'completionMode':'Indexed','completions':5,'successPolicy':{'rules':[{'succeededIndexes':'%s'}]},'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}"),
          new Place(
              "percentage",
              "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
              "{'metadata':{'name':'a'},'spec':{'maxUnavailable':'%s'}}"),
          new Place(
              "selector",
              "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
              "{'metadata':{'name':'a'},'spec':{'selector':{'matchExpressions':[{'key':'%s','operator':'In','values':['%s']}]}}}"),
          new Place(
              "address",
              NAMESPACE + "services",
              "{'metadata':{'name':'a'},'spec':{'type':'ExternalName','externalName':'%s','externalIPs':['%s']}}"),
          new Place(
              "ingress",
              "/apis/networking.k8s.io/v1/namespaces/default/ingresses",
              "{'metadata':{'name':'a'},'spec':{'rules':[{'host':'%s','http':{'paths':[{'path':'%s','pathType':'Exact','backend':{'service':{'name':'s','port':{'number':1}}}}]}}]}}"),
          new Place(
              "network",
              "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies",
              "{'metadata':{'name':'a'},'spec':{'podSelector':{},'ingress':[{'from':[{'ipBlock':{'cidr':'%s'}}]}]}}"),
          new Place(
              "features",
              "/api/v1/nodes",
              "{'metadata':{'name':'a'},'status':{'declaredFeatures':['%s']}}"),
          new Place(
              "device",
              "/apis/resource.k8s.io/v1/resourceslices",
              "{'metadata':{'name':'a'},'spec':{'driver':'%s','nodeName':'%s','pool':{'name':'%s','generation':1,'resourceSliceCount':1},'devices':[{'name':'d','attributes':{'%s':{'version':'1.1.1-%s'}}}]}}"),
          new Place(
              "group",
              "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
              "{'metadata':{'name':'a'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'%s'},'subjects':[{'kind':'User','name':'%s','apiGroup':'%s'}]}"),
          new Place(
              "trust bundle",
              "/apis/certificates.k8s.io/v1beta1/clustertrustbundles",
              "{'metadata':{'name':'a'},'spec':{'trustBundle':'-----BEGIN"
                  + " CERTIFICATE-----\\n%s'}}"),
          new Place(
              "webhook",
              "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
              "{'metadata':{'name':'a'},'webhooks':[{'name':'%s','sideEffects':'None','admissionReviewVersions':['%s'],'clientConfig':{'url':'https://%s'},'matchConditions':[{'name':'%s','expression':'%s'}]}]}"),
          new Place(
              "definition",
              "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
              "{'metadata':{'name':'%s'},'spec':{'group':'%s','scope':'Cluster','names':{'plural':'%s','kind':'%s'},'versions':[{'name':'%s','served':true,'storage':true,'additionalPrinterColumns':[{'name':'a','type':'string','jsonPath':'.%s'}],'schema':{'openAPIV3Schema':{'type':'object','pattern':'%s'}}}]}}"),
          new Place("label selector", NAMESPACE + "pods?labelSelector=%s", ""),
          new Place("field selector", NAMESPACE + "pods?fieldSelector=metadata.name%%3D%s", ""),
          new Place("continue", NAMESPACE + "pods?limit=1&continue=%s", ""),
          new Place("resource version", NAMESPACE + "pods?resourceVersion=%s", ""),
          new Place("timeout", NAMESPACE + "pods?timeout=%s", ""));

  private static Place pod(String name, String container, String spec) {
    var pod =
        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'%s}]%s}}"
            .formatted(container, spec);
    return new Place(name, NAMESPACE + "pods", pod);
  }

  /// Shapes, each repeated to the length of the whole.
  private static final List<String> SHAPES =
      List.of(
          "a", "a.", "a-", "a/", "1m", "1,", "a__", "0:", "*/1 ", "a: b\\n", "(", "é", ".1",
          "\\\\");

  @ParameterizedTest(name = "{0}")
  @FieldSource("PLACES")
  void areAnsweredAtOnce(Place place) {
    for (var shape : SHAPES) {
      for (int size : shape.equals("a.") ? List.of(100_000, 2_000_000) : List.of(100_000)) {
        // The same value stands in up to seven fields of one body, which has 3 MiB.
        var value = shape.repeat(size / shape.length() / (size > 100_000 ? 5 : 1));
        long begin = processorNanos();
        var answer = ask(place, value.strip());

        var what = "%d of '%s'".formatted(size, shape);
        assertThat(answer.code()).as(what).isNotEqualTo(500);
        assertThat(Json.read(TestServer.text(answer)).text("kind")).as(what).isNotNull();
        assertThat(Duration.ofNanos(processorNanos() - begin)).as(what).isLessThan(MOST);
      }
    }
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static Answer ask(Place place, String value) {
    if (place.body().isEmpty()) {
      var encoded = URLEncoder.encode(value, StandardCharsets.UTF_8);
      return SERVER.get("admin", place.path().formatted(encoded));
    }
    var body = place.body().replace("'", "\"").replace("%s", value);
    return SERVER.ask(
        new HashMap<>(Map.of("authorization", List.of("Bearer admin"))),
        "POST",
        place.path() + "?dryRun=All",
        body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void headersAndPathsToo() {
    var codes = new ArrayList<Integer>();
    for (var shape : SHAPES) {
      var value = shape.repeat(100_000 / shape.length());
      for (var header :
          List.of(
              "impersonate-user",
              "impersonate-group",
              "accept",
              "content-type",
              "user-agent",
              "audit-id",
              "x-forwarded-for")) {
        var headers = new HashMap<String, List<String>>();
        headers.put("authorization", List.of("Bearer admin"));
        headers.put(header, List.of(value));
        codes.add(SERVER.ask(headers, "GET", NAMESPACE + "pods", new byte[0]).code());
        codes.add(SERVER.ask(headers, "POST", NAMESPACE + "pods", new byte[] {'{', '}'}).code());
      }
      codes.add(
          SERVER
              .ask(
                  new HashMap<>(Map.of("authorization", List.of("Bearer " + value))),
                  "GET",
                  "/api",
                  new byte[0])
              .code());
      codes.add(SERVER.get("admin", NAMESPACE + "pods/" + value).code());
      codes.add(SERVER.get("admin", "/" + value).code());
      codes.add(SERVER.get("admin", "/apis/" + value + "/v1/things").code());
    }

    assertThat(codes).doesNotContain(500);
  }

  @Test
  void whatIsTooDeepIsToldAsAStatus() {
    var call =
        new Call(
            "POST",
            NAMESPACE + "configmaps",
            Query.parse(""),
            Map.of("authorization", List.of("Bearer admin")),
            List.of(),
            "127.0.0.1",
            () -> {
              throw new StackOverflowError();
            });
    var answer = SERVER.server().endpoint().answer(call);

    assertThat(answer.code()).isEqualTo(500);
    assertThat(TestServer.json(answer).text("kind")).isEqualTo("Status");
  }

  @AfterAll
  static void stop() {
    SERVER.close();
  }
}
