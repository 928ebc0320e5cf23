package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.admission.AdmissionChain;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.identity.Authority;
import io.berth.server.request.Query;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Watches of custom resources end with their definition.
class CustomWatchTest {

  private static final Authority AUTHORITY = Authority.open(null);
  private static final X509Certificate ADMIN =
      AUTHORITY.client("admin", List.of("system:masters")).certificate();
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  @Test
  void aWatchEndsWithTheDefinition() throws Exception {
    try (var store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
        var server =
            new ApiServer(
                store,
                AUTHORITY,
                AdmissionChain.of(List.of(), List.of()),
                ServerSettings.plain())) {
      call(server, "POST", DEFINITIONS, "", definition());
      call(server, "POST", "/apis/example.com/v1/things", "", thing());
      var watch = call(server, "GET", "/apis/example.com/v1/things", "watch=true", new Tree());

      call(server, "DELETE", DEFINITIONS + "/things.example.com", "", new Tree());
      var events = new ArrayList<String>();
      ((Answer.Stream) watch).frames().writeTo(outlet(events));

      // The stream begins only now: what is there is nothing, and it is over.
      assertThat(events).isEmpty();
    }
  }

  @Test
  void aWatchEndsAlsoWhileEventsKeepComing() throws Exception {
    try (var store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
        var server =
            new ApiServer(
                store,
                AUTHORITY,
                AdmissionChain.of(List.of(), List.of()),
                ServerSettings.plain())) {
      var things = "/apis/example.com/v1/things";
      call(server, "POST", DEFINITIONS, "", definition());
      call(server, "POST", things, "", thing());
      var watch = (Answer.Stream) call(server, "GET", things, "watch=true", new Tree());
      var watching =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  watch.frames().writeTo(outlet(new ArrayList<>()));
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              });

      var shortNames = Yaml.read("spec: {names: {plural: things, kind: Thing, shortNames: [th]}}");
      call(server, "PATCH", DEFINITIONS + "/things.example.com", "", shortNames);
      for (int i = 0; watching.isAlive() && i < 4000; i++) {
        var changed = call(server, "PATCH", things + "/a", "", Tree.of("i", i));
        assertThat(changed.code()).isEqualTo(200);
        watching.join(Duration.ofMillis(10));
      }

      assertThat(watching.isAlive()).isFalse();
    }
  }

  private static Answer call(
      ApiServer server, String method, String path, String query, Tree body) {
    return server
        .endpoint()
        .answer(
            new Call(
                method,
                path,
                Query.parse(query),
                Map.of(
                    "content-type",
                    List.of(
                        method.equals("PATCH")
                            ? "application/merge-patch+json"
                            : "application/json")),
                List.of(ADMIN),
                "",
                () -> body.isEmpty() ? new byte[0] : Json.write(body)));
  }

  private static Answer.Outlet outlet(List<String> events) {
    return new Answer.Outlet() {
      @Override
      public void send(byte[] frame) {
        events.add(new String(frame, StandardCharsets.UTF_8));
      }

      @Override
      public void onClose(Runnable action) {}
    };
  }

  private static Tree definition() {
    return Yaml.read(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: things.example.com}
        spec:
          group: example.com
          scope: Cluster
          names: {plural: things, kind: Thing}
          versions:
            - name: v1
              served: true
              storage: true
              schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
        """);
  }

  private static Tree thing() {
    return Tree.of(
        "apiVersion", "example.com/v1", "kind", "Thing", "metadata", Tree.of("name", "a"));
  }
}
