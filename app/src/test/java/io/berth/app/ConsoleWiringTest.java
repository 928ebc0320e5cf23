package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.FeatureGates;
import io.berth.api.Tree;
import io.berth.cli.LocalCluster;
import io.berth.cli.Port;
import io.berth.cli.SchedulerSettings;
import io.berth.codec.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The two consoles over the wire: that of `berth up`, in HTTP/2, and the one on loopback.
class ConsoleWiringTest {

  @TempDir private Path folder = Path.of("");

  @Test
  void whoFollowsAnInvitationIsSignedIn() throws Exception {
    var options = options();
    try (var cluster = EmbeddedCluster.start(options);
        var loopback = new LoopbackConsole(options.kubeconfig(), true)) {
      var tls = WorkloadApi.trusting(options.folder().resolve("ca.crt"));
      var own = new MachineConsoles().invitation(options.kubeconfig());
      assertThat(own).startsWith(cluster.facts().textOrEmpty("console") + "#");

      for (var invitation : List.of(own, loopback.invitation())) {
        try (var client = HttpClient.newBuilder().sslContext(tls).build()) {
          follow(client, invitation);
        }
      }
    }
  }

  private static void follow(HttpClient client, String invitation) throws Exception {
    var origin = invitation.substring(0, invitation.indexOf('/', "https://".length()));
    var page = client.send(get(origin + "/console/"), BodyHandlers.ofString());
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    assertThat(client.send(get(origin + "/console/api/v1/map"), BodyHandlers.ofString()))
        .returns(401, HttpResponse::statusCode);

    var code = invitation.substring(invitation.indexOf('#') + 1);
    var signIn =
        HttpRequest.newBuilder(URI.create(origin + "/console/api/v1/session"))
            .header("X-Berth-Console", "1")
            .header("Origin", origin)
            .POST(BodyPublishers.ofString(Json.text(Tree.of("code", code))))
            .build();
    var session = client.send(signIn, BodyHandlers.ofString());
    assertThat(session.statusCode()).as(session.body()).isEqualTo(200);

    var cookie = session.headers().firstValue("Set-Cookie").orElseThrow().split(";", -1)[0];
    var map =
        client.send(
            HttpRequest.newBuilder(URI.create(origin + "/console/api/v1/map"))
                .header("Cookie", cookie)
                .build(),
            BodyHandlers.ofString());
    assertThat(map.statusCode()).as(map.body()).isEqualTo(200);
    assertThat(Json.read(map.body()).list("nodes", "name")).hasSize(2);
  }

  private static HttpRequest get(String address) {
    return HttpRequest.newBuilder(URI.create(address)).build();
  }

  private LocalCluster.Options options() {
    return new LocalCluster.Options(
        folder.resolve("cluster"),
        true,
        "127.0.0.1",
        Port.any(),
        folder.resolve("kubeconfig"),
        false,
        new LocalCluster.Simulation(2, null, 10),
        SchedulerSettings.DEFAULT,
        LocalCluster.AdmissionOptions.DEFAULT,
        Port.any(),
        LocalCluster.CredentialFiles.NONE,
        FeatureGates.DEFAULT);
  }
}
